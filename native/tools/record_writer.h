// The process that writes the events of the transport `shared` (transport/ring_file.h).
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "format/format.h"
#include "transport/ring_file.h"
#include "transport/trace_directory.h"

namespace parallax::record {

// Rings with numbers below Control::used are served in turn. Another process can go on with the work of one that was
// killed: what is done twice has the same result.
class RingWriter {
 public:
  // `memory` is the whole file of rings.
  RingWriter(char* memory, const TraceDirectory& directory)
      : memory_(memory), control_(reinterpret_cast<event_rings::Control*>(memory)), directory_(directory) {}

  // Serves until the command has ended, or the recorder, and no process has a ring any more. `ready` is called when
  // others may count on this process. Returns an errno if it cannot begin.
  template <class Ready>
  int run(pid_t recorder, Ready ready) {
    if (const int error = beginLife()) return error;
    ready();
    serveUntilEnd(recorder);
    return 0;
  }
  // Writes all that the rings hold now, with open blocks.
  void writeAll();

 private:
  // What another process sees of a block.
  struct Block {
    format::BlockHeader* header;
    uint32_t used;  // slots
    bool isClosed;
  };

  int beginLife();
  void serveUntilEnd(pid_t recorder);
  bool serveAll(bool looksForEnds);
  bool mayEnd();
  bool anyOwner() const;
  bool serve(event_rings::Ring* ring, uint32_t number, bool alsoOpen);
  bool find(const event_rings::Ring& ring, uint32_t number, uint64_t at, Block* block) const;
  void store(event_rings::Ring* ring, uint64_t at, const Block& block);
  void free(event_rings::Ring* ring, uint32_t number);
  void grant(event_rings::Ring* ring);
  void release(event_rings::Ring* ring, uint32_t number);
  void tellLost(const event_rings::Ring& ring, uint32_t events) const;
  char* placeOf(uint32_t number, uint64_t block) const {
    return memory_ + event_rings::blocksOffset(number) + block % event_rings::kBlocks * format::kBlockBytes;
  }
  event_rings::Ring* ring(uint32_t number) const {
    return reinterpret_cast<event_rings::Ring*>(memory_ + event_rings::ringOffset(number));
  }

  char* const memory_;
  event_rings::Control* const control_;
  const TraceDirectory& directory_;
};

}  // namespace parallax::record
