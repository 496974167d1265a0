#include <stdio.h>

#include "tools/record.h"

namespace parallax::record {
namespace {

constexpr uint32_t kMostSampleHz = 10000;

constexpr char kHelp[] =
    "usage: parallax record [OPTIONS] [--] COMMAND [ARGUMENTS]\n"
    "\n"
    "Runs COMMAND and writes a trace of every program it starts: MPI calls, threads and locks\n"
    "exactly, everything else by samples. Output and exit status are those of COMMAND.\n"
    "\n"
    "  -o DIR            the trace directory (default: parallax-PROGRAM-TIME in this directory)\n"
    "  --sample-hz N     samples a second of CPU time in each thread, 0 for none, at most 10000\n"
    "                    (default: 100)\n"
    "  --quiet           no closing line; errors are still told\n"
    "  --verbose         tell what is done\n"
    "  --help, --version\n"
    "\n"
    "examples:\n"
    "  parallax record -- mpirun -n 4 ./solver input.dat\n"
    "  parallax record -o before -- ./threads 8\n"
    "  parallax record --sample-hz 1000 -- ./job.sh\n";

int wrongUse(const std::string& text) {
  say(text + "; see: parallax record --help");
  return kWrongUse;
}

bool parseNumber(const std::string& text, uint32_t* value) {
  if (text.empty() || text.size() > 9) return false;
  *value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    *value = *value * 10 + static_cast<uint32_t>(c - '0');
  }
  return true;
}

}  // namespace

void say(const std::string& text) { fprintf(stderr, "parallax: %s\n", text.c_str()); }

int parseOptions(int count, char** arguments, Options* options) {
  if (baseName(arguments[0]) != "parallax-record") options->entry = arguments[0];
  int at = 1;
  for (; at < count; at++) {
    std::string option = arguments[at];
    if (option == "--") {
      at++;
      break;
    }
    if (option.size() < 2 || option[0] != '-') break;
    std::string value;
    bool hasValue = false;
    const size_t equals = option.find('=');
    if (option.compare(0, 2, "--") == 0 && equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
      hasValue = true;
    }
    if (option == "--help" || option == "-h") {
      fputs(kHelp, stdout);
      return 0;
    }
    if (option == "--version") {
      puts("parallax record " PARALLAX_VERSION);
      return 0;
    }
    if (option == "--quiet" || option == "--verbose") {
      if (hasValue) return wrongUse("option " + option + " takes no value");
      (option == "--quiet" ? options->quiet : options->verbose) = true;
    } else if (option == "-o" || option == "--output" || option == "--sample-hz") {
      if (!hasValue) {
        if (at + 1 == count) return wrongUse("option " + option + " needs a value");
        value = arguments[++at];
      }
      if (option != "--sample-hz") {
        if (value.empty()) return wrongUse("option -o needs the name of a directory");
        options->directory = value;
      } else if (!parseNumber(value, &options->sampleHz) || options->sampleHz > kMostSampleHz) {
        return wrongUse("--sample-hz takes a number from 0 to 10000, not \"" + value + "\"");
      }
    } else {
      return wrongUse("unknown option " + option);
    }
  }
  options->command.assign(arguments + at, arguments + count);
  if (options->command.empty() || options->command[0].empty()) {
    return wrongUse("no program to run is named");
  }
  return -1;
}

}  // namespace parallax::record
