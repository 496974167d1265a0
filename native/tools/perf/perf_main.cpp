// parallax-perf: turns what Linux perf wrote into a trace of Parallax.
#include "tools/conversion/file_import.h"
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

}  // namespace

int main(int argc, char** argv) {
  return parallax::conversion::runFileProgram({"parallax-perf", kUsage, parallax::perf::importFile, true}, argc, argv);
}
