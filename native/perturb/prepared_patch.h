// How the code of one function can be changed in a running process: found out by a tool that reads the
// function's file and decodes its instructions (tools/points/points_prepare.h), applied by the process,
// which decodes none (patch_actions.h). A file is one PreparedAction as it is in memory, little endian:
//
//   0      8 bytes  PLXPATC1
//   8      u32      bytes of the whole
//   12     u32      places: the entry, then the returns
//   16     PreparedFunction   the function that is changed
//   ...    text               why no call can be inserted behind the function; empty: it can
//   ...    16 PreparedPlace   the first `places` are used
//   ...    what is to be done there
//
// Offsets are addresses as in the ELF file.
#pragma once

#include <cstdint>

namespace parallax::perturb {

// Code of a module, which is found by its build id, or by its path where it has none.
struct PreparedFunction {
  char name[128];
  char buildId[72];  // hex; empty: none
  char path[1024];
  uint64_t begin, end;
};

// An address that only the process knows, to be written into displaced code (Fix of plan.h).
struct PreparedFix {
  uint64_t target;
  uint32_t at;
  uint32_t kind;
};

// Where an instruction of the place begins, and its copy in the displaced code.
struct PreparedStart {
  uint8_t at, copy;
};

constexpr uint32_t kMostPreparedBytes = 32, kMostPreparedCode = 160, kMostPreparedFixes = 16;
constexpr uint32_t kMostPreparedStarts = 8, kMostPreparedPlaces = 16;

struct PreparedPlace {
  uint64_t offset;
  uint8_t canJump;  // at least 5 bytes, of which control comes to the first from elsewhere and to no other
  uint8_t originalBytes;
  uint8_t codeBytes;
  uint8_t startCount;
  uint8_t fixCount;
  uint8_t backAt, backCopy;  // the jump back in the displaced code, and where it leads; 0: there is none
  uint8_t wayAt;  // where in the displaced code the way to what is to be done stands, before the copy of an instruction
  uint8_t original[kMostPreparedBytes];
  PreparedStart starts[kMostPreparedStarts];  // the first is at 0
  PreparedFix fixes[kMostPreparedFixes];
  uint8_t code[kMostPreparedCode];  // runs in place of the instructions, and jumps back behind them
};

struct PreparedPatch {
  char magic[8];
  uint32_t sizeBytes;
  uint32_t placeCount;
  PreparedFunction function;
  char noReturnsBecause[256];
  PreparedPlace places[kMostPreparedPlaces];
};
static_assert(sizeof(PreparedFunction) == 1240 && sizeof(PreparedPlace) == 480);
static_assert(sizeof(PreparedPatch) == 16 + 1240 + 256 + 16 * 480);

enum class PreparedKind : uint32_t { kArgument = 1, kCallBefore, kCallAfter, kReplacement };

// A whole action, as a file: the numbers are those of patch_actions.h.
struct PreparedAction {
  PreparedPatch patch;
  uint32_t kind;
  // kArgument
  uint8_t argument, type, change;
  uint8_t comparison, conditionArgument, conditionType;
  uint8_t reserved[2];
  uint64_t value, conditionValue;
  // The function that is called, or comes in place of the other.
  PreparedFunction other;
  uint64_t words[6];
};
static_assert(sizeof(PreparedAction) == sizeof(PreparedPatch) + 32 + sizeof(PreparedFunction) + 48);

constexpr char kPreparedMagic[8] = {'P', 'L', 'X', 'P', 'A', 'T', 'C', '1'};

}  // namespace parallax::perturb
