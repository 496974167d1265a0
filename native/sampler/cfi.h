// Reads call frame information (.eh_frame, DWARF 4 section 6.4 and the LSB's extensions) and
// turns it into rows. Needs no memory but what the sink takes; bounds are checked, so that a
// damaged module costs its own call stacks and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind_rule.h"

namespace parallax {

// Memory that may be read, in the address space of this process.
struct ByteRange {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  size_t size() const { return static_cast<size_t>(end - begin); }
  bool contains(const uint8_t* p) const { return p >= begin && p < end; }
};

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
  // From `pc` up to the pc of the next row, or the end of the entry.
  virtual bool row(uint64_t pc, const Rule& rule) = 0;

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

// Calls the sink for each row of one entry. Rules that the unwinder cannot follow are rows of
// RuleKind::kNone. Returns false when the entry is damaged; rows given so far are good.
bool rowsOfFde(ByteRange readable, const FdeRange& range, RowSink& sink);

}  // namespace parallax
