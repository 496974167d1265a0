// Opens traces of Chrome and Perfetto and tells what they have as text, for tests.
#pragma once

#include <string>

#include "tools/conversion/imported_test.h"
#include "tools/perfetto/import.h"

namespace parallax::perfetto {

using conversion::Imported;
using conversion::look;

class TraceEvents : public conversion::FileImportTest {
 protected:
  TraceEvents() : FileImportTest(importFile) {}
  std::string import(const std::string& bytes, const std::string& name = "trace.json") { return importBytes(bytes, name); }
  Imported imported(const std::string& bytes, const std::string& name = "trace.json") {
    EXPECT_EQ("", import(bytes, name));
    return look(trace());
  }
};

}  // namespace parallax::perfetto
