// parallax-perfetto: turns a trace of Chrome or Perfetto into a trace of Parallax.
#include "tools/conversion/file_import.h"
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

}  // namespace

int main(int argc, char** argv) {
  return parallax::conversion::runFileProgram({"parallax-perfetto", kUsage, parallax::perfetto::importFile, false}, argc, argv);
}
