// Reads call frame information (.eh_frame, DWARF 4 section 6.4 and the LSB's extensions) and
// turns it into rows. Needs no memory but what the sink takes; bounds are checked, so that a
// damaged module costs its own call stacks and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampler/frame_memory.h"
#include "sampler/unwind_rule.h"

namespace parallax {

// One Frame Description Entry: the range of code that it describes, and where it stands.
struct FdeRange {
  uint64_t start;
  uint64_t end;
  const uint8_t* fde;
};

class FdeSink {
 public:
  virtual bool fde(const FdeRange& range) = 0;  // false stops

 protected:
  ~FdeSink() = default;
};

class RowSink {
 public:
  // Before the rows. False stops, here and below.
  virtual bool begin(const FdeRange& range) = 0;
  // From `pc` up to the pc of the next row, or the end of the entry.
  virtual bool row(uint64_t pc, const ExtendedRule& rule, bool signalFrame) = 0;

 protected:
  ~RowSink() = default;
};

// Calls the sink for each entry of an .eh_frame section, in the order of the section, up to
// the section's terminator or the end of `section`.
void forEachFde(ByteRange section, FdeSink& sink);

// Returns where an .eh_frame_hdr section says that .eh_frame begins, or null.
const uint8_t* ehFrameOfHeader(ByteRange header);

// Calls the sink for each entry that the search table of an .eh_frame_hdr section names.
// Entries outside `readable` are left out. Returns false when there is no such table.
bool forEachFdeOfHeader(ByteRange header, ByteRange readable, FdeSink& sink);

// An entry, and what exceptions do in its code: null when nothing.
struct FdeWithHandlers {
  uint64_t start;
  uint64_t end;
  const uint8_t* handlers;  // the language-specific data area
};

// Finds the entry of `pc` by the search table of an .eh_frame_hdr section. Returns false when
// there is none, or the table is not of the usual form.
bool findFde(ByteRange header, ByteRange readable, uint64_t pc, FdeWithHandlers* found);

// Whether an exception that passes the call which returns to `pc` may end there: it is caught, or
// ends the program. True when that cannot be told.
bool mayCatch(ByteRange header, ByteRange readable, uint64_t pc);

// Calls the sink for each row of one entry. Returns false when the entry is damaged, or the sink has
// stopped it; rows given so far are good.
bool rowsOfFde(ByteRange readable, const uint8_t* fde, FrameScratch& scratch, RowSink& sink);

// One row of the search table of an .eh_frame_hdr section of the usual form.
struct SearchEntry {
  int32_t start;  // of the code, relative to `base`
  int32_t fde;    // where the entry stands, likewise
};
struct SearchTable {
  static constexpr size_t kStride = 64;
  const SearchEntry* entries = nullptr;  // by start
  size_t count = 0;
  uint64_t base = 0;
  // The starts of each kStride-th one, in memory of the agent: so that a search asks the kernel once.
  const int32_t* index = nullptr;
};

// The table of an .eh_frame_hdr section; empty when there is none, or it is of an unusual form.
SearchTable searchTableOf(ByteRange header);

// The entry that starts last at or before `pc`, or null. A table with an index may be on its way out,
// with its module (frame_memory.h).
const uint8_t* searchFde(const SearchTable& table, uint64_t pc);

// The rule for the instruction at `pc` by the entry `fde`; kNone when that does not say.
Rule ruleOfFde(ByteRange readable, const uint8_t* fde, FrameScratch& scratch, uint64_t pc);

}  // namespace parallax
