// An offline writer of whole traces, for tools, converters and tests. The agent has its own
// way to write; both share slots.h and definitions.h.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/definitions.h"
#include "format/slots.h"

namespace parallax::format {

// How ticks become nanoseconds in the block headers of one process.
struct ClockLine {
  uint64_t ticks = 0;  // the two read together
  uint64_t monotonicNs = 0;
  uint64_t tickHz = 1'000'000'000;

  uint64_t monotonicAt(uint64_t atTicks) const;
};

// The name of a host as it stands in file names.
std::string hostInFileName(std::string_view host);
// HOST.PID.SEQ, to which ".def" or ".THREAD.evt" is appended.
std::string processFileName(std::string_view host, uint32_t pid, uint32_t seq);

using Manifest = std::vector<std::pair<std::string, std::string>>;

// Replaces the file `path` by `text` atomically. Returns an empty string, or what went wrong, and then sets
// errno to the reason.
std::string replaceFile(const std::string& path, std::string_view text);
// Writes DIR/manifest in the same way; the line `parallax-trace` is put first by itself. The ends of lines in
// values become \n and \r.
std::string writeManifest(const std::string& directory, const Manifest& entries);

// A descriptor with its first error; later calls after an error do nothing.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void open(const std::string& path);
  void write(const void* data, size_t size);
  void close();
  // Empty while all went well.
  const std::string& error() const { return error_; }
  int code() const { return code_; }  // the errno of that

 private:
  void fail(const char* action);

  int descriptor_ = -1;
  std::string path_;
  std::string error_;
  int code_ = 0;
};

// Writes one definitions file.
class DefinitionsWriter {
 public:
  explicit DefinitionsWriter(const std::string& path);

  template <class R>
  void add(const R& record) {
    size_t size = 0;
    while ((size = RecordWriter(buffer_.data(), buffer_.size()).encode(record)) == 0) {
      buffer_.resize(buffer_.size() * 2);
    }
    addBytes(buffer_.data(), size);
  }
  // As they are: for records of another version, damage, and reserved space.
  void addBytes(const void* data, size_t size);
  // A record that was being written when its process was killed; `size` a multiple of 8.
  void addPending(uint32_t size);
  void close() { flush(); file_.close(); }
  const std::string& error() const { return file_.error(); }

 private:
  void flush();

  OutputFile file_;
  std::vector<char> buffer_ = std::vector<char>(4096);
  std::string pending_;
};

// Writes the events of one thread. Times may not decrease. The CPU time of the thread, which
// is 0 at the ticks of `clock`, runs with the wall time except where cpu() says otherwise.
class EventWriter {
 public:
  EventWriter(const std::string& path, uint32_t thread, const ClockLine& clock);
  ~EventWriter();

  void event(Kind kind, uint64_t operand, uint64_t ticks,
             std::initializer_list<uint64_t> payload = {});

  void enter(uint32_t path, uint64_t ticks);
  // Ends the innermost open Enter of `path`, and all within it.
  void leave(uint32_t path, uint64_t ticks);
  void sample(uint32_t path, uint64_t ticks) { event(Kind::kSample, path, ticks); }
  // The thread lost `lostNs` of processor time since the event before; stands right before
  // the event of that moment.
  void cpu(uint64_t ticks, uint64_t lostNs);

  // `count` events could not be written; begins a new block, whose header says so.
  void lose(uint32_t count);
  // The first block of the thread stands in the definitions file.
  void continueAfterSmallBlock() { number_ = 1; }
  // The next blocks are missing: ends the current one, and leaves zeros in their place.
  void missBlocks(uint32_t count);
  // Ends the current block although it is not full.
  void breakBlock();
  // The thread ended in order: the last block is closed and short.
  void close();
  // The process was killed: the last block stays open, `reservedBlocks` follow unbegun.
  void abandon(uint32_t reservedBlocks = 0);

  uint64_t eventCount() const { return eventCount_; }
  const std::string& error() const { return file_.error(); }

 private:
  struct Block {
    BlockHeader header;
    uint64_t slots[kBlockSlots];
  };

  void beginBlock(uint64_t ticks);
  uint64_t cpuNsAt(uint64_t ticks) const;
  void endBlock(bool last);
  void addZeros(uint32_t blocks);

  OutputFile file_;
  std::unique_ptr<Block> block_;
  uint32_t thread_;
  ClockLine clock_;
  uint32_t used_ = 0;
  bool begun_ = false;
  uint64_t number_ = 0;
  uint32_t lost_ = 0;
  uint64_t eventCount_ = 0;
  uint64_t lostNs_ = 0;
  std::vector<uint32_t> open_;
};

}  // namespace parallax::format
