// What of the environment makes a program that is executed have the agent, and only where it fits.
#pragma once

#include <cstddef>

#include "base/program_file.h"

namespace parallax {

// Of this process: the agent's path and the variables PARALLAX_... Both stay as they are.
struct OwnEnvironment {
  const char* agent = nullptr;               // as LD_PRELOAD names it; null: not under `record`
  const char* const* variables = nullptr;    // "NAME=value", up to a null
};

// Copies them out of an environment, in which LD_PRELOAD names `agentName`; once, when the agent starts.
void keepOwnEnvironment(char* const* environment, const char* agentName);
const OwnEnvironment& ownEnvironment();

// The environment for a program: with the agent and its variables where the caller has left them out
// and the program can have them, without it where the program cannot. A caller that sets PARALLAX_TRACE
// to nothing wants no record: then nothing is added, unless it sets PARALLAX_PERTURB or PARALLAX_TUNE. What is preloaded besides stays before the agent.
class FittedEnvironment {
 public:
  FittedEnvironment(const OwnEnvironment& own, char* const* environment, const ProgramFile& program);
  // Whether the caller's will do.
  bool isGiven() const { return bytes_ == 0; }
  // Memory that is needed otherwise, and the environment in it.
  size_t bytes() const { return bytes_; }
  char** write(void* memory) const;

 private:
  struct Change {
    const char* name;       // with the =
    const char* before;     // "NAME=value" of the caller; null: not there
    bool changes;
  };
  bool mayAdd() const;
  const char* find(const char* name) const;
  bool lacks(const char* variable) const;
  size_t writePreload(char* text, size_t capacity) const;
  size_t writeSanitizer(char* text, size_t capacity) const;
  size_t writePvm(char* text, size_t capacity) const;

  const OwnEnvironment& own_;
  char* const* environment_;
  bool fits_;
  Change preload_, sanitizer_, pvm_;
  size_t count_ = 0;  // variables of the caller
  size_t bytes_ = 0;
};

}  // namespace parallax
