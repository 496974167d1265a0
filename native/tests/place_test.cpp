// Where a thread is (core/place.h): its states and transitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/agent.h"
#include "core/place.h"

namespace parallax {
namespace {

using State = Place::State;

constexpr State kAll[] = {State::kProgram, State::kRoutine, State::kHook,
                          State::kRuntime, State::kAgent,   State::kGone};
constexpr uintptr_t kTop = 0x7ffc12345670;
alignas(8) const char kMemory[8] = {};
const Guard* const kGuard = reinterpret_cast<const Guard*>(kMemory);

// One that is there.
Place placeIn(State state) {
  Place place{};
  switch (state) {
    case State::kProgram: break;
    case State::kRoutine: place.enterRoutine(kGuard); break;
    case State::kHook: place.enterHook(kTop); break;
    case State::kRuntime: place.enterRuntime(); break;
    case State::kAgent: place.enterAgent(); break;
    case State::kGone: place.end(); break;
  }
  return place;
}

TEST(Place, IsInOneState) {
  for (const State state : kAll) {
    const Place place = placeIn(state);
    EXPECT_EQ(place.state(), state);
    EXPECT_EQ(place.isProgram(), state == State::kProgram);
    EXPECT_EQ(place.isRoutine(), state == State::kRoutine);
    EXPECT_EQ(place.isHook(), state == State::kHook);
    EXPECT_EQ(place.isRuntime(), state == State::kRuntime);
    EXPECT_EQ(place.isGone(), state == State::kGone);
  }
  EXPECT_EQ(Place().state(), State::kProgram);
  EXPECT_EQ(placeIn(State::kRoutine).guard(), kGuard);
  EXPECT_EQ(placeIn(State::kHook).hookTop(), kTop);
}

// The table of transitions, as it is meant.
TEST(Place, HasTheseTransitions) {
  const auto to = [](State from) {
    std::vector<State> found;
    std::copy_if(std::begin(kAll), std::end(kAll), std::back_inserter(found),
                 [&](State state) { return Place::mayGo(from, state); });
    return found;
  };
  const std::vector<State> all(std::begin(kAll), std::end(kAll));
  EXPECT_EQ(to(State::kProgram), all);
  EXPECT_EQ(to(State::kRoutine),
            (std::vector<State>{State::kProgram, State::kRoutine, State::kAgent, State::kGone}));
  EXPECT_EQ(to(State::kHook), (std::vector<State>{State::kProgram, State::kAgent, State::kGone}));
  EXPECT_EQ(to(State::kRuntime), (std::vector<State>{State::kProgram, State::kAgent, State::kGone}));
  EXPECT_EQ(to(State::kAgent), all);
  EXPECT_EQ(to(State::kGone), (std::vector<State>{State::kGone}));
}

TEST(Place, ReturnsToWhereItWas) {
  for (const State state : kAll) {
    if (state == State::kGone) continue;
    Place place = placeIn(state);
    const Place former = place.enterAgent();
    EXPECT_EQ(place.state(), State::kAgent);
    EXPECT_EQ(former.state(), state);
    place.resume(former);
    EXPECT_EQ(place.state(), state);
    if (state == State::kRoutine) {
      EXPECT_EQ(place.guard(), kGuard);
    } else if (state == State::kHook) {
      EXPECT_EQ(place.hookTop(), kTop);
    }
    place.returnToProgram();
    EXPECT_TRUE(place.isProgram());
  }
}

TEST(Place, AnEndIsTheEnd) {
  for (const State state : kAll) {
    Place place = placeIn(state);
    place.end();
    EXPECT_TRUE(place.isGone());
    place.leaveRoutine();  // of a Guard within which it came
    EXPECT_TRUE(place.isGone());
  }
  Place routine = placeIn(State::kRoutine);
  routine.leaveRoutine();
  EXPECT_TRUE(routine.isProgram());
}

}  // namespace
}  // namespace parallax
