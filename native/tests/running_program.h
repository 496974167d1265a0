// Programs that run beside a test, which attaches to them.
#pragma once

#include <functional>
#include <string>

#include "tests/guest_runner.h"

namespace parallax::tests {

// What guests/attached.cpp prints where nothing went wrong.
inline const std::string kRight = "sums 0, counts 0, interrupted 0, bytes 0, errno 0\n";

// What it prints is known when it has ended. It does not outlive the test.
class Running {
 public:
  // `inChild` is called before the execution.
  explicit Running(const Words& command, const std::function<void()>& inChild = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int pid() const { return pid_; }
  std::string name() const { return std::to_string(pid_); }
  // Waits until it has so many threads.
  bool hasThreads(size_t count) const;
  // Waits until it has printed this.
  bool says(const std::string& text) const;
  // Waits until it has a child: its number, or 0.
  int child() const;
  void askToEnd() const;
  // Waits for its end: what it has printed, and its status if that is not 0.
  std::string end();

 private:
  std::string outputSoFar() const;

  TemporaryDirectory scratch_;
  std::string output_;
  int pid_;
};

// Whether it is recorded into this trace now.
bool records(const Running& program, const std::string& trace);

// The command that records it for this time.
Words attached(const std::string& pid, const std::string& trace, const std::string& time,
               const Words& options = {"--no-calibration", "--quiet"});

}  // namespace parallax::tests
