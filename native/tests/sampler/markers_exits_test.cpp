// Markers in frames that are left otherwise than by a return: they do not harm, and most of them
// are used again.
#include <gtest/gtest.h>

#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "markers_fixture.h"

namespace parallax::tests {
namespace {

struct Cleanup {
  ~Cleanup() {
    callHere();
    sink = sink + 1;
  }
};

// Handlers stand in every tenth frame; a frame below one of them is never marked.
NOINLINE long thrower(int depth, int what);

NOINLINE long catcher(int depth, int what) {
  try {
    return opaque(thrower(depth - 1, what)) + depth;
  } catch (const std::runtime_error& e) {
    callHere();
    if (depth % 20 == 0) throw;
    if (depth % 70 == 10) throw std::runtime_error(e.what());
    if (depth < 60) throw;
    return depth;
  }
}

NOINLINE long thrower(int depth, int what) {
  Cleanup cleanup;
  if (depth == 0) {
    callHere();
    if (what == 0) throw std::runtime_error("planted");
    if (what > 0) throw what;
    return 0;
  }
  if (depth % 10 == 0) return catcher(depth, what);
  return opaque(thrower(depth - 1, what)) + depth;
}

TEST_P(Markers, ExceptionsPassAndGiveThemBack) {
  const int rounds = GetParam() ? 30 : 300;
  for (int i = 0; i < rounds; ++i) {
    int caught = 0;
    try {
      sink = thrower(95, 0);
      caught = 1;
    } catch (const std::runtime_error&) {
      caught = 100;
    }
    try {
      sink = thrower(95, 7);
    } catch (int what) {
      caught += what;
    }
    callHere();
    ASSERT_EQ(caught, 8);
  }
  EXPECT_GT(markersPut(), 1000u);
  // There are fewer than were passed.
  EXPECT_LT(unwinders().marking->counts().unmarked, markersPut() / 100);
}

jmp_buf place;

NOINLINE long jumper(int depth) {
  if (depth == 0) {
    callHere();
    if (sink != -1) longjmp(place, 1);
    return 0;
  }
  return opaque(jumper(depth - 1)) + depth;
}

NOINLINE int jumpOnce() {
  if (setjmp(place) == 0) sink = jumper(100);
  callHere();
  return 1;
}

// Each jump loses markers; without any left, the walks go on.
TEST_P(Markers, JumpsUseThemUpAtMost) {
  std::thread([] {
    unwinders().marking->setMarkAll(GetParam());
    int jumps = 0;
    for (int i = 0; i < 3000; ++i) jumps += jumpOnce();
    EXPECT_EQ(jumps, 3000);
    EXPECT_GT(unwinders().marking->counts().unmarked, 0u);
    descend(300, [] { compareUnwinders(); });
  }).join();
}

NOINLINE long waiter(int depth, bool exits) {
  Cleanup cleanup;
  if (depth == 0) {
    callHere();
    if (exits) pthread_exit(reinterpret_cast<void*>(5));
    while (sink != -1) pause();
    return 0;
  }
  return opaque(waiter(depth - 1, exits)) + depth;
}

TEST_P(Markers, ThreadsThatExitOrAreCancelled) {
  for (int i = 0; i < 100; ++i) {
    pthread_t thread;
    const bool exits = i % 2 == 0;
    static bool markAll;
    markAll = GetParam();
    pthread_create(&thread, nullptr, [](void* exits) -> void* {
      // As the agent does: the next thread takes what this one leaves.
      static Unwinders shared{};
      if (shared.marking == nullptr) {
        shared = unwinders();
      } else {
        unwinders() = shared;
        shared.marking->attach(stackOfThread());
        shared.plain->attach(stackOfThread());
      }
      shared.marking->setMarkAll(markAll);
      sink = waiter(150, exits != nullptr);
      return nullptr;
    }, exits ? &place : nullptr);
    if (!exits) {
      usleep(200);
      pthread_cancel(thread);
    }
    void* result = nullptr;
    pthread_join(thread, &result);
    ASSERT_EQ(result, exits ? reinterpret_cast<void*>(5) : PTHREAD_CANCELED);
  }
}

}  // namespace
}  // namespace parallax::tests
