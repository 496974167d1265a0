// parallax-otf2: turns an archive of OTF2 into a trace of Parallax.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/otf2/import.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-otf2 [--workers N] [--progress] ARCHIVE.otf2 DIR\n"
    "\n"
    "Turns an archive of OTF2 into a trace of Parallax in DIR. The other commands of Parallax do this\n"
    "themselves when they open an archive.\n"
    "\n"
    "  --workers N  processes that read events (one for each processor)\n"
    "  --progress   print lines \"RECORDS ALL\" with the records read up to now\n"
    "  --help       print this text\n"
    "\n"
    "example:\n"
    "  parallax-otf2 scorep-run/traces.otf2 run1\n";

int fail(const std::string& message) {
  fprintf(stderr, "parallax-otf2: %s\n", message.c_str());
  return 1;
}

int import(const parallax::otf2::ImportOptions& options) {
  const std::string error = parallax::otf2::importArchive(options);
  return error.empty() ? 0 : fail(error);
}

}  // namespace

int main(int argc, char** argv) {
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
      options.progress = [](uint64_t read, uint64_t all) {
        printf("%llu %llu\n", static_cast<unsigned long long>(read), static_cast<unsigned long long>(all));
        fflush(stdout);
      };
    } else if (word == "--workers" && i + 1 < argc && atoi(argv[i + 1]) > 0) {
      options.workers = static_cast<unsigned>(atoi(argv[++i]));
    } else if (word[0] == '-' || named == 2) {
      fprintf(stderr, "parallax-otf2: unexpected %s; see: parallax-otf2 --help\n", word.c_str());
      return 2;
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) {
    fputs("parallax-otf2: name an archive and a directory; see: parallax-otf2 --help\n", stderr);
    return 2;
  }
  options.archive = names[0];
  options.directory = names[1];
  // The field's library can crash on a damaged archive: somebody must be left to say so.
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    _exit(import(options));
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (child < 0) return fail(std::string("a process cannot be started: ") + strerror(errno));
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return fail("the OTF2 library crashed (" + std::string(strsignal(WTERMSIG(status))) +
              ") while it read the definitions of " + options.archive + ": they are damaged");
}
