// Live tuning in intercepted routines: what is counted of them, and the moment at which actions are taken.
#include "core/agent.h"
#include "core/process.h"
#include "core/thread.h"

namespace parallax {
namespace {

constexpr int kActionsShift = 32;

bool areActionsAsked() {
  return live::askedWord.load(std::memory_order_relaxed)->load(std::memory_order_relaxed) >> kActionsShift != 0;
}

// Returns the points of a visit that begins now.
live::RoutinePoints attendTo(Region& region) {
  if (!live::page()) live::beginInChild();  // that was made without a call of fork
  if (areActionsAsked()) {
    if (auto* take = takeActions.load(std::memory_order_acquire)) take(region.name(), region.group());
  }
  const live::RoutinePoints points = region.points();
  if (!points.isEmpty() && region.group() == format::Group::kMpi) {
    if (auto* attend = attendMeasuredMpi.load(std::memory_order_acquire)) attend();
  }
  return points;
}

}  // namespace

std::atomic<void (*)(const char*, format::Group)> takeActions{nullptr};
std::atomic<void (*)()> attendMeasuredMpi{nullptr};

bool isAskedFor(Adapter adapter) {
  return adapter == Adapter::kPthread && process.isSilent() &&
         (areActionsAsked() || live::isMeasured(format::Group::kPthread));
}

__attribute__((noinline)) void Call::attend(Region& region, Manner manner) {
  isCompletion_ = manner != Manner::kPlain;
  visit_.begin(attendTo(region));
  isMeasured_ = visit_.isOn();
  if (isMeasured_) visitTicks_ = readTicks();
}

// Requests of MPI are followed from their begin, so that their end tells what it moved.
__attribute__((noinline)) bool Call::beginSilently(Region& region, Relevance relevance) {
  isSilent_ = true;
  const bool isFollowed = isMeasured_ || relevance == Relevance::kFollowed ||
                          (region.group() == format::Group::kMpi && live::isAsked() && live::isMeasured(format::Group::kMpi));
  if (!isFollowed) ended_ = true;  // the Guard stands: what is called inside is not called by the program
  ticks_ = enterTicks_ = visitTicks_;
  return false;
}

// Each message counts where its bytes are first known: one that is sent, or a collective, when it begins; one that is received when it
// has arrived.
__attribute__((noinline)) void Call::measure(Kind kind, const uint64_t* payload) {
  switch (kind) {
    case Kind::kSend:
    case Kind::kReceive:
      return visit_.message(static_cast<uint32_t>(payload[0] >> 32), payload[1]);
    case Kind::kCollective:
      if (isCompletion_) return;
      [[fallthrough]];
    case Kind::kCollectivePost:
      return visit_.message(live::kOthers, payload[1] > payload[2] ? payload[1] : payload[2]);
    default:
      return;
  }
}

__attribute__((noinline)) void Call::endVisit() {
  const uint64_t now = returned_ ? ticks_ : readTicks();
  visit_.end(now > visitTicks_ ? now - visitTicks_ : 0);
}

__attribute__((noinline)) void LoneVisit::begin(Region& region) {
  visit_.begin(attendTo(region));
  if (visit_.isOn()) ticks_ = readTicks();
}

__attribute__((noinline)) void LoneVisit::endNow() {
  const uint64_t now = readTicks();
  visit_.end(now > ticks_ ? now - ticks_ : 0);
}

}  // namespace parallax
