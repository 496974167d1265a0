// What the programs share that convert one file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parallax::conversion {

struct FileImport {
  std::string file;
  std::string directory;  // of the trace, which must not have one
  std::function<void(uint64_t done, uint64_t all)> progress;  // bytes; may be empty
};

// Returns an empty string, or why there is no directory.
std::string makeDirectory(const std::string& directory);

// The path from the root, or the same if there is no such file.
std::string absolute(const std::string& path);

struct FileProgram {
  const char* name;
  const char* usage;
  // Returns an empty string, or why there is no trace: a sentence without an end.
  std::string (*import)(const FileImport& options);
  bool mapsFile;  // which may become shorter meanwhile, and whose addresses do not count
};

// The main function of such a program: [--progress] FILE DIR.
int runFileProgram(const FileProgram& program, int argc, char** argv);

}  // namespace parallax::conversion
