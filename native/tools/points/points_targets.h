// Every address of a module's code that control may reach in another way than from the instruction
// in front of it. Never too few, sometimes too many:
//
// - targets of all direct jumps, branches and calls. Code is decoded from each function's start to
//   the next one's, so that data between functions cannot hide any.
// - addresses of code in data: pointers to functions, virtual tables, tables of labels, absolute
//   tables of switches. Where the module can be loaded anywhere these are exactly its relocations;
//   where it cannot, every aligned word that might be one.
// - addresses that instructions take (lea, or a constant where addresses are fixed).
// - entries of tables of 32-bit distances, as for switches: every address of read-only data that
//   an instruction takes may be such a table, whose entries go on as long as they lead to code, up
//   to the next such address.
// - landing pads of exceptions. Unwinding enters them with no jump; compilers put them where nothing
//   falls into them, but nothing forces them to.
// - starts of functions, and, not listed here, places behind calls.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/points/points_image.h"

namespace parallax::points {

struct Transfer {
  uint64_t to;
  uint64_t from;  // the jump, branch or call, or one of the constants below
};

class Targets {
 public:
  static constexpr uint64_t kIndirect = 0;   // through a pointer
  static constexpr uint64_t kTable = 2;      // through a table of distances
  static constexpr uint64_t kUnwinding = 1;  // an exception
  static constexpr uint64_t kStart = 3;      // unknown: a name or frame description begins there

  explicit Targets(const Image& image);

  // Whether control may come to an address in [begin, end) from elsewhere.
  bool any(uint64_t begin, uint64_t end) const;
  // The next one at or behind `address`, or UINT64_MAX.
  uint64_t next(uint64_t address) const;
  // All transfers to addresses in [begin, end).
  std::pair<const Transfer*, const Transfer*> into(uint64_t begin, uint64_t end) const;
  // Whether an instruction in [begin, end) takes the address of a table of distances that leads into
  // [toBegin, toEnd).
  bool hasTable(const CodeRange& code, const CodeRange& to) const;
  // Whether an instruction in `code` takes an address in `to`.
  bool takes(const CodeRange& code, const CodeRange& to) const;
  // Calls and jumps through slots of the global offset table.
  struct ThroughSlot {
    uint64_t from, slot;
  };
  const std::vector<ThroughSlot>& throughSlots() const { return throughSlots_; }

 private:
  struct Taken {
    uint64_t from, address;  // the instruction that takes it; what may be a table
  };
  void sweep(const Image& image, const Section& section, const std::vector<uint64_t>& starts);
  void readTables(const Image& image);

  std::vector<Transfer> transfers_;  // sorted by `to`, then `from`
  std::vector<Taken> taken_;         // addresses of code and read-only data, sorted by `from`
  std::vector<Transfer> entries_;    // of tables, `from` being the table; sorted by it
  std::vector<ThroughSlot> throughSlots_;
};

}  // namespace parallax::points
