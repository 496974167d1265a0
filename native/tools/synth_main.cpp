// parallax-synth: writes a synthetic trace and prints what it holds.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <string_view>

#include "tools/synth.h"

namespace {

using namespace parallax::synth;

constexpr char kUsage[] =
    "usage: parallax-synth OUT [--processes P] [--threads T] [--events N] [--seed S]\n"
    "                      [--pattern ring|barrier|mixed]\n"
    "Writes a synthetic MPI trace of at least N events to the directory OUT. Prints the contents of the\n"
    "trace, one `name value` per line, so that readers can be tested. The same options give the same trace.\n"
    "  --processes P   ranks (default: 8)\n"
    "  --threads T     threads of each rank (default: 1)\n"
    "  --events N      events of all threads together (default: 1000000)\n"
    "  --seed S        seed of all random numbers (default: 1)\n"
    "  --pattern       ring: one rank works at a time and passes on a token; barrier: rank 0 works twice as\n"
    "                  long before each barrier; mixed: halo exchanges, shifts and reductions\n"
    "                  (default: mixed)\n"
    "\n"
    "examples:\n"
    "  parallax-synth /tmp/big.trace --events 100000000\n"
    "  parallax-synth /tmp/ring.trace --processes 4 --pattern ring --events 10000\n";

bool parseNumber(const char* text, uint64_t least, uint64_t most, uint64_t* value) {
  char* end = nullptr;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return errno == 0 && end != text && *end == 0 && text[0] != '-' && *value >= least &&
         *value <= most;
}

bool parsePattern(std::string_view text, Pattern* pattern) {
  if (text == "ring") {
    *pattern = Pattern::kRing;
  } else if (text == "barrier") {
    *pattern = Pattern::kBarrier;
  } else if (text == "mixed") {
    *pattern = Pattern::kMixed;
  } else {
    return false;
  }
  return true;
}

// Takes one option with its value; says what is wrong with it.
bool parseOption(const char* name, const char* value, Options* options) {
  uint64_t number = 0;
  const std::string_view option = name;
  if (option == "--processes" && parseNumber(value, 1, 100'000, &number)) {
    options->processes = static_cast<uint32_t>(number);
  } else if (option == "--threads" && parseNumber(value, 1, 1'000, &number)) {
    options->threads = static_cast<uint32_t>(number);
  } else if (option == "--events" && parseNumber(value, 0, UINT64_MAX / 2, &number)) {
    options->events = number;
  } else if (option == "--seed" && parseNumber(value, 0, UINT64_MAX, &number)) {
    options->seed = number;
  } else if (option != "--pattern" || !parsePattern(value, &options->pattern)) {
    fprintf(stderr, "parallax-synth: %s %s is not an option; see parallax-synth --help\n", name,
            value);
    return false;
  }
  return true;
}

// Every thread's file is open to the end.
void allowManyFiles() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void print(const Truth& truth) {
  printf("events %" PRIu64 "\n", truth.events);
  printf("samples %" PRIu64 "\n", truth.samples);
  printf("messages %" PRIu64 "\n", truth.messages);
  printf("bytes %" PRIu64 "\n", truth.bytes);
  printf("collectives %" PRIu64 "\n", truth.collectives);
  printf("elapsed-ns %" PRIu64 "\n", truth.elapsedNs);
  printf("rank0-thread-ns %" PRIu64 "\n", truth.threadNs);
  printf("rank0-unsampled-ns %" PRIu64 "\n", truth.unsampledNs);
  for (const auto& [procedure, ns] : truth.exclusiveNs) {
    printf("rank0-exclusive-ns %" PRIu64 " %s\n", ns, procedure.c_str());
  }
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "--help") == 0) {
      fputs(kUsage, stdout);
      return 0;
    }
    if (arguments[i][0] != '-' && options.directory.empty()) {
      options.directory = arguments[i];
    } else if (i + 1 == count || !parseOption(arguments[i], arguments[i + 1], &options)) {
      if (i + 1 == count) fputs(kUsage, stderr);
      return 2;
    } else {
      i++;
    }
  }
  if (options.directory.empty()) {
    fputs(kUsage, stderr);
    return 2;
  }
  allowManyFiles();
  Truth truth;
  const std::string error = writeTrace(options, &truth);
  if (!error.empty()) {
    fprintf(stderr, "parallax-synth: %s\n", error.c_str());
    return 1;
  }
  print(truth);
  return 0;
}
