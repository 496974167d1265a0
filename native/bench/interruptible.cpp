#include "bench/interruptible.h"

#include <unistd.h>

namespace parallax::bench {
namespace {

constexpr char kText[] = "parallax: interrupted; the run under way is finished first. Ctrl-C again ends it now\n";

volatile sig_atomic_t interrupts = 0;

}  // namespace

// In a signal handler.
void Interruptible::keepInMind(int) {
  interrupts = interrupts + 1;
  if (interrupts == 1) {
    const ssize_t ignored = write(STDERR_FILENO, kText, sizeof kText - 1);
    static_cast<void>(ignored);
    return;
  }
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

Interruptible::Interruptible() {
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = keepInMind;
  for (int i = 0; i < kCount; i++) sigaction(kSignals[i], &action, &before_[i]);
}

Interruptible::~Interruptible() {
  for (int i = 0; i < kCount; i++) sigaction(kSignals[i], &before_[i], nullptr);
  interrupts = 0;
}

bool Interruptible::isInterrupted() { return interrupts > 0; }

bool Interruptible::mustEndTheRun() { return interrupts > 1; }

}  // namespace parallax::bench
