// A directory that is gone, with all in it, when its object is; for tests and benchmarks.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace parallax {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "parallax-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }  // empty when it could not be made
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// What the files of a directory take of the disk; holes take nothing.
inline uint64_t bytesOnDisk(const std::string& directory) {
  constexpr uint64_t kUnit = 512;
  uint64_t total = 0;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    struct stat status;
    if (stat(file.path().c_str(), &status) == 0) total += static_cast<uint64_t>(status.st_blocks) * kUnit;
  }
  return total;
}

}  // namespace parallax
