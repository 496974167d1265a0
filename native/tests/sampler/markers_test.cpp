// Markers on the stack: every walk gives what it would without them, and the program goes on as
// if they were not there, however frames are left.
//
// Here: what walks find, and modules that come and go.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <string>

#include "core/agent.h"
#include "markers_fixture.h"
#include "workload.h"

void (*workload_here)(void) = nullptr;

namespace parallax::tests {
namespace {

TEST_P(Markers, EveryUnwinderPassesThem) {
  for (const int depth : {5, 40, 200, 900}) {
    descend(depth, [] {
      const uint64_t before = markersPut();
      callHere();
      compareUnwinders();
      EXPECT_EQ(markersPut(), before) << "more markers for an unchanged stack";
    });
  }
  EXPECT_GT(markersPut(), 15u);
}

TEST_P(Markers, UnchangedDeepStacksAreNotWalkedAgain) {
  descend(900, [] {
    const WalkCounts before = unwinders().marking->counts();
    for (int i = 0; i < 100; ++i) callHere();
    const WalkCounts after = unwinders().marking->counts();
    EXPECT_EQ(after.reused - before.reused, 100u);
    EXPECT_LT(after.frames - before.frames, 400u);
  });
}

// Two routines in one function.
NOINLINE void callFromTwoPlaces() {
  callHere();
  asm volatile("" ::: "memory");
  callHere();
  asm volatile("" ::: "memory");
}

TEST_P(Markers, PlacesInTurnsAreNotWalkedAgain) {
  // The first of two calls leaves a marker on the way out, if all frames have one.
  const uint64_t expected = GetParam() ? 48 : 98;
  for (const int depth : {0, 5, 900}) {
    descend(depth, [expected] {
      callFromTwoPlaces();
      const WalkCounts before = unwinders().marking->counts();
      for (int i = 0; i < 50; ++i) callFromTwoPlaces();
      EXPECT_GE(unwinders().marking->counts().recalled - before.recalled, expected);
    });
  }
}

TEST_P(Markers, RoutinesInTurnsAreKnownWithoutAWalk) {
  // If all frames are marked, each walk has to find which of them have returned.
  const uint64_t expected = GetParam() ? 0 : 94;
  for (const int depth : {0, 5, 900}) {
    descend(depth, [expected] {
      const WalkCounts before = unwinders().marking->counts();
      for (int i = 0; i < 50; ++i) {
        callRoutine();
        asm volatile("" ::: "memory");
        callRoutine();
        asm volatile("" ::: "memory");
      }
      EXPECT_GE(unwinders().marking->counts().known - before.known, expected);
    });
  }
}

// How many of 4 calls from one place were compared twice, at the depth where most were, on the way to `depth` more.
NOINLINE uint64_t comparedTwice(int depth) {
  volatile int calls = 6;
  uint64_t recalled[6];
#pragma GCC unroll 1
  for (int i = 0; i < calls; ++i) {
    callHere();
    recalled[i] = unwinders().marking->counts().recalled;
  }
  const uint64_t here = recalled[5] - recalled[1];
  const uint64_t further = depth > 0 ? comparedTwice(depth - 1) : 0;
  return static_cast<uint64_t>(opaque(static_cast<long>(here > further ? here : further)));
}

// At whatever distance the first marker stands.
TEST_P(Markers, UnchangedStacksAreComparedOnce) {
  unwinders().marking->setMarkAll(false);
  descend(100, [] { EXPECT_EQ(comparedTwice(60), 0u); });
}

TEST_P(Markers, UnchangedDeepStacksAreComparedOnceWithoutThem) {
  unwinders().marking->setMarkAll(false);
  unwinders().marking->setEconomy(Economy::kLastWalk);
  descend(100, [] { EXPECT_EQ(comparedTwice(60), 0u); });
  unwinders().marking->setEconomy(Economy::kMarkers);
}

class RandomCalls {
 public:
  explicit RandomCalls(uint32_t seed) : random_(seed) {}
  void run(int visits) {
    visitsLeft_ = visits;
    while (visitsLeft_ > 0) descend(static_cast<int>(random_() % 60), [this] { first(0); });
  }

 private:
  void visit() {
    --visitsLeft_;
    callHere();
  }
  NOINLINE void first(int depth) {
    if (stop(depth)) return visit();
    switch (random_() % 3) {
      case 0: second(depth + 1); break;
      case 1: first(depth + 1); break;
      default: second(depth + 1); third(depth + 1);
    }
    sink = depth;
  }
  NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void second(int depth) {
    volatile char* space = static_cast<char*>(alloca(16 + random_() % 3 * 32));
    space[0] = 1;
    if (stop(depth)) return visit();
    if (random_() % 2 == 0) {
      third(depth + 1);
    } else {
      first(depth + 1);
    }
    space[1] = 2;
  }
  NOINLINE void third(int depth) {
    const int times = static_cast<int>(random_() % 3);
    for (int i = 0; i < times; ++i) {
      visit();
      for (long round = opaque(3); round > 0; --round) {
        callRoutine();
        callRoutine();
      }
      if (!stop(depth)) first(depth + 1);
    }
    if (depth > 5 && random_() % 16 == 0) throw depth;
    sink = depth;
  }
  bool stop(int depth) { return depth > 80 || visitsLeft_ <= 0 || random_() % 24 == 0; }

  std::mt19937 random_;
  int visitsLeft_ = 0;
};

TEST_P(Markers, RandomStacksGiveThePathsOfPlainWalks) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomCalls calls(seed);
  const long before = walksCompared;
  const uint64_t recalledBefore = unwinders().marking->counts().recalled;
  const uint64_t knownBefore = unwinders().marking->counts().known;
  for (int i = 0; i < 2000 && !HasFatalFailure(); ++i) {
    try {
      calls.run(20);
    } catch (int) {
      callHere();
    }
  }
  EXPECT_GT(walksCompared - before, 10000);
  EXPECT_GT(markersPut(), 1000u);
  EXPECT_GT(unwinders().marking->counts().recalled - recalledBefore, 200u);
  EXPECT_GE(unwinders().marking->counts().known - knownBefore, GetParam() ? 0u : 200u);
}

TEST_P(Markers, WorkloadsRunAsWithoutThem) {
  workload_here = callHere;
  const long before = walksCompared;
  for (int round = 0; round < 5; ++round) {
    for (const Piece* pieces : {workload_o0, workload_o2, workload_o2fp, workload_noplt,
                                workload_realign, workload_cxx_o0, workload_cxx_o2}) {
      for (const Piece* piece = pieces; piece->name != nullptr; ++piece) {
        SCOPED_TRACE(piece->name);
        if (strcmp(piece->name, "signalFrameElsewhere") == 0) continue;
        descend(round * 20, [piece] { piece->run(); });
      }
    }
  }
  workload_here = nullptr;
  EXPECT_GT(walksCompared - before, 2000);
}

// ----------------------------------------------------------------- modules, depth, limits

TEST_P(Markers, ModulesComeAndGoWhileTheyStand) {
  descend(200, [] {
    void* module = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
    ASSERT_NE(module, nullptr) << dlerror();
    refreshModules();
    callHere();
    descend(50, compareUnwinders);
    dlclose(module);
    refreshModules();
    const uint64_t before = unwinders().marking->counts().frames;
    callHere();
    EXPECT_LT(unwinders().marking->counts().frames - before, 100u) << "markers stand";
    compareUnwinders();
  });
}

// The same code at another address, and other code where it was.
TEST_P(Markers, ModulesComeBackElsewhere) {
  using Call = int(int, void (*)());
  const uint64_t before = markersPut();
  for (int round = 0; round < 4; ++round) {
    void* module = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
    ASSERT_NE(module, nullptr) << dlerror();
    refreshModules();
    auto* call = reinterpret_cast<Call*>(dlsym(module, "pluginCall"));
    ASSERT_NE(call, nullptr);
    for (const int depth : {3, 40, 41}) {
      EXPECT_EQ(call(depth, [] {
                  callHere();
                  compareUnwinders();
                }), depth);
    }
    Dl_info info;
    ASSERT_NE(dladdr(reinterpret_cast<void*>(call), &info), 0);
    void* const base = info.dli_fbase;
    dlclose(module);
    // Here it cannot come back to.
    EXPECT_EQ(mmap(base, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
              base);
    refreshModules();
    callHere();
    compareUnwinders();
  }
  EXPECT_GT(markersPut(), before);
}

TEST_P(Markers, DeepRecursion) {
  EXPECT_GT(descend(10000, [] { callHere(); }), 10000);
  callHere();
}

}  // namespace
}  // namespace parallax::tests
