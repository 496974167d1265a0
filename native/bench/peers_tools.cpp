#include "bench/peers_tools.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "bench/peers_run.h"

namespace parallax::bench {
namespace {

constexpr char kSort[] = "bench_sort.openmpi";
constexpr char kPingPong[] = "bench_ping_pong.openmpi";
constexpr char kLocks[] = "bench_locks";
constexpr char kCalls[] = "bench_calls";

// The same command for all programs.
std::vector<Way> allBy(const std::string& command, const char* build) {
  std::vector<Way> ways;
  for (const char* program : {kSort, kPingPong, kLocks, kCalls}) {
    ways.push_back({program, build, command, "", false});
  }
  return ways;
}

Tool ours(const std::string& name, int sampleHz) {
  return {name, true, sampleHz, "{build}/parallax-record", "",
          allBy("{build}/parallax-record --quiet --no-calibration --sample-hz " + std::to_string(sampleHz) +
                    " -o {out}/trace -- {launch}{program}",
                kPlain)};
}

Tool perf(int hz) {
  const std::string rate = std::to_string(hz);
  return {"perf record, " + rate + " Hz", false, 0, "perf", "linux-perf",
          allBy("perf record -q -F " + rate + " -e task-clock -g -o {out}/perf.data -- "
                "{launch}{program}", kPlain)};
}

Tool eztrace() {
  const std::string mpi = "{launch}eztrace -o {out}/trace -t openmpi {program}";
  return {"EZTrace", false, 0, "eztrace", "eztrace", {
      {kSort, kPlain, mpi, "", false},
      {kPingPong, kPlain, mpi, "", false},
      {kLocks, kPlain, "eztrace -o {out}/trace -t pthread {program}", "", false},
      {kCalls, kPlain, "", "it has no module for functions of the program", false}}};
}

Tool uftrace() {
  const std::string mpi =
      "{launch}sh -c 'exec uftrace record -d {out}/trace.$OMPI_COMM_WORLD_RANK {program}'";
  const std::string single = "uftrace record -d {out}/trace {program}";
  return {"uftrace", false, 0, "uftrace", "uftrace", {
      {kSort, kGprofHooks, mpi, "", false},
      {kPingPong, kGprofHooks, mpi, "", false},
      {kLocks, kGprofHooks, single, "", false},
      {kCalls, kGprofHooks, single, "", true}}};
}

Tool lttng() {
  constexpr char kNoMpi[] = "it has no wrapper for MPI";
  return {"LTTng-UST", false, 0, "lttng-sessiond", "lttng-tools and liblttng-ust-dev", {
      {kSort, kPlain, "", kNoMpi, false},
      {kPingPong, kPlain, "", kNoMpi, false},
      {kLocks, kPlain,
       inLttngSession("env LD_PRELOAD=liblttng-ust-pthread-wrapper.so.1 {program}"), "", false},
      {kCalls, kFunctionHooks,
       inLttngSession("env LD_PRELOAD=liblttng-ust-cyg-profile-fast.so.1 {program}"), "", true}}};
}

Tool coz() {
  const std::string command =
      "{launch}coz run --fixed-speedup 0 -o {out}/profile.coz --- {program}";
  return {"coz, no speed-ups", false, 0, "coz", "coz-profiler", allBy(command, kDwarf4)};
}

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {kSort, "all-to-all integer sort, MPI", true, "300", "300", "2 4096", false},
      {kPingPong, "ping-pong, MPI, 1 byte to 1 MiB", true, "1700", "1700", "3 1024", false},
      {kLocks, "locks, 200,000 a second", false, "200000 3000", "200000 3000", "200 100", false},
      {kCalls, "calls of tiny functions, C++", false, "120000", "2000", "2", true},
  };
  return all;
}

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = {
      ours("Parallax, no samples", 0),
      ours("Parallax, hybrid 10 Hz", 10),
      ours("Parallax, hybrid 100 Hz", 100),
      ours("Parallax, hybrid 1 kHz", 1000),
      {"Parallax, every function", true, -1, "{build}/parallax-record", "",
       {{kCalls, kFunctionHooks, "{build}/parallax-record --quiet --no-calibration --sample-hz 0 --throttle off "
         "-o {out}/trace -- {program}", "", true}}},
      eztrace(),
      uftrace(),
      lttng(),
      {"gprof", false, 0, "gprof", "binutils",
       {{kSort, kGprofHooks, "env GMON_OUT_PREFIX={out}/gmon {launch}{program}", "", false},
        {kPingPong, kGprofHooks, "env GMON_OUT_PREFIX={out}/gmon {launch}{program}", "", false},
        {kLocks, kGprofHooks, "env GMON_OUT_PREFIX={out}/gmon {program}", "", false},
        {kCalls, kGprofHooks, "env GMON_OUT_PREFIX={out}/gmon {program}", "", true}}},
      perf(100),
      perf(1000),
      coz(),
  };
  return all;
}

const Way* Tool::wayFor(const Program& program) const {
  for (const Way& way : ways) {
    if (std::string(way.program) == program.name) return &way;
  }
  return nullptr;
}

std::string missingTool(const char* needs, const char* package) {
  std::string name = needs;
  replaceAll(name, "{build}", buildDirectory());
  if (name[0] == '/' ? access(name.c_str(), X_OK) == 0 : isCommand(name)) return "";
  return *package == 0 ? name + " is not built"
                       : name + " is not installed (Debian: " + package + ")";
}

std::vector<std::string> versionsOfTools(const std::string& scratch) {
  std::vector<std::string> versions;
  for (const char* package : {"eztrace", "uftrace", "lttng-tools", "liblttng-ust-dev",
                              "libotf2-trace-dev", "binutils", "linux-perf", "coz-profiler",
                              "openmpi-bin"}) {
    const std::string name = package;
    const Run run = runCommand("dpkg-query -W -f 'answer ${Version}\\n' " + name, scratch, 10);
    versions.push_back(name + " " + (run.answer.empty() ? "is not installed" : run.answer));
  }
  return versions;
}

std::string Tool::missing() const { return missingTool(needs, package); }

std::string filledIn(std::string command, bool mpi, const std::string& program,
                     const std::string& out) {
  replaceAll(command, "{launch}", mpi ? "mpirun.openmpi -n 2 " : "");
  replaceAll(command, "{program}", program);
  replaceAll(command, "{out}", out);
  replaceAll(command, "{build}", buildDirectory());
  return command;
}

// ------------------------------------------------------------------- LTTng

// Sub-buffers of a size that is not lost when the consumer comes late.
std::string inLttngSession(const std::string& inner) {
  return "lttng -n -q create parallax-bench --output={out}/trace && "
         "lttng -n -q enable-channel -u --subbuf-size=4M --num-subbuf=8 events && "
         "lttng -n -q enable-event -u -c events --all && lttng -n -q start && " + inner +
         "; status=$?; lttng -n -q stop; lttng -n -q destroy parallax-bench; exit $status";
}

LttngDaemon::LttngDaemon(const std::string& scratch) {
  setenv("LTTNG_HOME", scratch.c_str(), 1);
  if (!isCommand("lttng-sessiond")) return;
  const auto answers = [&] { return runCommand("lttng -n -q list", scratch, 5).failure.empty(); };
  if (answers()) return;
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // also when this program is killed
    const int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(nowhere, fd);
    execlp("lttng-sessiond", "lttng-sessiond", "--no-kernel", static_cast<char*>(nullptr));
    _exit(127);
  }
  for (int tries = 0; pid_ > 0 && tries < 50 && !answers(); tries++) usleep(100000);
}

LttngDaemon::~LttngDaemon() {
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

}  // namespace parallax::bench
