#include "tools/perfetto/import.h"

#include <string.h>

#include "tools/perfetto/json_reader.h"
#include "tools/perfetto/proto_fields.h"
#include "tools/perfetto/proto_reader.h"
#include "tools/perfetto/trace_output.h"

namespace parallax::perfetto {
namespace {

// The first byte of a packet is a line end, with which a text can begin as well: then what a packet would have as its
// size is white space or a bracket, and the field that would come first is none of a packet.
bool isProto(ByteSource* source) {
  if (source->peek() != '\n') return false;
  const std::string_view begin(source->data(), source->available());
  const size_t text = begin.find_first_not_of(" \t\r\n");
  if (text == std::string_view::npos || (begin[text] != '{' && begin[text] != '[')) return true;
  size_t at = 1;
  while (at < begin.size() && (begin[at] & 0x80) != 0) at++;
  // A text has a quote, a bracket or white space after its bracket. 0x22 would be field 4 and 0x0A field 1 with a size
  // that the packet would hold.
  const char first = at + 1 < begin.size() ? begin[at + 1] : ' ';
  return strchr("\"[{ \t\r\n]}", first) == nullptr;
}

}  // namespace

std::string importFile(const conversion::FileImport& options) {
  if (const std::string problem = conversion::makeDirectory(options.directory); !problem.empty()) return problem;
  ByteSource source;
  std::string error = source.open(options.file);
  if (!error.empty()) return error;
  Timeline timeline;
  const std::function<void()> progress = [&] {
    if (options.progress) options.progress(source.done(), source.size());
  };
  OutputOptions output;
  output.directory = options.directory;
  output.original = conversion::absolute(options.file);
  const bool proto = isProto(&source);
  output.format = proto ? "Perfetto protobuf" : "Trace Event Format (JSON)";
  const bool isRead = proto ? readProto(&source, options.file, &timeline, progress)
                            : readJson(&source, options.file, &timeline, progress);
  const uint64_t end = source.offset();
  if (!source.error().empty()) timeline.warn(options.file + " cannot be read to its end: " + source.error());
  if (source.isDamaged()) timeline.warn(options.file + " is damaged: gzip could not unpack all of it");
  if (!isRead) {
    return options.file + " is no trace of Chrome or Perfetto: at byte " + std::to_string(end) +
           (proto ? " no packet is found" : " no traceEvents are found");
  }
  timeline.finish();
  return writeTrace(&timeline, output);
}

}  // namespace parallax::perfetto
