// Parts of parallax-record: options, what is wrong with a program, the manifest, the run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "format/format.h"
#include "transport/trace_directory.h"
#include "transport/transport_mode.h"

namespace parallax::record {

inline constexpr int kWrongUse = 2;
inline constexpr int kFailed = 1;
inline constexpr int kNotExecutable = 126;  // as a shell says it
inline constexpr int kNotFound = 127;

// One line on stderr, with the prefix `parallax: `.
void say(const std::string& text);

// ---- record_agent.cpp

// 32 hexadecimal digits that nobody else has.
std::string randomRun();

struct Environment;

// Where the programs of ours are.
std::string ownDirectory();
// The agent's library, beside the program in the build, in lib/parallax of an installation. Empty when there is none, which
// is told.
std::string findAgent();
// What the agent needs in any case: where it is, and facts of the machine, so that not every process has to find them out;
// `more` are further ones. False when it cannot be had, which is told.
bool prepareAgent(const std::string& more, Environment* environment);

// ---- record_options.cpp

// The name of the option for the manifest.
inline constexpr char kKeepLastName[] = "keep-last";

// How the processes are listed that run already.
enum class ListAs { kNone, kTable, kFields };

struct Options {
  std::string entry = "parallax";  // what the person typed to get here
  std::string directory;  // empty: one is made from the program's name
  uint32_t sampleHz = 100;
  // Variables of the environment for the agent, from options that are handed on as they are.
  std::vector<std::pair<std::string, std::string>> settings;
  // What is left free of the file system: bytes, or percent of it. Without `keepFree` as usual.
  bool keepFree = false;
  uint64_t keepFreeBytes = 0;
  double keepFreePercent = 0;
  // Of what runs beside the program: readings a second of parallax-monitor, and commands.
  std::string monitorHz;  // empty: none
  std::vector<std::string> externals;
  std::string transport;  // as parseTransport() reads it; empty: usualTransport()
  std::vector<std::pair<std::string, std::string>> limits;  // names and values of options, for the manifest
  std::string control;  // how recording begins where it can be paused: running or paused; else empty
  bool drops = false;  // events, where the writer of a transport is behind
  std::string times;  // file for what the command took; empty: none
  std::vector<int> attach;  // processes that run already
  std::string attachName;  // of one, which is to be found; empty: none
  int detach = 0;  // 0: none
  ListAs list = ListAs::kNone;
  uint64_t forNs = 0;  // how long it is recorded; 0: until it ends or the recorder is told to end
  bool perturb = false;  // by a plan, which is among the settings
  bool endAll = false;  // nothing that the command started may outlive it
  bool calibrate = true;
  bool agent = true;
  bool trace = true;
  bool quiet = false;
  bool verbose = false;
  std::vector<std::string> command;

  bool attaches() const { return !attach.empty() || !attachName.empty(); }
};

// Returns -1 to go on, else the status to exit with: help, version or a mistake was printed.
int parseOptions(int count, char** arguments, Options* options);

// ---- record_program.cpp

struct Problem {
  int status = 0;        // 0: none
  std::string message;   // the fact, its cause and what to do
};

// What keeps `command` from being recorded, as far as it can be seen before it runs. Of a
// launcher (mpirun) also what is wrong with the program it is to start.
Problem findProblem(const std::vector<std::string>& command);

// Where in `command` Open MPI's launcher is, maybe behind another one; its size when it is not.
size_t openMpiAt(const std::vector<std::string>& command);

std::string baseName(const std::string& path);

// ---- record_manifest.cpp

// What a part of the agent's work takes (tools/calibrate.cpp).
struct Cost {
  std::string name;
  double ns = 0;
};

struct Manifest {
  std::string run, created, host, directory, command, transport, control, whenFull;
  std::vector<std::pair<std::string, std::string>> limits;
  uint32_t sampleHz = 0;
  uint64_t tickHz = 0;
  // Once the run has ended:
  std::string ended;
  uint64_t elapsedNs = 0;
  int exitStatus = 0;
  int processes = 0;
  int eventFiles = 0;
  std::vector<Cost> costs;
};

std::string quotedForShell(const std::vector<std::string>& command);
std::string isoTime();
// Replaces the manifest of `traceDirectory` atomically. Returns 0 or an errno.
int replaceManifest(const std::string& traceDirectory, const Manifest& manifest);

// ---- record_run.cpp

struct Environment {
  std::string agent;  // path of libparallax-agent.so; empty: the command runs as it is
  std::string traceDirectory;  // empty: nothing is recorded
  uint32_t sampleHz = 0;
  uint64_t tickHz = 0;
  std::vector<std::pair<std::string, std::string>> settings;  // further variables
  std::string times;  // see Options
  bool endAll = false;
};

// In a child: executes a program with the agent. Returns when it has failed.
void execute(char* const* arguments, const Environment& environment);

struct StartedCommand {
  int pid = -1;          // -1: there is no process, which was told
  int executeError = 0;  // errno, if the process could not execute the program
};

// Starts the command under the agent. From then on, signals for this process go to it.
StartedCommand startCommand(const std::vector<std::string>& command, const Environment& environment);
// Waits for its end and returns its status as a shell would give it. Says so itself when it could not be executed.
// Processor time of the process and of those that it waited for goes into `cpuNs`, how it ended into the trace, if any.
int endOf(const StartedCommand& started, const std::vector<std::string>& command, uint64_t* cpuNs = nullptr,
          const std::string& trace = "");
// Both.
int runCommand(const std::vector<std::string>& command, const Environment& environment);
// What the agent is told, as variables.
std::vector<std::pair<std::string, std::string>> variablesOf(const Environment& environment);
// How many requests to end (Ctrl-C, a hang-up) have come since the command ended.
int endSignalsAfterCommand();
// Runs a program of ours without the agent, its output on stderr or nowhere. Returns its status.
int runTool(const std::string& path, const std::string& argument, bool showOutput);
// What exec wants: valid as long as the words.
std::vector<char*> pointersTo(const std::vector<std::string>& words);

// ---- record_attach.cpp

// The beginning of the name by which `--detach` finds the recorder of a process; its number follows.
inline constexpr char kRecorderName[] = "parallax-attach-";
// Why a process cannot be attached to.
inline constexpr char kRecordedAlready[] =
    "it is being recorded already; end that with --detach, or wait for the program that parallax record has started";

// What keeps the processes `options.attach`, or the one that is named, from being recorded; else the command is that of the
// first one.
Problem findAttachProblem(Options* options);
// Gives the trace to the user of a process, and lets this recorder use files as he does. Returns what is wrong; empty when
// nothing is.
std::string giveTraceToUser(int pid, const std::string& directory);
// Loads the agent into them, and records them until they end, the time is over, or a signal or `--detach` of one ends that.
// Returns the status of the recorder.
int recordRunning(const Options& options, const Environment& environment);
// Ends the recording of a process, and its recorder.
int detachFrom(int pid);

// ---- record_candidates.cpp

// Prints the processes that can be recorded, or all with the reasons why not. Returns the status of the recorder.
int listCandidates(const Options& options);
// Sets the number of the one process that is called `options.attachName`. If there are none or several, they are printed.
Problem findByName(Options* options);

// ---- record_user.cpp

// From now on this process uses files as this user does, who gets `directory`, and who finds all that is made there to be
// his own. Returns what is wrong; empty when nothing is.
std::string useFilesAs(uint32_t user, uint32_t group, const std::string& directory);
// As before.
void useFilesAsOneself();
// In a child that is about to execute a program, which would be root again: becomes that user. False if that fails.
bool becomeFileUser();

// ---- record_calibration.cpp

// What the agent takes on this machine, measured by parallax-calibrate, which is `tool`. Empty when it cannot be
// measured. `environment` as for the command.
std::vector<Cost> calibrate(const std::string& tool, const std::string& traceDirectory, const Environment& environment);

// ---- record_space.cpp

// What is wrong with the space that a trace in `directory` would have; empty when nothing is. Tells the
// agent by `settings` what to leave free.
std::string findSpaceProblem(const Options& options, const std::string& directory,
                             std::vector<std::pair<std::string, std::string>>* settings);
// What the trace in `directory` could not hold, and why; empty when nothing is missing.
std::string lossesOf(const std::string& directory, const Options& options);
// Such a cause, and what to do.
std::string causeText(format::LossCause cause, const Options& options);
std::string countText(uint64_t count, const char* thing, const char* plural = "s");

// ---- record_transport.cpp

// The transport for a trace in this directory when none is asked for: `shared` where each access may wait for a server.
std::string usualTransport(const std::string& directory);

class EventWriter;

// The process that writes the events of others, where the transport has one, and what it shares with them.
class TransportWriter {
 public:
  TransportWriter() = default;
  ~TransportWriter();
  TransportWriter(const TransportWriter&) = delete;
  TransportWriter& operator=(const TransportWriter&) = delete;

  // Before the command is started: tells the agent where. Returns what is wrong, empty when nothing is. With `tells`, says what
  // is left of other runs that it cannot write.
  std::string start(const std::string& transport, bool drops, bool tells, Environment* environment);
  // After the command has ended: waits until all that it recorded is in its files. Returns what is to be said; empty
  // when all went well. A request to end is one to wait no longer.
  std::string finish(const Options& options);
  // Whether finish() has not waited: the writer goes on by itself, and the trace is not complete before it ends.
  bool isLeft() const { return isLeft_; }

 private:
  std::string make(const std::string& trace, bool drops, bool tells);
  int begin();
  std::string makeSocket();
  std::string makeListener();
  std::unique_ptr<EventWriter> writer() const;
  void removeFiles() const;
  [[noreturn]] void become(pid_t recorder, int ready);

  TransportMode mode_;
  bool isLeft_ = false;
  std::string name_;  // of the mode
  TraceDirectory directory_;
  std::string path_;
  char* memory_ = nullptr;
  uint64_t bytes_ = 0;
  int fd_ = -1;  // holds the lock that tells that the file is in use
  int socket_ = -1;  // stays open here, too: the messages in it outlive the writer
  pid_t writer_ = -1;
};

// ---- record_orphans.cpp

// What a command leaves running. To be made before the command is started: processes whose parent
// ends then become children of this one.
class Orphans {
 public:
  Orphans();
  // Ends all that do not end by themselves in 2 s. Returns their names and numbers.
  std::string end() const;

 private:
  std::vector<pid_t> running() const;

  std::set<pid_t> known_;  // children that are none of the command's
};

// ---- record_monitors.cpp

// Commands that run beside the program and write series (format/SERIES.md) into the trace. Nothing
// that they do is a reason for the program to fail: what is wrong with one is told in the end.
class Monitors {
 public:
  explicit Monitors(const std::string& traceDirectory) : directory_(traceDirectory) {}
  ~Monitors() { end(); }
  Monitors(const Monitors&) = delete;
  Monitors& operator=(const Monitors&) = delete;

  // Starts a command; `command` is what a person calls it. With `first`, waits for its first reading,
  // but not for long.
  void start(const std::vector<std::string>& words, const std::string& command, bool first);
  // Ends all with SIGTERM, and those that do not heed it for 2 s with SIGKILL.
  void end();
  // Removes what they wrote, of a run that recorded nothing.
  void discard() const;

 private:
  struct Monitor {
    std::string command, path;  // of the series
    pid_t pid;
    pid_t keeper;  // ends it when the recorder cannot
    int messages;  // what it writes to its standard error
  };

  std::string newPath(const std::string& command) const;
  void tell(const Monitor& monitor, int status, bool byItself) const;

  const std::string directory_;
  std::vector<Monitor> running_;
  std::vector<std::string> paths_;
};

}  // namespace parallax::record
