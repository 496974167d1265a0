// parallax-paraver: turns a trace of Paraver into a trace of Parallax.
#include "tools/conversion/file_import.h"
#include "tools/paraver/import.h"

namespace {

constexpr char kUsage[] =
    "usage: parallax-paraver [--progress] FILE DIR\n"
    "\n"
    "Turns a trace of Paraver (.prv or .prv.gz, with the .pcf and .row beside it) into a trace of Parallax\n"
    "in DIR. The other commands of Parallax do this themselves when they open such a file.\n"
    "\n"
    "  --progress  print lines \"DONE ALL\" with the bytes read up to now\n"
    "  --help      print this text\n"
    "\n"
    "example:\n"
    "  parallax-paraver app.prv run1\n";

}  // namespace

int main(int argc, char** argv) {
  return parallax::conversion::runFileProgram({"parallax-paraver", kUsage, parallax::paraver::importFile, false}, argc, argv);
}
