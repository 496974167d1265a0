// What the processes do that write the events of others: the rings and messages of transports.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "format/format.h"
#include "tools/record_definitions.h"
#include "tools/record_event_files.h"
#include "transport/event_message.h"
#include "transport/ring_file.h"
#include "transport/trace_directory.h"

namespace parallax::record {

// Another process can go on with the work of one that was killed: what is done twice has the same result.
class EventWriter {
 public:
  // Needs so many descriptors for other things than event files.
  EventWriter(event_rings::Control* control, const TraceDirectory& directory, size_t descriptors)
      : control_(control),
        directory_(directory),
        files_(directory, descriptors,
               [this](const std::string& name, uint32_t events, int error) { lost(name, events, error); }) {}
  virtual ~EventWriter() = default;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // Serves until the command has ended, or the recorder. `ready` is called when others may count on this process.
  // Returns an errno if it cannot begin.
  int run(pid_t recorder, const std::function<void()>& ready);
  // Writes all that processes have handed on by now, and closes the files.
  virtual void writeAll() = 0;
  // Whether nobody needs a writer any more: all that had something in memory have ended, and it is in the trace.
  virtual bool mayEnd() { return true; }

 protected:
  virtual void serveUntilEnd(pid_t recorder) = 0;
  virtual int openDefinitions(const char* name) const { return directory_.openFile(name, O_RDWR); }
  // Events of a file that had been written are not in it.
  virtual void lost(const std::string& name, uint32_t events, int error);

  bool isLast(pid_t recorder) const;
  // Writes a message. Returns 0 or an errno. Sets how many events are in it.
  int write(EventMessage* head, const char* bytes, uint32_t* events);
  void tellFinished();
  // Returns 0 or an errno. `head` of the bytes is written last: without it, a reader takes a block for one that is missing.
  // The header of an open block is not written over that of a closed one, which the thread has written meanwhile. There are
  // so many events in it.
  int write(const char* name, const char* data, size_t bytes, uint64_t offset, size_t head, uint32_t events);
  void tellFailure(uint32_t events, int error);
  // A closed block, and its events.
  struct ClosedBlock {
    const char* data;
    uint32_t bytes, events;
  };
  static constexpr size_t kMostBlocksAtOnce = event_rings::kBlocks;
  // Writes up to kMostBlocksAtOnce blocks, which follow each other from this place of the file on, headers and all, with one request if
  // the file system takes it. Returns how many of them are in the file, from the first one on.
  size_t writeAtOnce(const char* name, const ClosedBlock* blocks, size_t count, uint64_t offset);
  // In the trace, of a process that cannot do it itself.
  void tellLost(const char* file, uint32_t events, int error) const;

  event_rings::Control* const control_;
  const TraceDirectory& directory_;
  EventFiles files_;
};

// Serves the rings with numbers below Control::used in turn, until no process has one any more.
class RingWriter : public EventWriter {
 public:
  // `memory` is the whole file of rings, which is at `path`.
  RingWriter(char* memory, const std::string& path, const TraceDirectory& directory)
      : EventWriter(reinterpret_cast<event_rings::Control*>(memory), directory, kDescriptors),
        memory_(memory),
        definitions_(path, directory) {}
  ~RingWriter() override { files_.closeAll(); }  // while lost() is that of this class
  // With open blocks.
  void writeAll() override;
  bool mayEnd() override;
  // Whether definitions of processes that have ended are not in the trace for that reason.
  bool lacksSpace() const { return definitions_.lacksSpace(); }

 protected:
  void serveUntilEnd(pid_t recorder) override;
  int openDefinitions(const char* name) const override { return definitions_.open(name); }
  // By the thread that has the ring, or when it is released.
  void lost(const std::string& name, uint32_t events, int error) override;

 private:
  static constexpr size_t kDescriptors = 32;
  // What another process sees of a block.
  struct Block {
    format::BlockHeader* header;
    uint32_t used;  // slots
    bool isClosed;
  };

  bool serveAll(bool looksForEnds, bool alsoFew);
  bool moveDefinitions(uint64_t nowNs);
  bool anyOwner() const;
  // In the recorder, after the writer's end: threads that leave its rings write what is in them, too.
  bool replacesWriter() const { return control_->writer.ends(); }
  // Writes closed blocks if there are kWakingBlocks of them, or with `alsoFew`. With `alsoOpen`, also the block that the thread
  // fills.
  bool serve(event_rings::Ring* ring, uint32_t number, bool alsoFew, bool alsoOpen);
  // Writes closed blocks from this one on. Returns how many of them are in the file: 0 if there are none below `end`, or if each
  // is to be written by itself.
  uint64_t storeAtOnce(event_rings::Ring* ring, uint32_t number, uint64_t at, uint64_t end);
  bool find(const event_rings::Ring& ring, uint32_t number, uint64_t at, Block* block) const;
  // Events that cannot be written are lost if they are not to be tried again (`isLast`).
  void store(event_rings::Ring* ring, uint64_t at, const Block& block, bool isLast);
  void free(event_rings::Ring* ring, uint32_t number);
  bool mayGrant(const event_rings::Ring* ring) const;
  void grant(event_rings::Ring* ring);
  // Reserves space for blocks from `first` on, which nobody has written yet: for `most`, or else for one. Makes the file if
  // there is none. Returns 0 or an errno.
  int reserve(event_rings::Ring* ring, uint64_t first, uint64_t most);
  void release(event_rings::Ring* ring, uint32_t number);
  char* placeOf(uint32_t number, uint64_t block) const {
    return memory_ + event_rings::blocksOffset(number) + block % event_rings::kBlocks * format::kBlockBytes;
  }
  event_rings::Ring* ring(uint32_t number) const {
    return reinterpret_cast<event_rings::Ring*>(memory_ + event_rings::ringOffset(number));
  }

  char* const memory_;
  DefinitionsStage definitions_;
  uint64_t movedNs_ = 0, copiedNs_ = 0, servedFewNs_ = 0;
  alignas(8) char copy_[format::kBlockBytes];
};

// Takes messages from connections, one at a time, until the command has ended.
class Collector : public EventWriter {
 public:
  Collector(event_rings::Control* control, const TraceDirectory& directory, int listener)
      : EventWriter(control, directory, mostCallers() + kDescriptors), listener_(listener), mostCallers_(mostCallers()) {}
  // Who has no answer writes by itself.
  void writeAll() override { files_.closeAll(); }

 protected:
  void serveUntilEnd(pid_t recorder) override;

 private:
  static constexpr size_t kMostCallers = 512;  // the kernel holds further ones
  static constexpr size_t kDescriptors = 32;
  struct Caller {
    int fd;
    uint64_t sinceNs;
  };
  static size_t mostCallers();
  void accept();
  bool serve(const Caller& caller);
  bool collect(int fd, EventMessage* head, int32_t* result);

  const int listener_;
  const size_t mostCallers_;
  std::vector<Caller> callers_;
  alignas(8) char bytes_[kMostMessageBytes];
};

// Takes messages from a socket until the command has ended.
class MessageWriter : public EventWriter {
 public:
  MessageWriter(event_rings::Control* control, const TraceDirectory& directory, int socket)
      : EventWriter(control, directory, kDescriptors), socket_(socket) {}
  void writeAll() override;

 protected:
  void serveUntilEnd(pid_t recorder) override;

 private:
  static constexpr size_t kDescriptors = 32;
  bool take();

  const int socket_;
  struct {
    EventMessage head;
    char bytes[kMostMessageBytes];
  } message_;
};

}  // namespace parallax::record
