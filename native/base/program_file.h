// What a file is that is about to be executed, and whether the agent can be loaded into it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

enum class ProgramFit : uint8_t {
  kFits,          // also what cannot be read, and scripts of which that is so
  kStatic,        // no dynamic linker takes the agent; what it executes can be recorded
  kOtherLibc,     // its dynamic linker would refuse to start it with the agent, or refuse the agent
  kOtherMachine,  // another word size or instruction set: its dynamic linker would complain
  kOutOfReach,    // the agent cannot be read from here: another root, another user
  kGainsRights,   // setuid, setgid or capabilities: the dynamic linker ignores the agent
};

struct ProgramFile {
  ProgramFit fit = ProgramFit::kFits;
  bool needsSanitizer = false;  // the address sanitizer's library, which wants to come first
  bool needsPvm = false;        // PVM's library, or it is PVM's own
  bool isScript = false;        // the rest is of its interpreter
  int wordBits = 64;            // of kOtherMachine
  int machine = 0;
};

// Follows the first line of scripts to the interpreter. Signal handlers, and children that share their
// parent's memory, may call it.
ProgramFile examineProgram(int directory, const char* path);

// The path of what a descriptor is of, which may be one of a path alone.
constexpr size_t kDescriptorLinkBytes = 32;
void writeDescriptorLink(int fd, char* link);

// Finds what a name without a slash stands for in a PATH (null: the usual one), as execvp does; a
// name with one stands for itself. False when there is no such file, or it does not fit.
bool findProgram(const char* name, const char* searchPath, char* path, size_t capacity);

// How a person is told, in the trace or at once: "is statically linked".
const char* reasonOf(ProgramFit fit);

}  // namespace parallax
