// Some KB for a moment that are on no stack: handlers of signals, in which intercepted routines may
// be called, often have 8 KB of it in all.
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
