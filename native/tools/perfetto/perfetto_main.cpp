// parallax-perfetto: turns a trace of Chrome or Perfetto into a trace of Parallax.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <new>

#include "tools/perfetto/import.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-perfetto [--progress] FILE DIR\n"
    "\n"
    "Turns a trace in the Trace Event Format (JSON) or in the protobuf format of Perfetto into a trace\n"
    "of Parallax in DIR. The file can be compressed by gzip. The other commands of Parallax do this\n"
    "themselves when they open such a file.\n"
    "\n"
    "  --progress  print lines \"DONE ALL\" with the bytes read up to now\n"
    "  --help      print this text\n"
    "\n"
    "example:\n"
    "  parallax-perfetto trace.json.gz run1\n";

int fail(const std::string& message, int status) {
  fprintf(stderr, "parallax-perfetto: %s\n", message.c_str());
  return status;
}

// Sanitizers need far more addresses.
void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr rlim_t kMostBytes = rlim_t{8} << 30;
  const rlimit most{kMostBytes, kMostBytes};
  setrlimit(RLIMIT_AS, &most);
#endif
}

void printProgress(uint64_t done, uint64_t all) {
  printf("%llu %llu\n", static_cast<unsigned long long>(done), static_cast<unsigned long long>(all));
  fflush(stdout);
}

void noMemory() {
  fputs("parallax-perfetto: the trace takes more than the 8 GiB of memory that an import may use, or there is no memory\n",
        stderr);
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  parallax::perfetto::ImportOptions options;
  std::string names[2];
  int named = 0;
  const char* const help = "; see: parallax-perfetto --help";
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      fputs(kUsage, stdout);
      return 0;
    }
    if (word == "--progress") {
      options.progress = printProgress;
    } else if (word[0] == '-' || named == 2) {
      return fail("unexpected " + word + help, 2);
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) return fail(std::string("name a file and a directory") + help, 2);
  options.file = names[0];
  options.directory = names[1];
  std::set_new_handler(noMemory);
  limitMemory();
  const std::string error = parallax::perfetto::importFile(options);
  return error.empty() ? 0 : fail(error, 1);
}
