// Opens traces of Chrome and Perfetto and tells what they have as text, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "tests/temporary_directory.h"
#include "tools/conversion/imported_test.h"
#include "tools/perfetto/import.h"

namespace parallax::perfetto {

using conversion::Imported;
using conversion::look;

class TraceEvents : public testing::Test {
 protected:
  // Returns why the file was refused.
  std::string import(const std::string& bytes, const std::string& name = "trace.json") {
    file_ = directory_ / name;
    std::ofstream(file_, std::ios::binary) << bytes;
    std::filesystem::remove_all(directory_ / "trace");
    ImportOptions options;
    options.file = file_;
    options.directory = directory_ / "trace";
    return importFile(options);
  }
  Imported imported(const std::string& bytes, const std::string& name = "trace.json") {
    EXPECT_EQ("", import(bytes, name));
    return look(directory_ / "trace");
  }

  // Files are written to the disk before they get their names; in memory that takes no time.
  static bool useMemory() { return access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 0) == 0; }
  const bool isInMemory_ = useMemory();
  TemporaryDirectory directory_;
  std::string file_;
};

}  // namespace parallax::perfetto
