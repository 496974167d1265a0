// The callbacks of the OTF2 library, one for each event record.
#include <algorithm>

#include "tools/otf2/location_import.h"

namespace parallax::otf2 {

using namespace format;

namespace {

uint64_t lockAddress(uint32_t model, uint32_t lock) { return uint64_t{model} << 32 | lock; }

uint64_t request(uint64_t id) { return id & ~(kPayloadBit | uint64_t{1} << 62); }

}  // namespace

#define COMMON OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void *data, OTF2_AttributeList *attributes
#define BEGIN(name)                                              \
  LocationImport& to = *static_cast<LocationImport*>(data);      \
  constexpr RecordType kType = RecordType::k##name;              \
  to.process_.counts.read[static_cast<size_t>(kType)]++;         \
  const uint64_t ticks = to.at(time);                            \
  (void)ticks, (void)attributes

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
      if (posted != to.receives_.end() &&
          !to.output_.complete(posted->second, Kind::kReceivePost, communicator->number, {message, request(id)})) {
        to.fault(Fault::kHeldTooLong);
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
      to.push(path, to.process_.paths.nodes()[path].region, ticks);
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

  // Records that have no counterpart yet.
  template <RecordType kType, class... Rest>
  static Result left(COMMON, Rest...) {
    LocationImport& to = *static_cast<LocationImport*>(data);
    to.at(time);
    (void)attributes;
    to.process_.counts.read[static_cast<size_t>(kType)]++;
    to.process_.counts.left[static_cast<size_t>(kType)]++;
    return kDone;
  }
};

OTF2_EvtReaderCallbacks* LocationImport::callbacks() {
  OTF2_EvtReaderCallbacks* all = OTF2_EvtReaderCallbacks_New();
#define LEFT(name) OTF2_EvtReaderCallbacks_Set##name##Callback(all, EventReader::left<RecordType::k##name>);
  PARALLAX_OTF2_RECORDS(LEFT)
#undef LEFT
#define MAPPED(name) OTF2_EvtReaderCallbacks_Set##name##Callback(all, EventReader::name);
  MAPPED(Enter) MAPPED(Leave) MAPPED(BufferFlush) MAPPED(MeasurementOnOff) MAPPED(MpiSend) MAPPED(MpiIsend)
  MAPPED(MpiIsendComplete) MAPPED(MpiIrecvRequest) MAPPED(MpiRecv) MAPPED(MpiIrecv) MAPPED(MpiRequestCancelled)
  MAPPED(MpiCollectiveBegin) MAPPED(MpiCollectiveEnd) MAPPED(NonBlockingCollectiveRequest)
  MAPPED(NonBlockingCollectiveComplete) MAPPED(Metric) MAPPED(ThreadFork) MAPPED(ThreadJoin) MAPPED(ThreadTeamBegin)
  MAPPED(ThreadTeamEnd) MAPPED(ThreadAcquireLock) MAPPED(ThreadReleaseLock) MAPPED(OmpAcquireLock)
  MAPPED(OmpReleaseLock) MAPPED(ThreadCreate) MAPPED(ThreadBegin) MAPPED(ThreadWait) MAPPED(ThreadEnd)
  MAPPED(CallingContextEnter) MAPPED(CallingContextLeave) MAPPED(ProgramBegin) MAPPED(ProgramEnd) MAPPED(CommCreate)
  MAPPED(CommDestroy)
#undef MAPPED
  return all;
}

}  // namespace parallax::otf2
