// What is known of events whose space is given back, against all of them.
#include "transport/kept_past.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace parallax {
namespace {

using format::Kind;
using format::KeptWhat;

class AgentKeptPast : public testing::Test {
 protected:
  void SetUp() override {
    keepLast(1000);
    past_ = KeptPast::make();
    ASSERT_NE(nullptr, past_);
  }
  void TearDown() override {
    endBlock();
    past_->release();
    keepLast(0);
  }
  void add(Kind kind, uint32_t operand, const std::vector<uint64_t>& payload = {}) {
    if (slots_.size() + payload.size() + 2 > format::kBlockSlots) endBlock();
    if (format::fitsOperand(operand)) {
      slots_.push_back(format::eventSlot(kind, operand, ++ticks_));
    } else {
      slots_.push_back(format::eventSlot(kind, format::kOperandEscape, ++ticks_));
      slots_.push_back(format::payloadSlot(operand));
    }
    for (const uint64_t value : payload) slots_.push_back(format::payloadSlot(value));
  }
  // A block counts once, however often it is shown.
  void endBlock() {
    std::vector<uint64_t> memory(sizeof(format::BlockHeader) / 8 + slots_.size());
    auto* header = reinterpret_cast<format::BlockHeader*>(memory.data());
    header->number = number_++;
    std::copy(slots_.begin(), slots_.end(), memory.begin() + sizeof(format::BlockHeader) / 8);
    past_->add(header, memory.data() + memory.size());
    past_->add(header, memory.data() + memory.size());
    slots_.clear();
  }

  struct Item {
    uint32_t operand;
    std::vector<uint64_t> values;
  };
  std::vector<Item> items(KeptWhat what) {
    std::vector<Item> found;
    past_->forEach([&](uint32_t operand, const uint64_t* payload, size_t count) {
      if (payload[0] == static_cast<uint64_t>(what)) found.push_back({operand, {payload + 1, payload + count}});
      return true;
    });
    return found;
  }

  KeptPast* past_ = nullptr;
  std::vector<uint64_t> slots_;
  uint64_t number_ = 0, ticks_ = 0;
};

TEST_F(AgentKeptPast, KnowsWhatIsOpen) {
  add(Kind::kEnter, 5);
  add(Kind::kEnter, 0x12345678);
  add(Kind::kEnter, 7);
  add(Kind::kEnter, 9);
  add(Kind::kLeave, 9);
  add(Kind::kEnter, 0x23456789);
  add(Kind::kLeave, 0x23456789);
  add(Kind::kEnter, 8);
  endBlock();
  add(Kind::kLeave, 7);  // by longjmp
  add(Kind::kPhaseBegin, 3);
  add(Kind::kPhaseBegin, 4);
  add(Kind::kPhaseEnd, 4);
  add(Kind::kCollectivePost, 1, {9, 8, 7, 6});
  add(Kind::kCollectivePost, 1, {9, 8, 7, 7});
  add(Kind::kCollective, 1, {9, 8, 7, 6});
  add(Kind::kWindow, 2, {format::opAndRank(format::WindowOp::kStart, 3)});
  add(Kind::kWindow, 2, {format::opAndRank(format::WindowOp::kStart, 3)});
  add(Kind::kWindow, 2, {format::opAndRank(format::WindowOp::kPut, 3), 1, 1});
  endBlock();
  const auto calls = items(KeptWhat::kCall);
  ASSERT_EQ(2u, calls.size());
  EXPECT_EQ(5u, calls[0].operand);
  EXPECT_EQ(0x12345678u, calls[1].operand);
  EXPECT_EQ(2u, calls[1].values[0]);
  ASSERT_EQ(1u, items(KeptWhat::kPhase).size());
  EXPECT_EQ(3u, items(KeptWhat::kPhase)[0].operand);
  const auto collectives = items(KeptWhat::kCollective);
  ASSERT_EQ(1u, collectives.size());
  EXPECT_EQ(7u, collectives[0].values[3]);
  const auto epochs = items(KeptWhat::kEpochs);
  ASSERT_EQ(1u, epochs.size());
  EXPECT_EQ(2u, epochs[0].values[1]);
}

// Receives that other threads complete must not fill the memory.
TEST_F(AgentKeptPast, TheOldestOfManyPostedReceivesAreForgotten) {
  constexpr uint64_t kMany = 20000;
  for (uint64_t request = 1; request <= kMany; request++) {
    add(Kind::kReceivePost, 1, {format::peerAndTag(2, 3), request});
    if (request % 7 == 0) add(Kind::kReceive, 1, {format::peerAndTag(2, 3), 4, request});
  }
  endBlock();
  const auto posted = items(KeptWhat::kPosted);
  ASSERT_GT(posted.size(), 1000u);
  EXPECT_LE(posted.size(), 4096u);
  for (size_t i = 1; i < posted.size(); i++) EXPECT_LT(posted[i - 1].values[1], posted[i].values[1]);
  EXPECT_EQ(kMany, posted.back().values[1]);
}

// The place of each receive on its channel, as if all events were there.
TEST_F(AgentKeptPast, ReceivesKeepTheirPlaces) {
  struct Receive {
    uint32_t communicator;
    uint64_t pattern, actual, request;
    bool isDone;
  };
  for (unsigned seed = 1; seed <= 20; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TearDown();
    SetUp();
    number_ = 0;
    std::mt19937 random(seed);
    const auto below = [&](uint32_t most) { return static_cast<uint32_t>(random() % most); };
    std::vector<Receive> receives;
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> sends;
    const uint32_t channels = seed % 4 == 0 ? 400 : 3;
    for (uint64_t step = 0; step < 4000; step++) {
      const uint32_t communicator = below(2);
      const uint64_t actual = format::peerAndTag(below(channels), below(2));
      switch (below(4)) {
        case 0:
          sends[{communicator, actual}]++;
          add(Kind::kSend, communicator, {actual, 4});
          break;
        case 1:
          receives.push_back({communicator, actual, actual, 0, true});
          add(Kind::kReceive, communicator, {actual, 4});
          break;
        case 2: {
          const uint64_t pattern = format::peerAndTag(below(3) == 0 ? format::kAnySource : format::peerOf(actual),
                                                      below(3) == 0 ? format::kAnyTag : format::tagOf(actual));
          receives.push_back({communicator, pattern, actual, step + 1, false});
          add(Kind::kReceivePost, communicator, {pattern, step + 1});
          break;
        }
        default: {
          std::vector<size_t> open;
          for (size_t i = 0; i < receives.size(); i++) {
            if (!receives[i].isDone) open.push_back(i);
          }
          if (open.size() < 2) break;
          const size_t chosen = open[below(2) == 0 ? 0 : below(static_cast<uint32_t>(open.size()))];
          const Receive done = receives[chosen];
          if (below(20) == 0) {
            add(Kind::kRequestCancel, 0, {done.request});
            receives.erase(receives.begin() + static_cast<ptrdiff_t>(chosen));
          } else {
            receives[chosen].isDone = true;
            add(Kind::kReceive, done.communicator, {done.actual, 4, done.request});
          }
        }
      }
    }
    endBlock();
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> told, received;
    for (const Item& item : items(KeptWhat::kSends)) told[{item.operand, item.values[0]}] = item.values[1];
    EXPECT_EQ(sends, told);
    told.clear();
    for (const Item& item : items(KeptWhat::kReceives)) told[{item.operand, item.values[0]}] = item.values[1];
    for (const Receive& each : receives) {
      if (each.isDone) received[{each.communicator, each.actual}]++;
    }
    EXPECT_EQ(received, told);
    const auto overtaking = items(KeptWhat::kOvertaking);
    const auto posted = items(KeptWhat::kPosted);
    size_t at = 0;
    for (size_t i = 0; i < receives.size(); i++) {
      const Receive& open = receives[i];
      if (open.isDone) continue;
      ASSERT_LT(at, posted.size());
      EXPECT_EQ(open.request, posted[at].values[1]);
      EXPECT_EQ(open.pattern, posted[at++].values[0]);
      uint64_t before = 0, after = 0;  // of those that have completed on its channel
      for (size_t j = 0; j < receives.size(); j++) {
        const Receive& other = receives[j];
        if (!other.isDone || other.communicator != open.communicator || other.actual != open.actual) continue;
        j < i ? before++ : after++;
      }
      uint64_t overtook = 0;
      for (const Item& item : overtaking) {
        const bool isIts = item.operand == open.communicator && item.values[0] == open.actual && item.values[2] == open.request;
        if (isIts) overtook = item.values[1];
      }
      EXPECT_EQ(after, overtook);
      const auto all = received.find({open.communicator, open.actual});
      EXPECT_EQ(before, (all == received.end() ? 0 : all->second) - overtook);
    }
    EXPECT_EQ(at, posted.size());
  }
}

}  // namespace
}  // namespace parallax
