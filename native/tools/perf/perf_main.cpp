// parallax-perf: turns what Linux perf wrote into a trace of Parallax.
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "tools/conversion/command_line.h"
#include "tools/perf/import.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-perf [--progress] FILE DIR\n"
    "\n"
    "Turns what Linux perf wrote into a trace of Parallax in DIR: perf.data, or the text of `perf script`,\n"
    "also if it is compressed by gzip. The other commands of Parallax do this themselves when they open\n"
    "such a file.\n"
    "\n"
    "  --progress  print lines \"DONE ALL\" with the bytes read up to now\n"
    "  --help      print this text\n"
    "\n"
    "example:\n"
    "  parallax-perf perf.data run1\n"
    "  perf script -F +pid,+period > run1.perf; parallax-perf run1.perf run1\n";

constexpr char kProgram[] = "parallax-perf";
constexpr rlim_t kMostGibibytes = 8;

int wrong(const std::string& message) { return parallax::conversion::wrongUse(kProgram, message, kProgram); }

void noMemory() {
  fputs("parallax-perf: the trace takes more than the 8 GiB of memory that an import may use, or there is no memory\n",
        stderr);
  _exit(1);
}

// perf.data is mapped.
void fileIsShorter(int) {
  constexpr char kText[] = "parallax-perf: the file became shorter, or the disk failed, while it was read\n";
  if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0) _exit(2);
  _exit(1);
}

rlim_t gibibytesOf(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0 ? static_cast<rlim_t>(status.st_size >> 30) + 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  parallax::perf::ImportOptions options;
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
    } else if (word[0] == '-' || named == 2) {
      return wrong("unexpected " + word);
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) return wrong("name a file and a directory");
  options.file = names[0];
  options.directory = names[1];
  std::set_new_handler(noMemory);
  parallax::conversion::limitMemory(kMostGibibytes + gibibytesOf(options.file));
  signal(SIGBUS, fileIsShorter);
  const std::string error = parallax::perf::importFile(options);
  return error.empty() ? 0 : parallax::conversion::fail(kProgram, error);
}
