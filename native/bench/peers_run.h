// Runs a command and reads the figures that it prints.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parallax::bench {

struct Run {
  std::map<std::string, double> figures;  // of its lines `NAME NUMBER`
  std::string answer;                     // of its line `answer TEXT`
  std::string failure;                    // empty when it ended with status 0 in time
  double elapsedNs = 0;                   // of the whole command
  double cpuNs = 0;                       // of all processes of runCommand, also of a writer that has become a child of this one
};

// By the shell, in the directory `scratch`, at most `seconds` long or until Interruptible::mustEndTheRun(). Its output goes to
// files there.
Run runCommand(const std::string& command, const std::string& scratch, int seconds);

// Two commands that run `program` (its file's name begins so) in `processes` processes each, at
// once and in turns of 20 ms: the processes of the one go on while those of the other are stopped. What changes
// in the machine meanwhile (the frequency, other virtual machines) meets both alike, so that their CPU
// times differ by some tenths of a percent only when nothing makes them differ; their wall times say
// nothing. `oneProcessor`: both on the same one.
struct TwoRuns {
  Run first, second;
};
TwoRuns runInTurns(const std::string& first, const std::string& second, const std::string& program,
                   int processes, bool oneProcessor, const std::string& scratch, int seconds);

// A turn among all that measure on this machine: holds the lock of the file, if one is named.
class Turn {
 public:
  explicit Turn(const std::string& lockFile);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int fd_ = -1;
};

bool isCommand(const std::string& name);  // in PATH
uint64_t sizeOfTree(const std::string& path);
std::string buildDirectory();  // of this program, where the others are

}  // namespace parallax::bench
