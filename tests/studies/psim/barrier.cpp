#include "barrier.h"

#include <parallax/parallax.h>

void Barrier::open(uint32_t participants, bool blocking) {
  participants_ = participants;
  blocking_ = blocking;
  arrived_.store(0);
  generation_.store(0);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  if (blocking) pthread_barrier_init(&libc_, &attributes, participants);
}

void Barrier::wait() {
  if (blocking_) {
    pthread_barrier_wait(&libc_);
  } else {
    parallax_barrier("spin_barrier", this, participants_, spin, this);
  }
}

void Barrier::spin(void* barrier) {
  auto* own = static_cast<Barrier*>(barrier);
  const uint32_t generation = own->generation_.load(std::memory_order_relaxed);
  if (own->arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == own->participants_) {
    own->arrived_.store(0, std::memory_order_relaxed);
    own->generation_.store(generation + 1, std::memory_order_release);
    return;
  }
  while (own->generation_.load(std::memory_order_acquire) == generation) __builtin_ia32_pause();
}
