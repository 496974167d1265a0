// parallax-golden DIRECTORY: writes the golden traces.

#include <stdio.h>

#include "tools/golden.h"

int main(int count, char** arguments) {
  if (count != 2 || arguments[1][0] == '-') {
    fputs("usage: parallax-golden DIRECTORY\n"
          "Writes the golden traces of the format and their canonical text.\n"
          "\n"
          "example:\n"
          "  parallax-golden native/format/golden\n",
          stderr);
    return 2;
  }
  const std::string error = parallax::golden::writeGoldenTraces(arguments[1]);
  if (!error.empty()) fprintf(stderr, "parallax-golden: %s\n", error.c_str());
  return error.empty() ? 0 : 1;
}
