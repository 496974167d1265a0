// The program's sets of signals without those that are ours.
#pragma once

#include <csignal>

#include "sampler/sampler.h"

namespace parallax {

inline void removeSignals(sigset_t* set, uint64_t signals) {
  for (uint64_t left = signals; left != 0; left &= left - 1) {
    sigdelset(set, __builtin_ctzll(left) + 1);
  }
}

// A set without the sampling signals, or others; the set itself when there are none.
class Without {
 public:
  explicit Without(const sigset_t* set, uint64_t signals = sampler::sampleSignals()) : set_(set) {
    if (set == nullptr || signals == 0) return;
    copy_ = *set;
    removeSignals(&copy_, signals);
    set_ = &copy_;
  }
  operator const sigset_t*() const { return set_; }

 private:
  const sigset_t* set_;
  sigset_t copy_;
};

// For the mask of a wait, which also holds in handlers that run during the wait. Samples stay
// blocked, because a sample would end the wait. Traps must not be blocked; they cannot occur in the
// wait itself.
class WithoutTraps : public Without {
 public:
  explicit WithoutTraps(const sigset_t* set) : Without(set, sampler::trapSignals()) {}
};

}  // namespace parallax
