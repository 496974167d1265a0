#include "bench/study_interrupt.h"

namespace parallax::bench {
namespace {

volatile sig_atomic_t interrupted = 0;

}  // namespace

Interruptible::Interruptible() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  for (int i = 0; i < kCount; i++) sigaction(kSignals[i], &action, &before_[i]);
}

Interruptible::~Interruptible() {
  for (int i = 0; i < kCount; i++) sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interruptible::isInterrupted() { return interrupted != 0; }

}  // namespace parallax::bench
