// parallax filter TRACE: a filter of the functions whose instrumentation costs more than it tells.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "core/filter_rules.h"
#include "tools/filter_profile.h"

namespace parallax::filter {
namespace {

constexpr char kHelp[] =
    "usage: parallax filter [OPTIONS] TRACE\n"
    "\n"
    "Makes a filter from the trace of a program that was compiled with parallax-cc or a similar command.\n"
    "The filter excludes functions that are called often, take little time, and call no intercepted\n"
    "routine, directly or indirectly. Prints how much measurement the filter saves.\n"
    "\n"
    "  -o FILE          the file for the filter (default: standard output)\n"
    "  --calls N        exclude only functions with at least N calls (default: 1000)\n"
    "  --less-than NS   exclude only functions whose calls take less than NS on average, callees included\n"
    "                   (default: 10000)\n"
    "  --for-compiler   write rules for GCC, so that the compiled program does not even call the agent:\n"
    "                   exclude function *NAME*, where NAME is part of the name of no other function in\n"
    "                   the trace. It can be part of the name of a function that did not run.\n"
    "  --help\n"
    "\n"
    "examples:\n"
    "  parallax filter run1 -o solver.filter\n"
    "  parallax record --sample-hz 0 --filter solver.filter -o run2 -- ./solver\n"
    "  parallax filter --for-compiler run1 -o solver.filter\n"
    "  parallax-c++ --parallax-filter=solver.filter -O2 solver.cpp -o solver\n";

struct Options {
  std::string trace, output;
  uint64_t calls = 1000;
  double lessThanNs = 10000;
  bool forCompiler = false;
};

int say(int status, const std::string& text) {
  fprintf(stderr, "parallax: %s\n", text.c_str());
  return status;
}

// -1: go on.
int parseOptions(int count, char** arguments, Options* options) {
  for (int i = 1; i < count; i++) {
    const std::string option = arguments[i];
    if (option == "--help" || option == "-h") {
      fputs(kHelp, stdout);
      return 0;
    }
    if (option == "--for-compiler") {
      options->forCompiler = true;
    } else if (option == "-o" || option == "--calls" || option == "--less-than") {
      if (++i == count) return say(2, "option " + option + " needs a value");
      char* end = arguments[i];
      if (option == "-o") options->output = arguments[i];
      if (option == "--calls") options->calls = strtoull(arguments[i], &end, 10);
      if (option == "--less-than") options->lessThanNs = strtod(arguments[i], &end);
      if (option != "-o" && (*end != '\0' || end == arguments[i] || arguments[i][0] == '-')) {
        return say(2, "option " + option + " takes a number, not \"" + arguments[i] + "\"");
      }
    } else if (option.size() > 1 && option[0] == '-') {
      return say(2, "unknown option " + option + "; see: parallax filter --help");
    } else if (!options->trace.empty()) {
      return say(2, "name only one trace, not two: " + options->trace + ", " + option);
    } else {
      options->trace = option;
    }
  }
  if (options->trace.empty()) return say(2, "no trace is named; see: parallax filter --help");
  return -1;
}

bool isExcluded(const Function& f, const Options& options) {
  return !f.callsIntercepted && f.calls() >= options.calls && f.meanNs() < options.lessThanNs;
}

using Named = std::pair<std::string, Function>;

std::string percent(uint64_t part, uint64_t whole) {
  char text[32];
  snprintf(text, sizeof text, "%.1f %%",
           whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
  return text;
}

// A glob that stands for these characters alone.
std::string quoted(std::string_view name) {
  std::string glob;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '\\') glob += '\\';
    glob += c;
  }
  return glob;
}

// *NAME*, where that matches none of the functions that are kept.
std::string globOf(const std::string& name, bool forCompiler, const std::vector<std::string>& kept) {
  const std::string_view bare = bareName(name);
  const auto hasIt = [&](const std::string& other) {
    return other.find(bare) != std::string::npos;
  };
  const std::string glob = quoted(bare);
  // What follows [abi: is not in the names that GCC compares.
  const bool isPlain = glob == bare && bare.find("[abi:") == std::string_view::npos;
  if (!forCompiler || !isPlain || std::any_of(kept.begin(), kept.end(), hasIt)) {
    return quoted(name);
  }
  return '*' + glob + '*';
}

bool write(const Options& options, const std::vector<Named>& excluded, const Profile& profile) {
  std::vector<std::string> kept, globs;
  for (const auto& [name, function] : profile.functions) {
    if (!isExcluded(function, options)) kept.push_back(name);
  }
  for (const auto& [name, function] : excluded) {
    const std::string glob = globOf(name, options.forCompiler, kept);
    if (std::find(globs.begin(), globs.end(), glob) == globs.end()) globs.push_back(glob);
  }

  FILE* file = options.output.empty() ? stdout : fopen(options.output.c_str(), "w");
  if (file == nullptr) return false;
  fprintf(file, "# From %s: at least %llu calls of less than %.0f ns, no intercepted routine below.\n",
          options.trace.c_str(), static_cast<unsigned long long>(options.calls),
          options.lessThanNs);
  for (const std::string& glob : globs) fprintf(file, "exclude function %s\n", glob.c_str());
  const bool good = fflush(file) == 0 && ferror(file) == 0;
  return (file == stdout || fclose(file) == 0) && good;
}

void tell(const std::vector<Named>& excluded, const Profile& profile) {
  uint64_t all = 0, allMeasured = 0, calls = 0, measured = 0;
  for (const auto& [name, function] : profile.functions) {
    all += function.calls();
    allMeasured += function.measured;
  }
  for (const auto& [name, function] : excluded) {
    calls += function.calls();
    measured += function.measured;
  }
  fprintf(stderr, "%14s %12s  excluded function\n", "calls", "ns each");
  constexpr size_t kShown = 10;
  for (size_t i = 0; i < excluded.size() && i < kShown; i++) {
    const Function& f = excluded[i].second;
    fprintf(stderr, "%14llu %12.0f  %s%s\n", static_cast<unsigned long long>(f.calls()), f.meanNs(),
            excluded[i].first.c_str(), f.counted > 0 ? " (throttled)" : "");
  }
  if (excluded.size() > kShown) fprintf(stderr, "%29s%zu more\n", "", excluded.size() - kShown);
  constexpr uint64_t kEventBytes = 16;  // Enter and Leave
  fprintf(stderr,
          "excludes %zu of %zu functions, with %llu of %llu calls (%s), and %llu of %llu bytes that "
          "functions have in the trace\n",
          excluded.size(), profile.functions.size(), static_cast<unsigned long long>(calls),
          static_cast<unsigned long long>(all), percent(calls, all).c_str(),
          static_cast<unsigned long long>(measured * kEventBytes),
          static_cast<unsigned long long>(allMeasured * kEventBytes));
}

int run(const Options& options) {
  Profile profile;
  const std::string error = profileOf(options.trace, &profile);
  if (!error.empty()) return say(1, error);
  if (profile.functions.empty() && profile.unnamed > 0) {
    return say(1, options.trace + ": its functions have no names, because the program was removed "
        "or rebuilt and the trace has no symbols; run: parallax-symbols " +
                      options.trace);
  }
  if (profile.functions.empty()) {
    return say(1, options.trace + " has no instrumented function; compile the program with "
        "parallax-cc or a similar command (parallax-cc --help), and record it again");
  }
  std::vector<Named> excluded;
  for (const auto& named : profile.functions) {
    if (isExcluded(named.second, options)) excluded.emplace_back(named);
  }
  std::stable_sort(excluded.begin(), excluded.end(), [](const Named& a, const Named& b) {
    return a.second.calls() > b.second.calls();
  });
  if (!write(options, excluded, profile)) return say(1, "cannot write " + options.output);
  tell(excluded, profile);
  return 0;
}

}  // namespace
}  // namespace parallax::filter

int main(int count, char** arguments) {
  parallax::filter::Options options;
  const int status = parallax::filter::parseOptions(count, arguments, &options);
  return status >= 0 ? status : parallax::filter::run(options);
}
