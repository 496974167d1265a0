// What is known of events whose space is given back, against all of them.
#include "transport/kept_past.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
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
  void endBlock(uint32_t lost = 0) {
    std::vector<uint64_t> memory(sizeof(format::BlockHeader) / 8 + slots_.size());
    auto* header = reinterpret_cast<format::BlockHeader*>(memory.data());
    header->number = number_++;
    header->lost = lost;
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

  static int makeFile() {
    const int fd = memfd_create("events", MFD_CLOEXEC);
    EXPECT_EQ(0, ftruncate(fd, 8 * static_cast<off_t>(format::kBlockBytes)));
    return fd;
  }
  static uint32_t toldFrom(int fd) {
    uint32_t from = 0;
    EXPECT_EQ(4, pread(fd, &from, sizeof from, offsetof(format::BlockHeader, keptFrom)));
    return from;
  }
  // In a process of its own, of a file whose second to fourth block can be given back. 0, the number of the check that
  // failed, or -1 if a signal ended it.
  static int inChild(const std::function<int(KeptPast*)>& checks) {
    const pid_t pid = fork();
    if (pid == 0) {
      KeptPast* past = KeptPast::make();  // not copied into children
      past->mark(4, 1);
      past->mark(6, 100000);
      _exit(checks(past));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  static bool refuseHoles(int error) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof code / sizeof code[0], code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
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

// Each overtaking is a count of its own, for as long as the receive is open.
TEST_F(AgentKeptPast, ManyOvertakingsLeaveRoomForChannels) {
  const uint64_t wild = format::peerAndTag(format::kAnySource, 5), one = format::peerAndTag(3, 5);
  for (uint64_t i = 0; i < 62000; i++) {
    const uint64_t request = 2 * i + 1;
    add(Kind::kReceivePost, 1, {i < 1000 ? wild : one, request});
    add(Kind::kReceivePost, 1, {one, request + 1});
    add(Kind::kReceive, 1, {one, 4, request + 1});
    add(Kind::kReceive, 1, {one, 4, request});
  }
  for (uint32_t peer = 0; peer < 9000; peer++) add(Kind::kSend, 2, {format::peerAndTag(peer, 1), 4});
  endBlock();
  EXPECT_EQ(9000u, items(KeptWhat::kSends).size());
  EXPECT_EQ(0u, items(KeptWhat::kOvertaking).size());
  ASSERT_EQ(1u, items(KeptWhat::kReceives).size());
  EXPECT_EQ(2u * 62000, items(KeptWhat::kReceives)[0].values[1]);
}

// The thread that posts a receive cannot see that another one completes it.
TEST_F(AgentKeptPast, NoReceiveIsOpenWhereOtherThreadsCompleteThem) {
  const uint64_t channel = format::peerAndTag(3, 5);
  for (uint64_t request = 1; request <= 3; request++) add(Kind::kReceivePost, 1, {channel, request});
  add(Kind::kReceive, 1, {channel, 4, 2});
  endBlock();
  EXPECT_EQ(2u, items(KeptWhat::kPosted).size());
  EXPECT_EQ(1u, items(KeptWhat::kOvertaking).size());
  EXPECT_EQ(nullptr, takeKeptNote());
  KeptPast* const poster = past_;
  past_ = KeptPast::make();
  number_ = 0;
  add(Kind::kReceive, 1, {channel, 4, 1});
  endBlock();
  const char* note = takeKeptNote();
  ASSERT_NE(nullptr, note);
  EXPECT_NE(nullptr, strstr(note, "--keep-last"));
  EXPECT_EQ(nullptr, takeKeptNote());
  EXPECT_EQ(1u, items(KeptWhat::kReceives).size());
  past_->release();
  past_ = poster;
  number_ = 1;
  past_->beginWindow(1, 100);
  for (uint64_t request = 4; request <= 6; request++) add(Kind::kReceivePost, 1, {channel, request});
  add(Kind::kReceive, 1, {channel, 4, 5});
  endBlock();
  EXPECT_EQ(0u, items(KeptWhat::kPosted).size());
  EXPECT_EQ(0u, items(KeptWhat::kOvertaking).size());
  ASSERT_EQ(1u, items(KeptWhat::kReceives).size());
  EXPECT_EQ(2u, items(KeptWhat::kReceives)[0].values[1]);
}

// It is not known whether the post was among the events that were lost.
TEST_F(AgentKeptPast, AReceiveWhosePostWasLostIsNoOtherThreads) {
  add(Kind::kReceivePost, 1, {format::peerAndTag(3, 5), 1});
  endBlock(7);
  add(Kind::kReceive, 1, {format::peerAndTag(3, 5), 4, 9});
  endBlock();
  EXPECT_EQ(nullptr, takeKeptNote());
  EXPECT_EQ(1u, items(KeptWhat::kPosted).size());
}

// The end of a collective in a pause is not recorded.
TEST_F(AgentKeptPast, NoCollectiveIsOpenAfterAPause) {
  constexpr uint32_t kPausePath = 77;
  tellPausePath(kPausePath);
  add(Kind::kCollectivePost, 1, {9, 8, 7, 6});
  add(Kind::kEnter, 5);
  add(Kind::kLeave, 5);
  endBlock();
  EXPECT_EQ(1u, items(KeptWhat::kCollective).size());
  add(Kind::kEnter, kPausePath);
  add(Kind::kLeave, kPausePath);
  add(Kind::kCollectivePost, 1, {9, 8, 7, 8});
  endBlock();
  ASSERT_EQ(1u, items(KeptWhat::kCollective).size());
  EXPECT_EQ(8u, items(KeptWhat::kCollective)[0].values[3]);
  EXPECT_EQ(0u, items(KeptWhat::kCall).size());
}

// SIGXFSZ ends a process.
TEST_F(AgentKeptPast, NoSignalComesOfALimitOnFiles) {
  const int fd = makeFile();
  EXPECT_EQ(0, inChild([&](KeptPast* past) {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (past->giveBack(fd, 100000, false)) return 1;
    limit.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (takeKeptNote() != nullptr) return 2;
    return past->giveBack(fd, 100000, false) ? 0 : 3;
  }));
  EXPECT_EQ(4u, toldFrom(fd));
  close(fd);
}

TEST_F(AgentKeptPast, AFileSystemWithoutHolesIsTold) {
  const int fd = makeFile();
  EXPECT_EQ(0, inChild([&](KeptPast* past) {
    if (!refuseHoles(EOPNOTSUPP)) return 1;
    if (past->giveBack(fd, 100000, false)) return 2;
    const char* note = takeKeptNote();
    if (note == nullptr || strstr(note, "cannot give back space") == nullptr) return 3;
    past->beginWindow(7, 100001);
    return past->isDue() ? 4 : 0;
  }));
  EXPECT_EQ(0u, toldFrom(fd));
  close(fd);
}

// Others may have an error that passes.
TEST_F(AgentKeptPast, ASingleFailureIsNoRefusal) {
  const int fd = makeFile();
  EXPECT_EQ(0, inChild([&](KeptPast* past) {
    if (!refuseHoles(EIO)) return 1;
    if (past->giveBack(fd, 100000, false)) return 2;
    if (takeKeptNote() != nullptr) return 3;
    past->beginWindow(7, 100001);
    return past->isDue() ? 0 : 4;
  }));
  EXPECT_EQ(0u, toldFrom(fd));
  close(fd);
}

}  // namespace
}  // namespace parallax
