// Changes of a running program's code: a parameter of a function, calls that are inserted before or after
// a function, a function in place of another; and back, any number of times, while other threads run the
// function. They hold for all callers in the process, also inside of the function's own library.
//
// A tool prepares them, because it takes a disassembler (tools/points/points_prepare.h); the process applies
// what is in a PreparedPatch. Why it is safe is in code_place.h.
//
// None of the functions here is for signal handlers, but for what says so. Each may be called by any thread
// of the program where it may wait for a moment: they take locks of the agent, and the dynamic linker's for
// its list of modules, make some twenty system calls, and allocate only memory of the agent.
#pragma once

#include <cstdint>

#include "perturb/prepared_patch.h"

namespace parallax::perturb {

enum class ValueType : uint8_t { kI32, kU32, kI64, kU64 };
enum class Comparison : uint8_t { kAlways, kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
enum class Change : uint8_t { kSet, kAtLeast, kAtMost };

constexpr uint32_t kArguments = 6;  // integers and pointers that are passed in registers

// "Argument 1 is set to 65536, if argument 0 is greater than 3." Numbers of arguments begin at 0 and count
// integers and pointers only.
struct ArgumentChange {
  uint8_t argument = 0;
  ValueType type = ValueType::kI64;  // of the argument
  Change change = Change::kSet;
  uint64_t value = 0;
  // On an argument as the caller passed it.
  Comparison comparison = Comparison::kAlways;
  uint8_t conditionArgument = 0;
  ValueType conditionType = ValueType::kI64;
  uint64_t conditionValue = 0;
};

// The function is called with these words at each visit. The program's function finds its registers, its
// memory and errno as they were, but for what the called function does. No further call is inserted while it
// runs in this thread. It must not throw. A longjmp out of it, or a switch to another stack,
// leaves the program's function, too.
struct InsertedCall {
  uint64_t function = 0;
  uint64_t arguments[kArguments] = {};
};

// Callers get the function that is at [begin, end). When it calls the original, it gets the original.
struct Replacement {
  uint64_t begin = 0, end = 0;
};

struct PatchAnswer {
  uint32_t id = 0;  // 0: refused
  const char* problem = nullptr;  // why; a constant
};

// Takes SIGTRAP for what follows. To be called when the process starts, before it has threads; later it may
// fail, because threads or handlers block SIGTRAP. Returns what is wrong, or null. Any number of times.
const char* startPatching();

// Whether it can be applied as far as it alone tells. Returns what is wrong, or null.
const char* checkPatch(const PreparedPatch& patch);

// Does what a tool has prepared in a file, which must be the user's own.
PatchAnswer applyActionFile(const char* path);
PatchAnswer applyAction(const PreparedAction& action);

// A prepared function as it is in this process; {0, 0} where its module is not loaded.
Replacement findFunction(const PreparedFunction& function);

PatchAnswer changeArgument(const PreparedPatch& patch, const ArgumentChange& change);
PatchAnswer insertCallBefore(const PreparedPatch& patch, const InsertedCall& call);
// Behind each return of the function. A function that is left by an exception or by longjmp does not return.
PatchAnswer insertCallAfter(const PreparedPatch& patch, const InsertedCall& call);
PatchAnswer replaceFunction(const PreparedPatch& patch, const Replacement& replacement);

// Takes one of them back. With the last one of a place, the bytes there are again what they were. Returns what
// is wrong, or null.
const char* undoPatch(uint32_t id);
// All of them.
const char* undoPatches();

// The calling thread is about to leave all frames below this one by longjmp: an inserted call in one of them has ended. Signal handlers
// may call it.
void leaveInsertedCall(uint64_t stackPointer);

// After modules have been loaded or unloaded: what was changed in a module that is gone is forgotten.
void patchedModulesChanged();

}  // namespace parallax::perturb
