// The programs that are measured and the tools that they are measured under.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace parallax::bench {

// What the compiler adds to a program, by the ending of its file's name.
inline constexpr char kPlain[] = "";
inline constexpr char kGprofHooks[] = ".pg";
inline constexpr char kFunctionHooks[] = ".inst";
inline constexpr char kDwarf4[] = ".dwarf4";

struct Program {
  const char* name;
  const char* title;
  bool mpi;
  const char* size;
  const char* smallSize;  // for tools that record every call
  const char* quickSize;
  bool oneThread;
};
const std::vector<Program>& programs();

// How a tool runs a program, for a shell. In the command stand {launch} for the launcher of MPI
// (nothing for other programs), {program} for the program with its arguments, {out} for a folder
// for what the tool writes, {build} for where Parallax is built.
struct Way {
  const char* program;  // its name
  const char* build;
  std::string command;  // empty: the tool cannot, for this reason
  const char* reason;
  bool small;
};

struct Tool {
  std::string name;
  bool ours;
  int sampleHz;            // of ours: 0 where nothing is sampled, -1 for every function
  const char* needs;       // a command, or a file below {build}
  const char* package;     // where it is from
  std::vector<Way> ways;

  // Whether goals are set for it, or what they are made up of.
  bool isJudged() const { return ours && (sampleHz == 0 || sampleHz == 100 || sampleHz == 1000); }
  const Way* wayFor(const Program& program) const;
  // Empty, or why nothing can be run with it.
  std::string missing() const;
};
const std::vector<Tool>& tools();
// A line for each package of the tools: its version, or that it is not installed.
std::vector<std::string> versionsOfTools(const std::string& scratch);
std::string missingTool(const char* needs, const char* package);

// Puts the values in their places.
std::string filledIn(std::string command, bool mpi, const std::string& program,
                     const std::string& out);

// A command around `inner` that records it in a session of LTTng.
std::string inLttngSession(const std::string& inner);

// The session daemon of LTTng, as long as the object lives. One that runs already is used, and
// left as it is.
class LttngDaemon {
 public:
  explicit LttngDaemon(const std::string& scratch);
  ~LttngDaemon();
  LttngDaemon(const LttngDaemon&) = delete;
  LttngDaemon& operator=(const LttngDaemon&) = delete;

 private:
  pid_t pid_ = -1;
};

}  // namespace parallax::bench
