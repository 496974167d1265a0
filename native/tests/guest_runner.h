// Runs programs with and without the agent and says what they did.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/temporary_directory.h"

namespace parallax::tests {

struct Outcome {
  int status = 0;  // as a shell gives it: 128 + signal for a killed program
  std::string output;
  std::string errors;
};

using Words = std::vector<std::string>;

// Runs a command to its end. `inChild` is called in the child before the execution.
Outcome run(const Words& command, const std::function<void()>& inChild = {});
// Starts a command, its output to nowhere, and returns its process id.
int start(const Words& command);
// Waits for it: its exit status, as run() gives it.
int endOf(int pid);

std::string guest(const std::string& name);   // path of a program in tests/guests
std::string recorder();                       // path of parallax-record
std::string agent();                          // path of libparallax-agent.so
// Whether a kill or crash takes events with it: PARALLAX_TEST_TRANSPORT names a buffer.
bool losesAtKill();
// The same for a transport.
bool losesAtKill(const std::string& mode);
// Whether it names a transport in which another process writes the events.
bool hasWriter();
// Whether the first events of a thread stand in the definitions file: it names no other transport.
bool hasFirstBlocks();
// parallax-record OPTIONS -o trace -- command
// The lines of this kind in the outcomes of a trace (FORMAT.md), as fields.
std::vector<Words> outcomes(const std::string& trace, const std::string& kind);
// With the transport that PARALLAX_TEST_TRANSPORT names, if any.
Words recorded(const std::string& trace, const Words& command, const Words& options = {});

}  // namespace parallax::tests
