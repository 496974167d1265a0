// A few KB of temporary memory outside of the stack. Intercepted routines can be called in signal
// handlers, which often have only 8 KB of stack.
#pragma once

#include <cstddef>

namespace parallax {

// Signal handlers may use it. False without memory.
class Scratch {
 public:
  static constexpr size_t kBytes = 8192;

  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  explicit operator bool() const { return bytes_ != nullptr; }
  char* bytes() const { return bytes_; }

 private:
  char* bytes_;
};

}  // namespace parallax
