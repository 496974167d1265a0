// The table of requests, scratch memory and statuses, without an MPI.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_request.h"

namespace parallax::mpi {
namespace {

Request requestOf(RequestKind kind, uint64_t number, bool persistent = false) {
  Request request{};
  request.kind = kind;
  request.number = number;
  request.persistent = persistent;
  request.active = !persistent;
  return request;
}

TEST(MpiRequests, AreTakenOnce) {
  const Handle handle = 0x1001;
  int variable = 0;
  Request taken;
  EXPECT_FALSE(takeRequest(handle, &variable, requestMoment(), &taken));
  addRequest(handle, &variable, requestOf(RequestKind::kSend, 5));
  EXPECT_TRUE(takeRequest(handle, &variable, requestMoment(), &taken));
  EXPECT_EQ(5u, taken.number);
  EXPECT_FALSE(takeRequest(handle, &variable, requestMoment(), &taken));
}

// Operations that completed at once share a handle: the variable tells them apart.
TEST(MpiRequests, OneHandleForSeveral) {
  const Handle handle = 0x2002;
  int first = 0, second = 0, third = 0, elsewhere = 0;
  Request taken;
  addRequest(handle, &first, requestOf(RequestKind::kSend, 1));
  addRequest(handle, &second, requestOf(RequestKind::kNull, 2));
  addRequest(handle, &third, requestOf(RequestKind::kSend, 3));
  ASSERT_TRUE(takeRequest(handle, &first, requestMoment(), &taken));
  EXPECT_EQ(1u, taken.number);
  ASSERT_TRUE(takeRequest(handle, &third, requestMoment(), &taken));
  EXPECT_EQ(3u, taken.number);
  ASSERT_TRUE(takeRequest(handle, &elsewhere, requestMoment(), &taken));
  EXPECT_EQ(2u, taken.number);
  EXPECT_FALSE(takeRequest(handle, &second, requestMoment(), &taken));
}

// A handle that was released by a wait and given out again before the wait looks here.
TEST(MpiRequests, WhatCameLaterIsNotTaken) {
  const Handle handle = 0x3003;
  int mine = 0, theirs = 0;
  Request taken;
  addRequest(handle, &mine, requestOf(RequestKind::kReceive, 1));
  const uint64_t beforeTheWait = requestMoment();
  addRequest(handle, &theirs, requestOf(RequestKind::kReceive, 2));
  const uint64_t beforeTheirWait = requestMoment();
  // The other thread may be the first to look, or the second.
  ASSERT_TRUE(takeRequest(handle, nullptr, beforeTheirWait, &taken));
  EXPECT_EQ(2u, taken.number);
  ASSERT_TRUE(takeRequest(handle, nullptr, beforeTheWait, &taken));
  EXPECT_EQ(1u, taken.number);
}

TEST(MpiRequests, PersistentStayAndAreTakenWhenActive) {
  const Handle handle = 0x4004;
  int variable = 0;
  Request taken;
  addRequest(handle, &variable, requestOf(RequestKind::kSend, 0, true));
  for (uint64_t start = 1; start <= 3; start++) {
    EXPECT_FALSE(takeRequest(handle, &variable, requestMoment(), &taken));
    ASSERT_TRUE(changeRequest(
        handle, &variable,
        [](Request& request, void* number) {
          request.active = true;
          request.number = *static_cast<uint64_t*>(number);
        },
        &start));
    ASSERT_TRUE(takeRequest(handle, &variable, requestMoment(), &taken));
    EXPECT_EQ(start, taken.number);
  }
  EXPECT_TRUE(removeRequest(handle, &variable, &taken));
  EXPECT_FALSE(taken.active);
  EXPECT_FALSE(removeRequest(handle, &variable, &taken));
}

TEST(MpiRequests, MessagesAreNotRequests) {
  const Handle handle = 0x5005;
  int variable = 0;
  Request taken;
  addRequest(handle, &variable, requestOf(RequestKind::kMessage, 7));
  EXPECT_FALSE(takeRequest(handle, &variable, requestMoment(), &taken));
  EXPECT_FALSE(removeRequest(handle, &variable, &taken));
  addRequest(handle, &variable, requestOf(RequestKind::kSend, 8));
  ASSERT_TRUE(takeMessage(handle, requestMoment(), &taken));
  EXPECT_EQ(7u, taken.number);
  EXPECT_FALSE(takeMessage(handle, requestMoment(), &taken));
  ASSERT_TRUE(takeRequest(handle, &variable, requestMoment(), &taken));
  EXPECT_EQ(8u, taken.number);
}

// Threads that post and complete with a few handles, which a library of two lines gives out again
// as soon as they are free: each request is taken by the thread that posted it.
TEST(MpiRequests, ManyThreadsWithFewHandles) {
  constexpr int kThreads = 4, kRounds = 20000;
  constexpr Handle kHandles = 6;
  std::atomic<bool> used[kHandles] = {};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      int variable = 0;
      for (int round = 0; round < kRounds; round++) {
        Handle handle = 0;
        while (used[handle].exchange(true)) handle = (handle + 1) % kHandles;
        const uint64_t number = nextRequestNumber();
        Request request = requestOf(RequestKind::kReceive, number);
        request.tag = t;
        addRequest(0x6000 + handle, &variable, request);
        const uint64_t moment = requestMoment();
        used[handle].store(false);  // the wait releases the handle before it looks here
        Request taken;
        if (!takeRequest(0x6000 + handle, round % 2 == 0 ? &variable : nullptr, moment, &taken) ||
            taken.number != number || taken.tag != t) {
          wrong++;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

TEST(MpiCallBuffer, SmallAndLarge) {
  for (const size_t sizeBytes : {size_t{0}, size_t{1}, size_t{768}, size_t{769}, size_t{100000},
                                 size_t{3} << 20}) {
    CallBuffer outer(sizeBytes), inner(sizeBytes);
    ASSERT_NE(nullptr, outer.data());
    ASSERT_NE(nullptr, inner.data());
    EXPECT_NE(outer.data(), inner.data());
    memset(outer.data(), 1, sizeBytes);
    memset(inner.data(), 2, sizeBytes);
    for (size_t i = 0; i < sizeBytes; i += 500) {
      EXPECT_EQ(1, static_cast<char*>(outer.data())[i]);
    }
  }
}

TEST(MpiCallBuffer, ManyThreads) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&wrong, t] {
      for (size_t round = 1; round < 500; round++) {
        CallBuffer scratch(round * 37 % 5000 * 40);
        auto* bytes = static_cast<char*>(scratch.data());
        const size_t sizeBytes = round * 37 % 5000 * 40;
        memset(bytes, t, sizeBytes);
        if (sizeBytes > 0 && bytes[sizeBytes / 2] != t) wrong++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

// Counts beyond 31 and 32 bits, and the bit that says cancelled.
TEST(MpiStatus, LargeCounts) {
  recognisedAbi = kMpichAbi;
  const uint32_t inMpich[5] = {0xfffffff0, 3 << 1 | 1, 4, 77, 14};
  StatusView view = readStatus(inMpich);
  EXPECT_EQ(0x3fffffff0u, abi().bytesOf(inMpich));
  EXPECT_TRUE(abi().cancelledIn(inMpich));
  EXPECT_EQ(4, view.source);
  EXPECT_EQ(77, view.tag);
  EXPECT_EQ(14, view.error);

  recognisedAbi = kOpenMpiAbi;
  const uint32_t inOpenMpi[6] = {4, 77, 15, 0, 0xfffffff0, 3};
  view = readStatus(inOpenMpi);
  EXPECT_EQ(0x3fffffff0u, abi().bytesOf(inOpenMpi));
  EXPECT_FALSE(abi().cancelledIn(inOpenMpi));
  EXPECT_EQ(4, view.source);
  EXPECT_EQ(77, view.tag);
  EXPECT_EQ(15, view.error);

  recognisedAbi = kStandardAbi;
  const uint32_t inStandard[8] = {4, 77, 15, 1, 2, 3, 4, 5};
  view = readStatus(inStandard);
  EXPECT_EQ(4, view.source);
  EXPECT_EQ(77, view.tag);
  EXPECT_EQ(15, view.error);
  recognisedAbi = Abi{};
}

// What a handle of another kind is not asked about, in the numbers of each ABI.
TEST(MpiHandles, KindsAreTold) {
  const Handle communicator = 0x84000002, datatype = 0x4c000405, group = 0x48000000;
  EXPECT_TRUE(kMpichAbi.mayBeCommunicator(communicator));
  EXPECT_FALSE(kMpichAbi.mayBeCommunicator(datatype));
  EXPECT_FALSE(kMpichAbi.mayBeCommunicator(group));
  EXPECT_TRUE(kMpichAbi.mayBeDatatype(datatype));
  EXPECT_FALSE(kMpichAbi.mayBeDatatype(communicator));

  const Handle own = 0x5555deadbee0, groupEmpty = 0x109, intType = 0x209, logical16 = 0x2e0;
  EXPECT_TRUE(kStandardAbi.mayBeCommunicator(kStandardAbi.world));
  EXPECT_TRUE(kStandardAbi.mayBeCommunicator(kStandardAbi.self));
  EXPECT_TRUE(kStandardAbi.mayBeCommunicator(own));
  EXPECT_FALSE(kStandardAbi.mayBeCommunicator(groupEmpty));
  EXPECT_FALSE(kStandardAbi.mayBeCommunicator(intType));
  EXPECT_TRUE(kStandardAbi.mayBeDatatype(intType));
  EXPECT_TRUE(kStandardAbi.mayBeDatatype(logical16));
  EXPECT_TRUE(kStandardAbi.mayBeDatatype(own));
  EXPECT_FALSE(kStandardAbi.mayBeDatatype(kStandardAbi.world));
}

}  // namespace
}  // namespace parallax::mpi
