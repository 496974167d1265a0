// Ends a study after the run that is under way, so that it can remove what it has made.
#pragma once

#include <signal.h>

namespace parallax::bench {

// While an object lives, Ctrl-C, a hang-up and a request to end are kept in mind and do not end this program.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  static bool isInterrupted();  // since the object was made

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  static constexpr int kCount = 3;
  struct sigaction before_[kCount];
};

}  // namespace parallax::bench
