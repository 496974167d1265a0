// parallax-otf2: turns an archive of OTF2 into a trace of Parallax, or a trace into an archive.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "tools/conversion/command_line.h"
#include "tools/otf2/export_main.h"
#include "tools/otf2/import.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-otf2 [--workers N] [--progress] ARCHIVE.otf2 DIR\n"
    "       parallax-otf2 export [OPTIONS] TRACE DIR\n"
    "\n"
    "Turns an archive of OTF2 into a trace of Parallax in DIR. The other commands of Parallax do this\n"
    "themselves when they open an archive.\n"
    "\n"
    "  --workers N  processes that read events (one for each processor)\n"
    "  --progress   print lines \"RECORDS ALL\" with the records read up to now, and before them\n"
    "               \"definitions\" while the definitions are read\n"
    "  --help       print this text\n"
    "\n"
    "parallax-otf2 export --help tells of the other direction.\n"
    "\n"
    "example:\n"
    "  parallax-otf2 scorep-run/traces.otf2 run1\n";

// A damaged count lets the library ask for any memory, and go through all of it.
constexpr rlim_t kMostGibibytes = 4;

// The processor time that reading definitions takes at most: a damaged file can make the library loop.
constexpr int64_t kMostDefinitionSeconds = 120;

// In memory shared with the process that imports.
struct Stage {
  std::atomic<bool> areDefinitionsRead{false};
};

int64_t cpuSeconds(pid_t process) {
  clockid_t clock;
  timespec time{};
  return clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0 ? time.tv_sec : 0;
}

constexpr char kProgram[] = "parallax-otf2";

int fail(const std::string& message) { return parallax::conversion::fail(kProgram, message); }

int wrong(const std::string& message) { return parallax::conversion::wrongUse(kProgram, message, kProgram); }

int import(const parallax::otf2::ImportOptions& options) {
  const std::string error = parallax::otf2::importArchive(options);
  return error.empty() ? 0 : fail(error);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "export") == 0) return parallax::otf2::exportMain(argc - 2, argv + 2);
  parallax::otf2::ImportOptions options;
  std::string names[2];
  int named = 0;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      fputs(kUsage, stdout);
      return 0;
    }
    if (word == "--progress") {
      options.progress = parallax::conversion::printProgress;
    } else if (word == "--workers" && i + 1 < argc && atoi(argv[i + 1]) > 0) {
      options.workers = static_cast<unsigned>(atoi(argv[++i]));
    } else if (word[0] == '-' || named == 2) {
      return wrong("unexpected " + word);
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) return wrong("name an archive and a directory");
  options.archive = names[0];
  options.directory = names[1];
  // The field's library can crash on a damaged archive: somebody must be left to say so.
  void* memory = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return fail(std::string("there is no memory: ") + strerror(errno));
  auto* stage = new (memory) Stage();
  options.onDefinitions = [stage] { stage->areDefinitionsRead = true; };
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    parallax::conversion::limitMemory(kMostGibibytes);
    _exit(import(options));
  }
  if (child < 0) return fail(std::string("a process cannot be started: ") + strerror(errno));
  int status = 0;
  for (pid_t ended = 0, turn = 0; ended != child; turn++) {
    if (options.progress && turn % 50 == 0 && !stage->areDefinitionsRead) {  // whoever reads this can cancel
      puts("definitions");
      fflush(stdout);
    }
    ended = waitpid(child, &status, stage->areDefinitionsRead ? 0 : WNOHANG);
    if (ended < 0 && errno != EINTR) return fail(std::string("the process was lost: ") + strerror(errno));
    if (ended != 0) continue;
    if (cpuSeconds(child) > kMostDefinitionSeconds) kill(child, SIGKILL);
    usleep(2000);
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const std::string ended = std::string(strsignal(WTERMSIG(status))) + " while it read the ";
  if (stage->areDefinitionsRead) return fail("the import ended by a signal: " + ended + "events of " + options.archive);
  return fail("the OTF2 library crashed: " + ended + "definitions of " + options.archive + "; they are damaged");
}
