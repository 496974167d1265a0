// The work at a delay point.
#pragma once

#include "perturb/counts.h"
#include "perturb/plan.h"

namespace parallax::perturb {

// A point or macro of the plan in this process, with the level of its factor. It is constant before
// any code leads to it, and never freed, because a thread may be using it at any time.
struct DelayPoint {
  uint32_t id;
  Action action;
  DelayKind delay;
  uint64_t amount;       // as in Treatment; kLock: the mutex in this process, 0 when it has none
  uint64_t ticks;        // DelayKind::kTime
  uint64_t rounds;       // DelayKind::kWork
};

// Counts the visit and applies the treatment at the level of the factor. It uses only general
// registers, does not change errno, and calls no function of the program, because the program does
// not expect a call at this place. Only locks and messages call library functions; all registers
// are saved around them. Signal handlers may call it, also while they interrupt it.
extern "C" void parallaxDelayPoint(const DelayPoint* point) __attribute__((visibility("hidden")));

// The routine that trampolines call, with a DelayPoint* in rdi and the stack pointer 136 bytes
// below that of the program. Above its return address are rdi, 1 + address of the place, and 128
// bytes of red zone. Keeps all registers and the flags. Unwinders see the place as its caller.
extern "C" void parallaxDelayStub() __attribute__((visibility("hidden")));

// Calls f(argument) on an aligned stack, and keeps all registers of the thread.
extern "C" void parallaxKeepState(void (*f)(void*), void* argument)
    __attribute__((visibility("hidden")));

// Measures how long delays take on this machine. Takes some milliseconds; once per process, before
// the first point is used.
void calibrate();

// Whether parallaxKeepState can be called.
bool hasXsave();

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

// treatments.cpp, called with all registers saved. Returns whether the treatment was applied; it is
// skipped if it would harm the program.
bool takeLock(void* mutex);
bool sendDummyMessage(uint64_t sizeBytes);

// What sends dummy messages in this process when it is not a pair of sockets (interpose/mpi/mpi_dummy).
extern std::atomic<bool (*)(uint64_t sizeBytes)> messageSender;

}  // namespace parallax::perturb
