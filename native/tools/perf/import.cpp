#include "tools/perf/import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/perf/data_reader.h"
#include "tools/perf/text_reader.h"
#include "tools/perf/trace_output.h"

namespace parallax::perf {
namespace {

// A file in memory, of which nothing is read yet.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void* at = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) bytes_ = std::string_view(static_cast<char*>(at), static_cast<size_t>(status.st_size));
    }
    error_ = errno;
    if (file >= 0) close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return bytes_; }
  int error() const { return error_; }

 private:
  std::string_view bytes_;
  int error_ = 0;
};

bool isData(conversion::ByteSource* source) {
  if (source->peek() < 0 || source->isCompressed()) return false;
  const std::string_view begin(source->data(), source->available());
  return begin.substr(0, 8) == "PERFILE2" || begin.substr(0, 8) == "2ELIFREP";
}

// Returns an empty string, or why there is nothing to write.
std::string importData(const conversion::FileImport& options, Recording* recording) {
  const MappedFile file(options.file);
  if (file.bytes().empty()) return options.file + " cannot be read: " + strerror(file.error());
  return readData(file.bytes(), options.file, recording, [&](uint64_t done) {
    if (options.progress) options.progress(done, file.bytes().size());
  });
}

}  // namespace

std::string importFile(const conversion::FileImport& options) {
  if (const std::string problem = conversion::makeDirectory(options.directory); !problem.empty()) return problem;
  conversion::ByteSource source;
  const std::string error = source.open(options.file);
  if (!error.empty()) return error;
  Recording recording;
  const std::function<void()> progress = [&] {
    if (options.progress) options.progress(source.done(), source.size());
  };
  OutputOptions output;
  output.directory = options.directory;
  output.original = conversion::absolute(options.file);
  if (isData(&source)) {
    output.format = "perf.data";
    const std::string problem = importData(options, &recording);
    return problem.empty() ? writeTrace(&recording, output) : problem;
  }
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
