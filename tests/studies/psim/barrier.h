// The barrier after each simulated cycle: one that always spins, as the paper's, or libc's, which
// blocks.
#ifndef PARALLAX_STUDIES_BARRIER_H
#define PARALLAX_STUDIES_BARRIER_H

#include <pthread.h>
#include <stdint.h>

#include <atomic>

class Barrier {
 public:
  void open(uint32_t participants, bool blocking);
  void wait();

 private:
  static void spin(void* barrier);

  alignas(64) std::atomic<uint32_t> arrived_;
  alignas(64) std::atomic<uint32_t> generation_;
  uint32_t participants_;
  bool blocking_;
  pthread_barrier_t libc_;
};

#endif
