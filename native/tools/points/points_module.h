// A program or library with all that is known about it, found out when it is first asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/points/points_code.h"
#include "tools/points/points_debug.h"
#include "tools/points/points_image.h"
#include "tools/points/points_names.h"
#include "tools/points/points_patch.h"

namespace parallax::points {

struct NamedFunction {
  FunctionName name;
  const Symbol* symbol;
};

class Module {
 public:
  Module(std::unique_ptr<Image> image, uint32_t index) : image_(std::move(image)), index_(index) {}

  uint32_t index() const { return index_; }
  const Image& image() const { return *image_; }
  // "libfoo.so.1" of its path.
  std::string fileName() const;
  // Whether `typed` is its path, its file's name, or that without the version.
  bool isCalled(const std::string& typed) const;
  Code& code();
  Patcher& patcher();
  bool hasPatcher() const { return patcher_ != nullptr; }
  const std::vector<NamedFunction>& functions();
  // The names of the function that begins at the address; null without any.
  const NamedFunction* functionAt(uint64_t entry);
  // Null without debug information.
  DebugInfo* debug();

 private:
  std::unique_ptr<Image> image_;
  uint32_t index_;
  std::unique_ptr<Code> code_;
  std::unique_ptr<Patcher> patcher_;
  std::vector<NamedFunction> functions_;
  std::unique_ptr<DebugInfo> debug_;
};

// The libraries that a program loads at its start and that did not come with the system.
std::vector<std::string> ownLibraries(const Image& program);
// Where a library that a program loads at its start is, system or not; empty when it is not found.
std::string libraryPath(const Image& program, const std::string& name);

}  // namespace parallax::points
