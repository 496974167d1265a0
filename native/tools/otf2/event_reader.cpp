// The callbacks of the OTF2 library, one for each event record.
#include <algorithm>

#include "tools/otf2/location_import.h"

namespace parallax::otf2 {

using namespace format;

namespace {

uint64_t lockAddress(uint32_t model, uint32_t lock) { return uint64_t{model} << 32 | lock; }

uint64_t request(uint64_t id) { return id & ~(kPayloadBit | uint64_t{1} << 62); }

}  // namespace

#define COMMON_TYPES OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void*, OTF2_AttributeList*
#define COMMON                                                                                            \
  [[maybe_unused]] OTF2_LocationRef location, OTF2_TimeStamp time, [[maybe_unused]] uint64_t position,    \
      void *data, [[maybe_unused]] OTF2_AttributeList *attributes
#define BEGIN(name)                                              \
  LocationImport& to = *static_cast<LocationImport*>(data);      \
  constexpr RecordType kType = RecordType::k##name;              \
  to.process_.counts.read[static_cast<size_t>(kType)]++;         \
  const uint64_t ticks = to.at(time);                            \
  (void)ticks

struct EventReader {
  using Result = OTF2_CallbackCode;
  static constexpr Result kDone = OTF2_CALLBACK_SUCCESS;

  static Result Enter(COMMON, OTF2_RegionRef region) {
    BEGIN(Enter);
    to.enter(region, ticks);
    return kDone;
  }
  static Result Leave(COMMON, OTF2_RegionRef region) {
    BEGIN(Leave);
    to.leaveRegion(region, ticks);
    return kDone;
  }
  static Result BufferFlush(COMMON, OTF2_TimeStamp stop) {
    BEGIN(BufferFlush);
    to.push(to.process_.paths.child(to.top(), ProcessImport::kFlush), ProcessImport::kFlush, ticks);
    to.records_--;
    to.pop(to.at(std::max(stop, time)));
    return kDone;
  }
  static Result MeasurementOnOff(COMMON, OTF2_MeasurementMode mode) {
    BEGIN(MeasurementOnOff);
    to.pause(mode == OTF2_MEASUREMENT_OFF, ticks);
    return kDone;
  }
  static Result MpiSend(COMMON, uint32_t receiver, OTF2_CommRef ref, uint32_t tag, uint64_t length) {
    BEGIN(MpiSend);
    if (const auto* communicator = to.member(kType, ref, receiver)) {
      to.output_.event(Kind::kSend, communicator->number, ticks, {peerAndTag(receiver, tag), length});
    }
    return kDone;
  }
  static Result MpiIsend(COMMON, uint32_t receiver, OTF2_CommRef ref, uint32_t tag, uint64_t length, uint64_t id) {
    BEGIN(MpiIsend);
    if (const auto* communicator = to.member(kType, ref, receiver)) {
      to.output_.event(Kind::kSend, communicator->number, ticks, {peerAndTag(receiver, tag), length, request(id)});
    }
    return kDone;
  }
  static Result MpiIsendComplete(COMMON, uint64_t id) {
    BEGIN(MpiIsendComplete);
    to.output_.event(Kind::kRequestDone, 0, ticks, {request(id)});
    return kDone;
  }
  static Result MpiIrecvRequest(COMMON, uint64_t id) {
    BEGIN(MpiIrecvRequest);
    const auto [found, isNew] = to.receives_.try_emplace(request(id));
    if (!isNew) {
      to.output_.release(found->second);
      to.leave(kType, Fault::kRequestWithoutEnd);
    }
    found->second = to.output_.hold(ticks, 2);
    return kDone;
  }
  static Result MpiRecv(COMMON, uint32_t sender, OTF2_CommRef ref, uint32_t tag, uint64_t length) {
    BEGIN(MpiRecv);
    if (const auto* communicator = to.member(kType, ref, sender)) {
      to.output_.event(Kind::kReceive, communicator->number, ticks, {peerAndTag(sender, tag), length});
    }
    return kDone;
  }
  static Result MpiIrecv(COMMON, uint32_t sender, OTF2_CommRef ref, uint32_t tag, uint64_t length, uint64_t id) {
    BEGIN(MpiIrecv);
    const auto posted = to.receives_.find(request(id));
    const auto* communicator = to.member(kType, ref, sender);
    if (communicator != nullptr) {
      const uint64_t message = peerAndTag(sender, tag);
      if (posted != to.receives_.end()) {
        to.output_.complete(posted->second, Kind::kReceivePost, communicator->number, {message, request(id)});
      }
      to.output_.event(Kind::kReceive, communicator->number, ticks, {message, length, request(id)});
    } else if (posted != to.receives_.end()) {
      to.output_.release(posted->second);
    }
    if (posted != to.receives_.end()) to.receives_.erase(posted);
    return kDone;
  }
  static Result MpiRequestCancelled(COMMON, uint64_t id) {
    BEGIN(MpiRequestCancelled);
    const auto posted = to.receives_.find(request(id));
    if (posted != to.receives_.end()) {  // it never took part
      to.output_.release(posted->second);
      to.receives_.erase(posted);
    } else {
      to.output_.event(Kind::kRequestCancel, 0, ticks, {request(id)});
    }
    return kDone;
  }
  static Result MpiCollectiveBegin(COMMON) {  // MpiCollectiveEnd says all
    BEGIN(MpiCollectiveBegin);
    return kDone;
  }
  static Result MpiCollectiveEnd(COMMON, OTF2_CollectiveOp op, OTF2_CommRef ref, uint32_t root, uint64_t sent,
                                 uint64_t received) {
    BEGIN(MpiCollectiveEnd);
    to.collective(kType, ticks, op, ref, root, sent, received, nullptr);
    return kDone;
  }
  static Result NonBlockingCollectiveRequest(COMMON, uint64_t id) {
    BEGIN(NonBlockingCollectiveRequest);
    LocationImport::Deferred posted;
    posted.request = id;
    posted.isPosted = true;
    posted.post = to.output_.hold(ticks, 4);
    to.collectives_.push_back(posted);
    return kDone;
  }
  static Result NonBlockingCollectiveComplete(COMMON, OTF2_CollectiveOp op, OTF2_CommRef ref, uint32_t root,
                                              uint64_t sent, uint64_t received, uint64_t id) {
    BEGIN(NonBlockingCollectiveComplete);
    to.collective(kType, ticks, op, ref, root, sent, received, &id);
    return kDone;
  }
  static Result Metric(COMMON, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
                       const OTF2_MetricValue* values) {
    BEGIN(Metric);
    to.metrics(ticks, metric, count, types, values);
    return kDone;
  }
  static Result ThreadFork(COMMON, OTF2_Paradigm, uint32_t) {
    BEGIN(ThreadFork);
    to.forks_++;
    return kDone;
  }
  static Result ThreadJoin(COMMON, OTF2_Paradigm) {  // the barrier at the end of the region says all
    BEGIN(ThreadJoin);
    to.forks_ = 0;
    return kDone;
  }
  static Result ThreadTeamBegin(COMMON, OTF2_CommRef team) {
    BEGIN(ThreadTeamBegin);
    to.beginTeam(team, ticks);
    return kDone;
  }
  static Result ThreadTeamEnd(COMMON, OTF2_CommRef team) {
    BEGIN(ThreadTeamEnd);
    to.endTeam(team, ticks);
    return kDone;
  }
  static SyncKind kindOf(OTF2_Paradigm model) {
    return model == OTF2_PARADIGM_OPENMP ? SyncKind::kOpenMpLock : SyncKind::kMutex;
  }
  static Result ThreadAcquireLock(COMMON, OTF2_Paradigm model, uint32_t lock, uint32_t order) {
    BEGIN(ThreadAcquireLock);
    to.acquire(ticks, lockAddress(model, lock), order, kindOf(model));
    return kDone;
  }
  static Result ThreadReleaseLock(COMMON, OTF2_Paradigm model, uint32_t lock, uint32_t order) {
    BEGIN(ThreadReleaseLock);
    to.release(kType, ticks, lockAddress(model, lock), order, kindOf(model));
    return kDone;
  }
  static Result OmpAcquireLock(COMMON, uint32_t lock, uint32_t order) {
    BEGIN(OmpAcquireLock);
    to.acquire(ticks, lockAddress(OTF2_PARADIGM_OPENMP, lock), order, SyncKind::kOpenMpLock);
    return kDone;
  }
  static Result OmpReleaseLock(COMMON, uint32_t lock, uint32_t order) {
    BEGIN(OmpReleaseLock);
    to.release(kType, ticks, lockAddress(OTF2_PARADIGM_OPENMP, lock), order, SyncKind::kOpenMpLock);
    return kDone;
  }
  static Result ThreadCreate(COMMON, OTF2_CommRef contingent, uint64_t sequence) {
    BEGIN(ThreadCreate);
    const int64_t thread = to.process_.begun(contingent, sequence);
    if (thread < 0) {
      to.leave(kType, Fault::kUnknownThread);
    } else {
      to.process_.creators[static_cast<size_t>(thread)] = to.thread_;
      to.output_.event(Kind::kThreadCreate, 0, ticks, {static_cast<uint64_t>(thread)});
    }
    return kDone;
  }
  static Result ThreadBegin(COMMON, OTF2_CommRef contingent, uint64_t sequence) {
    // The creator is known when its records are read; until then it is the main thread.
    LocationImport& self = *static_cast<LocationImport*>(data);
    const bool isCreated = self.thread_ > 0 && contingent != OTF2_UNDEFINED_COMM;
    if (isCreated && !self.hasBegun_) self.process_.creators[self.thread_] = 0;
    BEGIN(ThreadBegin);
    to.process_.threadBegins[uint64_t{contingent} << 32 | (sequence & 0xFFFFFFFF)] = to.thread_;
    return kDone;
  }
  static Result ThreadWait(COMMON, OTF2_CommRef contingent, uint64_t sequence) {
    BEGIN(ThreadWait);
    const int64_t thread = to.process_.begun(contingent, sequence);
    if (thread < 0) {
      to.leave(kType, Fault::kUnknownThread);
    } else {
      to.output_.event(Kind::kThreadJoin, 0, ticks, {static_cast<uint64_t>(thread)});
    }
    return kDone;
  }
  static Result ThreadEnd(COMMON, OTF2_CommRef, uint64_t) {  // the thread's last event says it
    BEGIN(ThreadEnd);
    return kDone;
  }
  static Result CallingContextEnter(COMMON, OTF2_CallingContextRef context, uint32_t) {
    BEGIN(CallingContextEnter);
    const uint32_t path = to.process_.contextPath(context);
    if (path == CallPathTable::kNone) {
      to.leave(kType, Fault::kUndefinedContext);
    } else {
      const uint32_t region = to.process_.paths.nodes()[path].region;
      to.process_.hasFunctionCalls = to.process_.hasFunctionCalls || !to.process_.isRoutine(region);
      to.push(path, region, ticks);
    }
    return kDone;
  }
  static Result CallingContextLeave(COMMON, OTF2_CallingContextRef context) {
    BEGIN(CallingContextLeave);
    const uint32_t path = to.process_.contextPath(context);
    if (path == CallPathTable::kNone) {
      to.leave(kType, Fault::kUndefinedContext);
    } else {
      to.leaveRegion(to.process_.paths.nodes()[path].region, ticks);
    }
    return kDone;
  }
  static Result ProgramBegin(COMMON, OTF2_StringRef name, uint32_t count, const OTF2_StringRef* arguments) {
    BEGIN(ProgramBegin);
    const Archive& archive = to.process_.archive;
    to.process_.program = archive.text(name);
    for (uint32_t i = 0; arguments != nullptr && i < count; i++) {
      to.process_.arguments.push_back(archive.text(arguments[i]));
    }
    const uint32_t attributeCount = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t i = 0; i < attributeCount; i++) {
      OTF2_AttributeRef attribute;
      OTF2_Type type;
      OTF2_AttributeValue value;
      if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value) == OTF2_SUCCESS &&
          type == OTF2_TYPE_UINT64 && archive.hasAttribute(attribute, "ProcessId")) {
        to.process_.processId = static_cast<uint32_t>(value.uint64);
      }
    }
    return kDone;
  }
  static Result ProgramEnd(COMMON, int64_t status) {
    BEGIN(ProgramEnd);
    to.process_.ended = true;
    to.process_.status = status == OTF2_UNDEFINED_INT64 ? 0 : status;
    return kDone;
  }
  // Communicators are defined in the definitions: these say only from when to when they exist.
  static Result CommCreate(COMMON, OTF2_CommRef) {
    BEGIN(CommCreate);
    return kDone;
  }
  static Result CommDestroy(COMMON, OTF2_CommRef) {
    BEGIN(CommDestroy);
    return kDone;
  }

  // ---- one-sided communication

  static Result RmaWinCreate(COMMON, OTF2_RmaWinRef) {  // RmaCollectiveEnd says it
    BEGIN(RmaWinCreate);
    return kDone;
  }
  static Result RmaWinDestroy(COMMON, OTF2_RmaWinRef) {
    BEGIN(RmaWinDestroy);
    return kDone;
  }
  static Result RmaCollectiveBegin(COMMON) {
    BEGIN(RmaCollectiveBegin);
    return kDone;
  }
  static Result RmaCollectiveEnd(COMMON, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                 uint32_t root, uint64_t sent, uint64_t received) {
    BEGIN(RmaCollectiveEnd);
    to.windowCollective(ticks, op, level, window, root, sent, received);
    return kDone;
  }
  static Result RmaGroupSync(COMMON, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group) {
    BEGIN(RmaGroupSync);
    to.windowGroup(ticks, level, window, group);
    return kDone;
  }
  static Result RmaRequestLock(COMMON, OTF2_RmaWinRef window, uint32_t rank, uint64_t lock, OTF2_LockType type) {
    BEGIN(RmaRequestLock);
    to.windowLock(kType, ticks, window, rank, lock, type);
    return kDone;
  }
  static Result RmaAcquireLock(COMMON, OTF2_RmaWinRef window, uint32_t rank, uint64_t lock, OTF2_LockType type) {
    BEGIN(RmaAcquireLock);
    to.windowLock(kType, ticks, window, rank, lock, type);
    return kDone;
  }
  static Result RmaReleaseLock(COMMON, OTF2_RmaWinRef window, uint32_t rank, uint64_t) {
    BEGIN(RmaReleaseLock);
    to.windowUnlock(ticks, window, rank);
    return kDone;
  }
  static Result RmaPut(COMMON, OTF2_RmaWinRef window, uint32_t rank, uint64_t bytes, uint64_t id) {
    BEGIN(RmaPut);
    to.windowOperation(kType, ticks, window, rank, WindowOp::kPut, bytes, 0, id);
    return kDone;
  }
  static Result RmaGet(COMMON, OTF2_RmaWinRef window, uint32_t rank, uint64_t bytes, uint64_t id) {
    BEGIN(RmaGet);
    to.windowOperation(kType, ticks, window, rank, WindowOp::kGet, 0, bytes, id);
    return kDone;
  }
  static Result RmaAtomic(COMMON, OTF2_RmaWinRef window, uint32_t rank, OTF2_RmaAtomicType type, uint64_t sent,
                          uint64_t received, uint64_t id) {
    BEGIN(RmaAtomic);
    WindowOp op = WindowOp::kFetchAndOp;
    if (type == OTF2_RMA_ATOMIC_TYPE_ACCUMULATE || type == OTF2_RMA_ATOMIC_TYPE_INCREMENT) op = WindowOp::kAccumulate;
    if (type == OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP) op = WindowOp::kCompareAndSwap;
    if (type == OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE) op = WindowOp::kGetAccumulate;
    to.windowOperation(kType, ticks, window, rank, op, sent, received, id);
    return kDone;
  }
  static Result RmaOpCompleteBlocking(COMMON, OTF2_RmaWinRef window, uint64_t id) {
    BEGIN(RmaOpCompleteBlocking);
    to.windowComplete(kType, ticks, window, id);
    return kDone;
  }
  static Result RmaOpCompleteNonBlocking(COMMON, OTF2_RmaWinRef window, uint64_t id) {
    BEGIN(RmaOpCompleteNonBlocking);
    to.windowComplete(kType, ticks, window, id);
    return kDone;
  }
  static Result RmaOpCompleteRemote(COMMON, OTF2_RmaWinRef window, uint64_t id) {
    BEGIN(RmaOpCompleteRemote);
    to.windowComplete(kType, ticks, window, id);
    return kDone;
  }

  // ---- OpenMP: tasks, and parallel regions of old archives

  static LocationImport::TaskName taskOf(OTF2_CommRef team, uint32_t creator, uint32_t number) {
    return {(uint64_t{1} << 62) | uint64_t{team} << 24 | (creator & 0xFFFFFF), number};
  }
  static LocationImport::TaskName taskOf(uint64_t id) { return {uint64_t{1} << 61, request(id)}; }
  static Result ThreadTaskCreate(COMMON, OTF2_CommRef team, uint32_t creator, uint32_t number) {
    BEGIN(ThreadTaskCreate);
    to.createTask(ticks, taskOf(team, creator, number));
    return kDone;
  }
  static Result ThreadTaskSwitch(COMMON, OTF2_CommRef team, uint32_t creator, uint32_t number) {
    BEGIN(ThreadTaskSwitch);
    to.switchTask(ticks, taskOf(team, creator, number));
    return kDone;
  }
  static Result ThreadTaskComplete(COMMON, OTF2_CommRef team, uint32_t creator, uint32_t number) {
    BEGIN(ThreadTaskComplete);
    to.completeTask(ticks, taskOf(team, creator, number));
    return kDone;
  }
  static Result OmpTaskCreate(COMMON, uint64_t id) {
    BEGIN(OmpTaskCreate);
    to.createTask(ticks, taskOf(id));
    return kDone;
  }
  static Result OmpTaskSwitch(COMMON, uint64_t id) {
    BEGIN(OmpTaskSwitch);
    to.switchTask(ticks, taskOf(id));
    return kDone;
  }
  static Result OmpTaskComplete(COMMON, uint64_t id) {
    BEGIN(OmpTaskComplete);
    to.completeTask(ticks, taskOf(id));
    return kDone;
  }
  static Result OmpFork(COMMON, uint32_t threads) {
    BEGIN(OmpFork);
    if (to.thread_ == 0 && to.oldTeam_ == 0) {
      to.fork(ticks, threads);
    } else {  // of a nested region
      to.process_.counts.left[static_cast<size_t>(kType)]++;
    }
    return kDone;
  }
  static Result OmpJoin(COMMON) {
    BEGIN(OmpJoin);
    if (to.thread_ == 0) to.oldTeam_ = 0;
    return kDone;
  }

  // ---- others

  static Result CallingContextSample(COMMON, OTF2_CallingContextRef context, uint32_t,
                                     OTF2_InterruptGeneratorRef generator) {
    BEGIN(CallingContextSample);
    to.sample(context, generator, ticks);
    return kDone;
  }
  static Result MpiRequestTest(COMMON, uint64_t) {
    BEGIN(MpiRequestTest);
    to.poll(kType, ticks);
    return kDone;
  }
  static Result ParameterInt(COMMON, OTF2_ParameterRef parameter, int64_t value) {
    BEGIN(ParameterInt);
    to.parameter(kType, ticks, parameter, static_cast<uint64_t>(value), true);
    return kDone;
  }
  static Result ParameterUnsignedInt(COMMON, OTF2_ParameterRef parameter, uint64_t value) {
    BEGIN(ParameterUnsignedInt);
    to.parameter(kType, ticks, parameter, value, false);
    return kDone;
  }
  static Result ParameterString(COMMON, OTF2_ParameterRef parameter, OTF2_StringRef text) {
    BEGIN(ParameterString);
    to.textParameter(ticks, parameter, text);
    return kDone;
  }

  // ---- files

  static Result IoCreateHandle(COMMON, OTF2_IoHandleRef handle, OTF2_IoAccessMode, OTF2_IoCreationFlag,
                               OTF2_IoStatusFlag) {
    BEGIN(IoCreateHandle);
    to.fileEvent(kType, ticks, to.process_.fileOf(handle), FileOp::kOpen, 0);
    return kDone;
  }
  static Result IoDestroyHandle(COMMON, OTF2_IoHandleRef handle) {
    BEGIN(IoDestroyHandle);
    to.fileEvent(kType, ticks, to.process_.fileOf(handle), FileOp::kClose, 0);
    return kDone;
  }
  static Result IoDuplicateHandle(COMMON, OTF2_IoHandleRef handle, OTF2_IoHandleRef, OTF2_IoStatusFlag) {
    BEGIN(IoDuplicateHandle);
    to.fileEvent(kType, ticks, to.process_.fileOf(handle), FileOp::kOther, 0);
    return kDone;
  }
  static Result IoSeek(COMMON, OTF2_IoHandleRef handle, int64_t, OTF2_IoSeekOption, uint64_t) {
    BEGIN(IoSeek);
    to.fileEvent(kType, ticks, to.process_.fileOf(handle), FileOp::kSeek, 0);
    return kDone;
  }
  static Result IoChangeStatusFlags(COMMON, OTF2_IoHandleRef handle, OTF2_IoStatusFlag) {
    BEGIN(IoChangeStatusFlags);
    to.fileEvent(kType, ticks, to.process_.fileOf(handle), FileOp::kOther, 0);
    return kDone;
  }
  static Result IoDeleteFile(COMMON, OTF2_IoParadigmRef, OTF2_IoFileRef file) {
    BEGIN(IoDeleteFile);
    to.fileEvent(kType, ticks, to.process_.fileNumber(file), FileOp::kOther, 0);
    return kDone;
  }
  static Result IoOperationBegin(COMMON, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag,
                                 uint64_t, uint64_t id) {
    BEGIN(IoOperationBegin);
    to.beginOperation(ticks, handle, mode, id);
    return kDone;
  }
  static Result IoOperationIssued(COMMON, OTF2_IoHandleRef, uint64_t) {  // its completion says all
    BEGIN(IoOperationIssued);
    return kDone;
  }
  static Result IoOperationTest(COMMON, OTF2_IoHandleRef, uint64_t) {
    BEGIN(IoOperationTest);
    to.poll(kType, ticks);
    return kDone;
  }
  static Result IoOperationComplete(COMMON, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id) {
    BEGIN(IoOperationComplete);
    to.endOperation(kType, ticks, handle, bytes, id);
    return kDone;
  }
  static Result IoOperationCancelled(COMMON, OTF2_IoHandleRef handle, uint64_t id) {
    BEGIN(IoOperationCancelled);
    to.cancelOperation(handle, id);
    return kDone;
  }

  // A callback that also takes the attributes of its record.
  template <auto kCallback>
  struct Attributed;
  template <class... Rest, Result (*kCallback)(COMMON_TYPES, Rest...)>
  struct Attributed<kCallback> {
    static Result call(COMMON, Rest... rest) {
      kCallback(location, time, position, data, attributes, rest...);
      static_cast<LocationImport*>(data)->attributes(attributes);
      return kDone;
    }
  };

  // Records that have no counterpart.
  template <RecordType kType, class... Rest>
  static Result left(COMMON, Rest...) {
    LocationImport& to = *static_cast<LocationImport*>(data);
    to.at(time);
    if (!to.process_.archive.attributes.empty()) to.attributes(attributes);
    to.process_.counts.read[static_cast<size_t>(kType)]++;
    to.process_.counts.left[static_cast<size_t>(kType)]++;
    return kDone;
  }
};

OTF2_EvtReaderCallbacks* LocationImport::callbacks(bool hasAttributes) {
  OTF2_EvtReaderCallbacks* all = OTF2_EvtReaderCallbacks_New();
#define LEFT(name) OTF2_EvtReaderCallbacks_Set##name##Callback(all, EventReader::left<RecordType::k##name>);
  PARALLAX_OTF2_RECORDS(LEFT)
#undef LEFT
#define MAPPED(name)                                                               \
  OTF2_EvtReaderCallbacks_Set##name##Callback(                                     \
      all, hasAttributes ? EventReader::Attributed<&EventReader::name>::call : &EventReader::name);
  MAPPED(Enter) MAPPED(Leave) MAPPED(BufferFlush) MAPPED(MeasurementOnOff) MAPPED(MpiSend) MAPPED(MpiIsend)
  MAPPED(MpiIsendComplete) MAPPED(MpiIrecvRequest) MAPPED(MpiRecv) MAPPED(MpiIrecv) MAPPED(MpiRequestCancelled)
  MAPPED(MpiCollectiveBegin) MAPPED(MpiCollectiveEnd) MAPPED(NonBlockingCollectiveRequest)
  MAPPED(NonBlockingCollectiveComplete) MAPPED(Metric) MAPPED(ThreadFork) MAPPED(ThreadJoin) MAPPED(ThreadTeamBegin)
  MAPPED(ThreadTeamEnd) MAPPED(ThreadAcquireLock) MAPPED(ThreadReleaseLock) MAPPED(OmpAcquireLock)
  MAPPED(OmpReleaseLock) MAPPED(ThreadCreate) MAPPED(ThreadBegin) MAPPED(ThreadWait) MAPPED(ThreadEnd)
  MAPPED(CallingContextEnter) MAPPED(CallingContextLeave) MAPPED(ProgramBegin) MAPPED(ProgramEnd) MAPPED(CommCreate)
  MAPPED(CommDestroy) MAPPED(RmaWinCreate) MAPPED(RmaWinDestroy) MAPPED(RmaCollectiveBegin) MAPPED(RmaCollectiveEnd)
  MAPPED(RmaGroupSync) MAPPED(RmaRequestLock) MAPPED(RmaAcquireLock) MAPPED(RmaReleaseLock) MAPPED(RmaPut)
  MAPPED(RmaGet) MAPPED(RmaAtomic) MAPPED(RmaOpCompleteBlocking) MAPPED(RmaOpCompleteNonBlocking)
  MAPPED(RmaOpCompleteRemote) MAPPED(ThreadTaskCreate) MAPPED(ThreadTaskSwitch) MAPPED(ThreadTaskComplete)
  MAPPED(OmpTaskCreate) MAPPED(OmpTaskSwitch) MAPPED(OmpTaskComplete) MAPPED(OmpFork) MAPPED(OmpJoin)
  MAPPED(CallingContextSample) MAPPED(MpiRequestTest) MAPPED(ParameterInt) MAPPED(ParameterUnsignedInt)
  MAPPED(ParameterString) MAPPED(IoCreateHandle) MAPPED(IoDestroyHandle) MAPPED(IoDuplicateHandle) MAPPED(IoSeek)
  MAPPED(IoChangeStatusFlags) MAPPED(IoDeleteFile) MAPPED(IoOperationBegin) MAPPED(IoOperationIssued)
  MAPPED(IoOperationTest) MAPPED(IoOperationComplete) MAPPED(IoOperationCancelled)
#undef MAPPED
  return all;
}

}  // namespace parallax::otf2
