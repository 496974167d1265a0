// What happens at a delay point.
#pragma once

#include "perturb/counts.h"
#include "perturb/plan.h"

namespace parallax::perturb {

// A point or macro of the plan in this process, with the level of its factor. Fixed before anything
// leads to it; never given back.
struct DelayPoint {
  uint32_t id;
  Action action;
  DelayKind delay;
  uint64_t amount;       // as in Treatment; kLock: the mutex in this process, 0 when it has none
  uint64_t ticks;        // DelayKind::kTime
  uint64_t rounds;       // DelayKind::kWork
};

// Counts, and does what the level of the factor says. Uses general registers only, and of the
// program neither errno nor any function, but for locks and messages, around which all registers
// are kept. Signal handlers may call it, and may come in the middle of it.
extern "C" void parallaxDelayPoint(const DelayPoint* point) __attribute__((visibility("hidden")));

// Where trampolines go, with a DelayPoint* in rdi, 136 bytes below the stack pointer of the program
// and this layout above the return address: rdi, 1 + address of the place, 128 bytes of red zone.
// Keeps every register and the flags; unwinders take its caller for the place.
extern "C" void parallaxDelayStub() __attribute__((visibility("hidden")));

// f(argument) with all registers of the thread kept, on a stack that is aligned.
extern "C" void parallaxKeepState(void (*f)(void*), void* argument)
    __attribute__((visibility("hidden")));

// How long delays take here. Some milliseconds; once in a process, before the first point is used.
void calibrate();

// What a DelayPoint of this level is, but for a lock's mutex.
DelayPoint pointOf(uint32_t id, const Treatment& level);

struct Calibration {
  uint64_t nsPerTick32 = 0;    // ns a tick, with 32 bits after the point
  uint64_t timeTicks = 0;      // what a delay by time takes beyond the ticks that it waits for,
  uint64_t workTicks = 0;      // and one by work beyond its rounds; at level `none` nothing does
  uint64_t roundsPerTick20 = 0;  // with 20 bits after the point
  uint64_t clockTicks = 0;     // what it takes to read the clock
  bool canKeepState = false;   // the processor has XSAVE
};
extern Calibration calibration;

// treatments.cpp: with all registers kept. Whether it was done; not, where it would harm.
bool takeLock(void* mutex);
bool sendDummyMessage(uint64_t sizeBytes);

// What sends dummy messages in this process when it is not a pair of sockets (interpose/mpi/mpi_dummy).
extern std::atomic<bool (*)(uint64_t sizeBytes)> messageSender;

}  // namespace parallax::perturb
