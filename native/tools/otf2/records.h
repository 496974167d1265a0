// The event records of OTF2, and what the import counts of each.
#pragma once

#include <array>
#include <cstdint>

namespace parallax::otf2 {

// X(name): the record NAME, as the callbacks of the library name it.
#define PARALLAX_OTF2_RECORDS(X)                                                                      \
  X(BufferFlush) X(MeasurementOnOff) X(Enter) X(Leave) X(MpiSend) X(MpiIsend) X(MpiIsendComplete)     \
  X(MpiIrecvRequest) X(MpiRecv) X(MpiIrecv) X(MpiRequestTest) X(MpiRequestCancelled)                  \
  X(MpiCollectiveBegin) X(MpiCollectiveEnd) X(OmpFork) X(OmpJoin) X(OmpAcquireLock) X(OmpReleaseLock) \
  X(OmpTaskCreate) X(OmpTaskSwitch) X(OmpTaskComplete) X(Metric) X(ParameterString) X(ParameterInt)   \
  X(ParameterUnsignedInt) X(RmaWinCreate) X(RmaWinDestroy) X(RmaCollectiveBegin) X(RmaCollectiveEnd)  \
  X(RmaGroupSync) X(RmaRequestLock) X(RmaAcquireLock) X(RmaTryLock) X(RmaReleaseLock) X(RmaSync)      \
  X(RmaWaitChange) X(RmaPut) X(RmaGet) X(RmaAtomic) X(RmaOpCompleteBlocking)                          \
  X(RmaOpCompleteNonBlocking) X(RmaOpTest) X(RmaOpCompleteRemote) X(ThreadFork) X(ThreadJoin)         \
  X(ThreadTeamBegin) X(ThreadTeamEnd) X(ThreadAcquireLock) X(ThreadReleaseLock) X(ThreadTaskCreate)   \
  X(ThreadTaskSwitch) X(ThreadTaskComplete) X(ThreadCreate) X(ThreadBegin) X(ThreadWait) X(ThreadEnd) \
  X(CallingContextEnter) X(CallingContextLeave) X(CallingContextSample) X(IoCreateHandle)             \
  X(IoDestroyHandle) X(IoDuplicateHandle) X(IoSeek) X(IoChangeStatusFlags) X(IoDeleteFile)            \
  X(IoOperationBegin) X(IoOperationTest) X(IoOperationIssued) X(IoOperationComplete)                  \
  X(IoOperationCancelled) X(IoAcquireLock) X(IoReleaseLock) X(IoTryLock) X(ProgramBegin)              \
  X(ProgramEnd) X(NonBlockingCollectiveRequest) X(NonBlockingCollectiveComplete) X(CommCreate)        \
  X(CommDestroy) X(Unknown)

enum class RecordType : uint8_t {
#define X(name) k##name,
  PARALLAX_OTF2_RECORDS(X)
#undef X
};

inline constexpr const char* kRecordNames[] = {
#define X(name) #name,
    PARALLAX_OTF2_RECORDS(X)
#undef X
};
inline constexpr size_t kRecordTypes = sizeof kRecordNames / sizeof kRecordNames[0];

// What can be wrong with records of an archive. Each has a sentence in report.cpp.
enum class Fault : uint8_t {
  kUndefinedRegion, kLeaveWithoutEnter, kLeaveOfOuter, kTimeBackwards, kUndefinedCommunicator, kPeerOutside,
  kNotMember, kUndefinedMetric, kRequestWithoutEnd, kNoSizes, kUndefinedOperation, kUnknownThread, kUndefinedTeam,
  kUndefinedContext, kSeveralThreads, kNoOrder, kUndefinedWindow, kSampleInCall, kUndefinedParameter, kManyTexts,
  kUndefinedFile, kUndefinedGroup, kOtherTimer,
  kCount,
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::kCount);

// Counters of records and faults. Plain numbers, so that workers can add theirs to memory that they share.
struct Counts {
  std::array<uint64_t, kRecordTypes> read{};  // records that the library delivered
  std::array<uint64_t, kRecordTypes> left{};  // those of them that are not in the trace
  std::array<uint64_t, kFaults> faults{};

  void add(const Counts& other) {
    for (size_t i = 0; i < kRecordTypes; i++) read[i] += other.read[i], left[i] += other.left[i];
    for (size_t i = 0; i < kFaults; i++) faults[i] += other.faults[i];
  }
  uint64_t total() const {
    uint64_t sum = 0;
    for (const uint64_t count : read) sum += count;
    return sum;
  }
};

}  // namespace parallax::otf2
