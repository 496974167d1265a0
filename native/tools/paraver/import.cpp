#include "tools/paraver/import.h"

#include <string.h>

#include "tools/conversion/byte_source.h"
#include "tools/paraver/reader.h"
#include "tools/paraver/trace_output.h"

namespace parallax::paraver {
namespace {

using conversion::ByteSource;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

class Import {
 public:
  explicit Import(const conversion::FileImport& options) : options_(options) {}

  std::string run() {
    ByteSource source;
    std::string error = source.open(options_.file);
    if (!error.empty()) return error;
    readBeside(".pcf", "states and events have no names", [&](const std::string& text, const LineWarning& warn) { trace_.labels.read(text, warn); });
    readBeside(".row", "threads have no names", [&](const std::string& text, const LineWarning& warn) { trace_.names.read(text, warn); });
    error = readRecords(&source, options_.file, &trace_, [&] {
      if (options_.progress) options_.progress(source.done(), source.size());
    });
    if (!error.empty()) return options_.file + " " + error;
    if (!source.error().empty()) trace_.warn(options_.file + " cannot be read to its end: " + source.error());
    if (source.isDamaged()) trace_.warn(options_.file + " is damaged: gzip could not unpack all of it");
    OutputOptions output;
    output.directory = options_.directory;
    output.original = conversion::absolute(options_.file);
    return writeTrace(&trace_, output);
  }

 private:
  // The file with the same name and another end.
  void readBeside(const char* end, const char* without,
                  const std::function<void(const std::string& text, const LineWarning& warn)>& read) {
    std::string stem = options_.file;
    for (const char* each : {".gz", ".prv"}) {
      if (endsWith(stem, each)) stem.resize(stem.size() - strlen(each));
    }
    std::string path = stem + end;
    ByteSource source;
    std::string error = source.open(path);
    if (!error.empty()) {
      trace_.warn(error + ": " + without);
      return;
    }
    std::string text;
    while (source.peek() >= 0) {
      text.append(source.data(), source.available());
      source.skip(source.available());
    }
    read(text, [&](uint64_t line, const std::string& what) { trace_.warn(path + ", line " + std::to_string(line) + ": " + what); });
  }

  const conversion::FileImport& options_;
  Trace trace_;
};

}  // namespace

std::string importFile(const conversion::FileImport& options) {
  if (const std::string problem = conversion::makeDirectory(options.directory); !problem.empty()) return problem;
  return Import(options).run();
}

}  // namespace parallax::paraver
