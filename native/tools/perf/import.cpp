#include "tools/perf/import.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/perf/text_reader.h"
#include "tools/perf/trace_output.h"

namespace parallax::perf {
namespace {

std::string absolute(const std::string& path) {
  char full[PATH_MAX];
  return realpath(path.c_str(), full) == nullptr ? path : full;
}

}  // namespace

std::string importFile(const ImportOptions& options) {
  if (mkdir(options.directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return "the directory " + options.directory + " cannot be created: " + strerror(errno);
  }
  conversion::ByteSource source;
  const std::string error = source.open(options.file);
  if (!error.empty()) return error;
  Recording recording;
  const std::function<void()> progress = [&] {
    if (options.progress) options.progress(source.done(), source.size());
  };
  OutputOptions output;
  output.directory = options.directory;
  output.original = absolute(options.file);
  output.format = "perf script";
  const bool isRead = readText(&source, options.file, &recording, progress);
  const uint64_t end = source.offset();
  if (!source.error().empty()) recording.warn(options.file + " cannot be read to its end: " + source.error());
  if (source.isDamaged()) recording.warn(options.file + " is damaged: gzip could not unpack all of it");
  if (!isRead) {
    return options.file + " is no file of perf: up to byte " + std::to_string(end) + " no samples are found";
  }
  return writeTrace(&recording, output);
}

}  // namespace parallax::perf
