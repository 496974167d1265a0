#include "markers_fixture.h"

#include <execinfo.h>

#include "core/agent.h"

namespace parallax::tests {

namespace {

// Without the frames of stubs; the frame after one of them shows the call, not what follows it.
void addFrame(Backtrace* backtrace, uint64_t pc) {
  static thread_local bool afterMarker;
  if (isMarker(pc)) {
    afterMarker = true;
    return;
  }
  backtrace->pcs.push_back(afterMarker ? pc + 1 : pc);
  afterMarker = false;
}

}  // namespace

volatile long sink;
long walksCompared = 0;

Unwinders& unwinders() {
  static thread_local Unwinders both{};
  if (both.marking == nullptr) {
    refreshModules();
    both.marking = Unwinder::create();
    both.marking->attach(stackOfThread());
    both.plain = Unwinder::create();
    both.plain->attach(stackOfThread());
    both.plain->setEconomy(Economy::kRuleCache);
  }
  return both;
}

NOINLINE void callHere() {
  WalkStart start;
  CAPTURE(start);
  const Unwinders& both = unwinders();
  const uint32_t before = both.plain->path(start, true);
  const uint32_t found = both.marking->pathOfCall({start.pc, start.rsp, start.rbp, true});
  const uint32_t after = both.plain->path(start, true);
  ++walksCompared;
  ASSERT_NE(found, 0u);
  ASSERT_EQ(found, before);
  ASSERT_EQ(found, after);
}

NOINLINE void callRoutine() {
  const auto* frame = static_cast<const uint64_t*>(__builtin_frame_address(0));
  WalkStart start;
  start.pc = frame[1];
  start.rsp = reinterpret_cast<uint64_t>(frame + 2);
  start.rbp = frame[0];
  const Unwinders& both = unwinders();
  const uint32_t expected = both.plain->path(start, false);
  const uint32_t found = both.marking->pathOfCall({start.pc, start.rsp, start.rbp, false});
  ++walksCompared;
  ASSERT_NE(found, 0u);
  ASSERT_EQ(found, expected);
}

_Unwind_Reason_Code onFrame(_Unwind_Context* context, void* backtrace) {
  const uint64_t pc = _Unwind_GetIP(context);
  if (pc != 0) addFrame(static_cast<Backtrace*>(backtrace), pc);
  return _URC_NO_REASON;
}

NOINLINE void compareUnwinders() {
  Backtrace runtime, glibc;
  static void* addresses[4 * kMostFrames];
  static uint64_t pcs[kMostFrames];
  WalkStart start;
  WalkEnd end;
  _Unwind_Backtrace(onFrame, &runtime);
  const int count = backtrace(addresses, 4 * kMostFrames);
  CAPTURE(start);
  const size_t walked = unwinders().plain->walk(start, true, pcs, kMostFrames, &end);
  for (int i = 0; i < count; ++i) addFrame(&glibc, reinterpret_cast<uint64_t>(addresses[i]));
  ASSERT_EQ(end, WalkEnd::kRoot);
  ASSERT_EQ(runtime.pcs.size(), walked);
  for (size_t i = 1; i < walked; ++i) ASSERT_EQ(runtime.pcs[i], pcs[i]) << "frame " << i;
  // glibc has its own last frame in some versions.
  ASSERT_GE(glibc.pcs.size(), walked);
  for (size_t i = 1; i < walked; ++i) ASSERT_EQ(glibc.pcs[i], pcs[i]) << "frame " << i;
}

void Markers::SetUp() {
  if (!markersAllowed() && (unwinders(), !markersAllowed())) {
    GTEST_SKIP() << "markers are not used in this process (sanitizers, or PARALLAX_MARKERS=0)";
  }
  unwinders().marking->attach(stackOfThread());
  unwinders().marking->setMarkAll(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Some, Markers, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(All, Markers, testing::Values(true));

}  // namespace parallax::tests
