// Ends a study or benchmark by Ctrl-C so that it can remove what it has made.
#pragma once

#include <signal.h>

namespace parallax::bench {

// While an object lives, Ctrl-C, a hang-up and a request to end do not end this program. The first one is kept in mind, so
// that the run that is under way can be finished. The second one ends that run (see runCommand). The third one ends this
// program as if there were no object.
class Interruptible {
 public:
  static constexpr int kStatus = 130;  // with which an interrupted program ends

  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  // Since the object was made; never without one.
  static bool isInterrupted();
  static bool mustEndTheRun();  // by a second signal

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  static constexpr int kCount = 3;

  static void keepInMind(int signal);

  struct sigaction before_[kCount];
};

}  // namespace parallax::bench
