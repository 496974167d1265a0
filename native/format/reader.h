// A small reader of traces for tools and native tests: it maps the files and checks what it
// reads, so that no damaged file can lead it astray. The reader that analyses traces is the
// Java one.
//
//   TraceFiles files;
//   std::string error = findTraceFiles(directory, &files);
//   EventFile events;
//   error = events.open(files.processes[0].threads[0].path);
//   Event event;
//   for (EventReader reader(events); reader.next(&event);) ...
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "format/definitions.h"
#include "format/slots.h"

namespace parallax::format {

// A file mapped for reading. An empty file is a mapping of no bytes.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  // Returns an empty string, or what went wrong.
  std::string open(const std::string& path);
  const char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void close();

  const char* data_ = nullptr;
  size_t size_ = 0;
};

// ---- what a trace directory holds

// Where the events of a thread are: the first block may stand in the definitions file.
struct ThreadFile {
  uint32_t thread = 0;
  std::string path;         // of the event file, empty when there is none
  std::string definitions;  // of the process
  size_t firstAt = 0;       // in it; 0: no block
  size_t firstBytes = 0;
  bool isInParts = false;  // several blocks were written at once, the header of the first one last
};

struct ProcessFiles {
  std::string name;  // HOST.PID.SEQ
  std::string host;  // as in the file name
  uint32_t pid = 0, seq = 0;
  std::string definitions;          // empty when there is none
  std::vector<ThreadFile> threads;  // by thread number
};

struct TraceFiles {
  std::vector<std::pair<std::string, std::string>> manifest;  // in the order of the file
  std::vector<ProcessFiles> processes;                        // by host, pid, seq
  bool hasSymbols = false;
  // The value of a manifest entry, empty when there is none.
  std::string_view property(std::string_view key) const;
};

// Returns an empty string, or why `directory` is not a trace that can be read.
std::string findTraceFiles(const std::string& directory, TraceFiles* files);

// ---- events

struct Event {
  Kind kind = Kind::kNone;
  uint64_t operand = 0;   // the escape is already resolved
  uint64_t ticks = 0;     // absolute
  const uint64_t* slots = nullptr;  // of the payload, an escaped operand not among them
  uint32_t payloadCount = 0;

  // The value of payload slot `i`, 0 when there is none.
  uint64_t payload(uint32_t i) const { return i < payloadCount ? payloadOf(slots[i]) : 0; }
};

enum class BlockState {
  kClosed,
  kOpen,     // being filled, or left so by a killed process
  kTorn,     // closed with a wrong checksum and a slot that is 0: the machine ended while the block was written
  kDamaged,  // `used` out of range or a wrong checksum
  kEmpty,    // zeros: reserved, or missing
  kUnfinished,  // its header is missing: the process was killed while several blocks were written; the file ends here
  kForeign,  // no block of this format; the file ends here
};

struct BlockView {
  const BlockHeader* header = nullptr;
  const uint64_t* slots = nullptr;
  uint32_t used = 0;  // slots to read: none of a damaged block
  BlockState state = BlockState::kEmpty;
};

class EventFile {
 public:
  std::string open(const std::string& path);
  std::string open(const ThreadFile& thread);
  // Blocks of the thread, the last of which may be short or damaged; any may be empty. Those of the file that are not
  // kept do not count.
  size_t blockCount() const {
    return (firstBytes_ > 0 ? 1 : 0) + (file_.size() - skippedBytes_ + kBlockBytes - 1) / kBlockBytes;
  }
  BlockView block(size_t i) const;

 private:
  MappedFile file_, definitions_;
  size_t firstAt_ = 0, firstBytes_ = 0, skippedBytes_ = 0;
  bool isInParts_ = false;
};

// Iterates over the events of one block. An event whose payload is incomplete, as only the
// last one of an open block can be, is left out.
class BlockReader {
 public:
  explicit BlockReader(const BlockView& view) : view_(view) {}
  bool next(Event* event);

 private:
  BlockView view_;
  uint32_t at_ = 0;
};

// Iterates over the events of a file; damaged and missing blocks are left out.
class EventReader {
 public:
  explicit EventReader(const EventFile& file) : file_(file), block_(BlockView{}) {}
  bool next(Event* event);

 private:
  const EventFile& file_;
  size_t nextBlock_ = 0;
  BlockReader block_;
};

// ---- definitions

enum class DefinitionsEnd {
  kInOrder,    // end of file or of what was written
  kTruncated,  // the last record goes beyond the end of the file
  kDamaged,    // a record's size or checksum is wrong
};

class DefinitionsFile {
 public:
  // Fails also when the file is not a definitions file of this version.
  std::string open(const std::string& path);
  size_t size() const { return file_.size(); }

  // Calls visitor(record) with a record struct for each whole record of a known type, in the
  // order of the file. Records with a wrong checksum are left out, as are pending ones.
  template <class Visitor>
  DefinitionsEnd forEach(Visitor&& visitor) const;
  // The same of the first records.
  template <class Visitor>
  DefinitionsEnd forEachOfFirst(Visitor&& visitor, size_t records) const {
    return visit(visitor, records);
  }
  // The same of the Process record and what the agent writes beside it when it makes the file.
  template <class Visitor>
  DefinitionsEnd forEachAtStart(Visitor&& visitor) const {
    constexpr size_t kRecords = 3;  // Process, Losses, ProcessEnd
    return visit(visitor, kRecords);
  }

  // Calls visitor(offset, size) for the body of each Events record that has a block.
  template <class Visitor>
  void forEachEvents(Visitor&& visitor) const;
  // The block there; its header must not be beyond the end.
  const BlockHeader& blockAt(size_t offset) const {
    return *reinterpret_cast<const BlockHeader*>(file_.data() + offset);
  }

 private:
  // Calls visitor(header, offset of the body) for each whole record, up to so many.
  template <class Visitor>
  DefinitionsEnd walk(Visitor&& visitor, size_t mostRecords = SIZE_MAX) const;
  template <class Visitor>
  DefinitionsEnd visit(Visitor& visitor, size_t mostRecords) const;

  MappedFile file_;
};

namespace reader_internal {

template <class R, class Visitor>
bool decodeAndVisit(const char* body, size_t size, Visitor& visitor) {
  R record;
  if (!RecordParser(body, size).decode(&record)) return false;
  visitor(record);
  return true;
}

// Returns false when the body is too short for its type.
template <class Visitor>
bool visitRecord(Record type, const char* body, size_t size, Visitor& visitor) {
  switch (type) {
    case Record::kProcess: return decodeAndVisit<ProcessRecord>(body, size, visitor);
    case Record::kProcessEnd: return decodeAndVisit<ProcessEndRecord>(body, size, visitor);
    case Record::kClockSync: return decodeAndVisit<ClockSyncRecord>(body, size, visitor);
    case Record::kThread: return decodeAndVisit<ThreadRecord>(body, size, visitor);
    case Record::kModule: return decodeAndVisit<ModuleRecord>(body, size, visitor);
    case Record::kModuleUnload: return decodeAndVisit<ModuleUnloadRecord>(body, size, visitor);
    case Record::kRegion: return decodeAndVisit<RegionRecord>(body, size, visitor);
    case Record::kCallPath: return decodeAndVisit<CallPathRecord>(body, size, visitor);
    case Record::kMpi: return decodeAndVisit<MpiRecord>(body, size, visitor);
    case Record::kCommunicator: return decodeAndVisit<CommunicatorRecord>(body, size, visitor);
    case Record::kSyncObject: return decodeAndVisit<SyncObjectRecord>(body, size, visitor);
    case Record::kNote: return decodeAndVisit<NoteRecord>(body, size, visitor);
    case Record::kSetting: return decodeAndVisit<SettingRecord>(body, size, visitor);
    case Record::kThreadName: return decodeAndVisit<ThreadNameRecord>(body, size, visitor);
    case Record::kMetric: return decodeAndVisit<MetricRecord>(body, size, visitor);
    case Record::kStream: return decodeAndVisit<StreamRecord>(body, size, visitor);
    case Record::kFile: return decodeAndVisit<FileRecord>(body, size, visitor);
    case Record::kPvm: return decodeAndVisit<PvmRecord>(body, size, visitor);
    case Record::kClockOffset: return decodeAndVisit<ClockOffsetRecord>(body, size, visitor);
    case Record::kLosses: return decodeAndVisit<LossesRecord>(body, size, visitor);
    case Record::kPending:
    case Record::kReserved:
    case Record::kEvents: break;
  }
  return true;
}

}  // namespace reader_internal

template <class Visitor>
DefinitionsEnd DefinitionsFile::walk(Visitor&& visitor, size_t mostRecords) const {
  size_t at = sizeof kDefinitionsMagic + 8;
  for (; at + sizeof(RecordHeader) <= file_.size() && mostRecords > 0; mostRecords--) {
    RecordHeader header;
    memcpy(&header, file_.data() + at, sizeof header);
    if (header.size == 0) break;
    if (header.size % 8 != 0 || header.size < sizeof header) return DefinitionsEnd::kDamaged;
    if (header.size > file_.size() - at) return DefinitionsEnd::kTruncated;
    visitor(header, at + sizeof header);
    at += header.size;
  }
  return DefinitionsEnd::kInOrder;
}

template <class Visitor>
DefinitionsEnd DefinitionsFile::forEach(Visitor&& visitor) const {
  return visit(visitor, SIZE_MAX);
}

template <class Visitor>
DefinitionsEnd DefinitionsFile::visit(Visitor& visitor, size_t mostRecords) const {
  bool damaged = false;
  const DefinitionsEnd end = walk([&](const RecordHeader& header, size_t at) {
    const auto type = static_cast<Record>(header.type);
    if (type == Record::kPending || type == Record::kReserved || type == Record::kEvents) return;
    const char* body = file_.data() + at;
    const size_t size = header.size - sizeof header;
    const bool sound = type == Record::kLosses ||
                       header.check == static_cast<uint16_t>(crc32c(body, size));
    damaged |= !sound || !reader_internal::visitRecord(type, body, size, visitor);
  }, mostRecords);
  return end == DefinitionsEnd::kInOrder && damaged ? DefinitionsEnd::kDamaged : end;
}

template <class Visitor>
void DefinitionsFile::forEachEvents(Visitor&& visitor) const {
  walk([&](const RecordHeader& header, size_t at) {
    const size_t size = header.size - sizeof header;
    if (static_cast<Record>(header.type) != Record::kEvents || size < sizeof(BlockHeader)) return;
    if (blockAt(at).magic == kBlockMagic) visitor(at, size);
  });
}

}  // namespace parallax::format
