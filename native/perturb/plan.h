// What is to be perturbed, and how: a text file that PARALLAX_PERTURB names, one for each trial.
//
// Fields are separated by one TAB, records by a newline; numbers in hex have no prefix:
//
//   parallax-perturb 1
//   result  PATH                              the counts (counts.h); PATH.problems what went wrong
//   module  INDEX BUILDID|- PATH              found by its build id; by its path where that is -
//   point   ID FACTOR MODULE OFFSET METHOD PAD ORIGINAL CODE FIXES|-
//   macro   ID FACTOR NAME                    parallax_delay_point("NAME")
//   range   FACTOR MODULE BEGIN END           code that a virtual speed-up is about
//   factor  FACTOR none | delay time|work|sleep|auto NS | lock MODULE OFFSET | message BYTES |
//                  buffer BYTES | speedup inclusive|exclusive PERMILLE
//
// ID, FACTOR, INDEX, NS, BYTES, PERMILLE are decimal from 0; OFFSET, PAD, BEGIN, END addresses as in
// the ELF file, in hex. A factor without a line is at `none`. What a point is, is in patch.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parallax::perturb {

enum class Method : uint8_t {
  kJump,   // 5 bytes at the place lead to the trampoline
  kShort,  // 2 bytes lead to 5 bytes of padding close by, which lead on
  kTrap,   // 1 byte, int3; its signal leads on
};

enum class FixKind : uint8_t {
  kRel32,  // address - (place of the fix + 4)
  kLo32,   // the lower half of the address
  kHi32,   // the upper half
};

// An address that is known in the process only, to be written into the displaced code.
struct Fix {
  uint32_t at;  // in the code
  FixKind kind;
  uint64_t target;  // as in the ELF file
};

struct Bytes {
  const uint8_t* data;
  uint32_t size;
};

struct PlanModule {
  const char* buildId;  // hex; empty: found by its path
  const char* path;
};

constexpr uint32_t kMostOriginalBytes = 32;

struct PlanPoint {
  uint32_t id, factor, module;
  Method method;
  uint64_t offset, pad;
  Bytes original, code;
  const Fix* fixes;
  uint32_t fixCount;
};

struct PlanMacro {
  uint32_t id, factor;
  const char* name;
};

struct PlanRange {
  uint32_t factor, module;
  uint64_t begin, end;
};

enum class Action : uint8_t { kNone, kDelay, kLock, kMessage, kBuffer, kSpeedup };
enum class DelayKind : uint8_t { kTime, kWork, kSleep };

// The level of a factor.
struct Treatment {
  Action action = Action::kNone;
  DelayKind delay = DelayKind::kTime;
  uint32_t module = 0;  // kLock
  // kDelay: nanoseconds; kLock: the mutex, as in the ELF file; kMessage, kBuffer: bytes;
  // kSpeedup: permille
  uint64_t amount = 0;
  bool exclusive = false;  // kSpeedup: without what the code calls
};

template <class T>
struct List {
  T* items = nullptr;
  uint32_t count = 0;

  T* begin() const { return items; }
  T* end() const { return items + count; }
  T& operator[](uint32_t i) const { return items[i]; }
};

// Lives, with all that it points to, as long as the process.
struct Plan {
  const char* result = "";
  const char* host = "";        // where the result is; others have "@" and their name behind it
  List<PlanModule> modules;     // by their index
  List<PlanPoint> points;       // in the order of the file
  List<PlanMacro> macros;
  List<PlanRange> ranges;
  List<Treatment> factors;      // by their number
  uint32_t ids = 0;             // greater than every ID of a point or macro

  bool wants(Action action) const {
    for (const Treatment& t : factors) {
      if (t.action == action) return true;
    }
    return false;
  }
};

// What is wrong with a plan, or empty.
struct PlanProblem {
  const char* what = "";
  uint32_t line = 0;  // 0: the file as a whole
  explicit operator bool() const { return what[0] != '\0'; }
};

// Reads the file. `plan` is of use only where nothing is wrong. Raw system calls and memory of the
// agent only.
PlanProblem readPlan(const char* path, Plan* plan);
// The same of a text that ends with a NUL, is changed, and must last.
PlanProblem parsePlan(char* text, size_t sizeBytes, Plan* plan);

}  // namespace parallax::perturb
