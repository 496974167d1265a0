// parallax-dump TRACE: prints the canonical text of a trace (format/golden/README.md).

#include <stdio.h>
#include <string.h>

#include "format/dump.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-dump TRACE\n"
    "Prints each definition and event of a trace directory as one line of text; times are in ticks.\n"
    "native/format/golden/README.md specifies the text.\n"
    "\n"
    "examples:\n"
    "  parallax-dump my.trace | less\n"
    "  parallax-dump my.trace | grep ' Send '\n";

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0)) {
    fputs(kUsage, stdout);
    return 0;
  }
  if (count != 2 || arguments[1][0] == '-') {
    fputs(kUsage, stderr);
    return 2;
  }
  const std::string error =
      parallax::format::dumpTrace(arguments[1], [](std::string_view text) {
        return fwrite(text.data(), 1, text.size(), stdout) == text.size();
      });
  if (!error.empty()) {
    fflush(stdout);
    fprintf(stderr, "parallax-dump: %s\n", error.c_str());
    return 1;
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
