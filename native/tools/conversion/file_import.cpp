#include "tools/conversion/file_import.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "tools/conversion/command_line.h"

namespace parallax::conversion {
namespace {

constexpr rlim_t kMostGibibytes = 8;

const char* programName = "";

void end(const char* message) {
  for (const char* part : {programName, ": ", message, "\n"}) {
    if (write(STDERR_FILENO, part, strlen(part)) < 0) _exit(2);
  }
  _exit(1);
}

void noMemory() { end("the trace takes more than the 8 GiB of memory that an import may use, or there is no memory"); }

void fileIsShorter(int) { end("the file became shorter, or the disk failed, while it was read"); }

rlim_t gibibytesOf(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0 ? static_cast<rlim_t>(status.st_size >> 30) + 1 : 0;
}

}  // namespace

std::string makeDirectory(const std::string& directory) {
  if (mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return "";
  return "the directory " + directory + " cannot be created: " + strerror(errno);
}

std::string absolute(const std::string& path) {
  char full[PATH_MAX];
  return realpath(path.c_str(), full) == nullptr ? path : full;
}

int runFileProgram(const FileProgram& program, int argc, char** argv) {
  const auto wrong = [&](const std::string& message) { return wrongUse(program.name, message, program.name); };
  FileImport options;
  std::string names[2];
  int named = 0;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      fputs(program.usage, stdout);
      return 0;
    }
    if (word == "--progress") {
      options.progress = printProgress;
    } else if (word[0] == '-' || named == 2) {
      return wrong("unexpected " + word);
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) return wrong("name a file and a directory");
  options.file = names[0];
  options.directory = names[1];
  programName = program.name;
  std::set_new_handler(noMemory);
  limitMemory(kMostGibibytes + (program.mapsFile ? gibibytesOf(options.file) : 0));
  if (program.mapsFile) signal(SIGBUS, fileIsShorter);
  const std::string error = program.import(options);
  return error.empty() ? 0 : fail(program.name, error);
}

}  // namespace parallax::conversion
