#include "tools/otf2/location_import.h"

#include <algorithm>
#include <cstring>

namespace parallax::otf2 {

using namespace format;

namespace {

// The ops of OTF2 in the order of their numbers.
constexpr Collective kOps[] = {
    Collective::kBarrier,       Collective::kBcast,         Collective::kGather,    Collective::kGatherv,
    Collective::kScatter,       Collective::kScatterv,      Collective::kAllgather, Collective::kAllgatherv,
    Collective::kAlltoall,      Collective::kAlltoallv,     Collective::kAlltoallw, Collective::kAllreduce,
    Collective::kReduce,        Collective::kReduceScatter, Collective::kScan,      Collective::kExscan,
    Collective::kReduceScatterBlock,
    Collective::kCommCreate,      // CREATE_HANDLE
    Collective::kCommDisconnect,  // DESTROY_HANDLE
    Collective::kWinCreate,       // ALLOCATE
    Collective::kWinFree,         // DEALLOCATE
    Collective::kWinCreate,       // CREATE_HANDLE_AND_ALLOCATE
    Collective::kWinFree,         // DESTROY_HANDLE_AND_DEALLOCATE
};

bool movesData(Collective op) { return op > Collective::kBarrier && op < Collective::kCommCreate; }

uint64_t lockAddress(uint32_t model, uint32_t lock) { return uint64_t{model} << 32 | lock; }

uint64_t request(uint64_t id) { return id & ~(kPayloadBit | uint64_t{1} << 62); }

}  // namespace

LocationImport::LocationImport(ProcessImport* process, uint32_t thread)
    : process_(*process), thread_(thread),
      output_(process->eventFile(thread), thread, process->target.clock) {}

uint64_t LocationImport::at(uint64_t time) {
  records_++;
  uint64_t ticks = process_.target.divisor == 1 ? time : time / process_.target.divisor;
  if (ticks < lastTicks_) {
    fault(Fault::kTimeBackwards);
    ticks = lastTicks_;
  }
  lastTicks_ = ticks;
  if (!hasBegun_) {
    hasBegun_ = true;
    process_.begins[thread_] = ticks;
    const bool isCreated = process_.creators[thread_] >= 0;
    output_.event(Kind::kThreadBegin, 0, ticks, {isCreated ? 1u : 0u});
  }
  return ticks;
}

void LocationImport::push(uint32_t path, uint32_t region, uint64_t ticks) {
  output_.call(Kind::kEnter, ticks, path);
  stack_.push_back({path, region});
  output_.setOpenPath(path);
}

void LocationImport::pop(uint64_t ticks) {
  if (!stack_.back().isEnded) output_.call(Kind::kLeave, ticks, stack_.back().path);
  stack_.pop_back();
  output_.setOpenPath(top());
}

void LocationImport::enter(OTF2_RegionRef region, uint64_t ticks) {
  const uint32_t path = process_.paths.child(top(), region);
  if (path + 1 == process_.paths.nodes().size() && !process_.isRegion(region)) fault(Fault::kUndefinedRegion);
  push(path, region, ticks);
}

void LocationImport::leaveRegion(OTF2_RegionRef region, uint64_t ticks) {
  if (stack_.empty() || stack_.back().region != region) {
    const auto found = std::find_if(stack_.rbegin(), stack_.rend(),
                                    [&](const Frame& frame) { return frame.region == region; });
    if (found == stack_.rend()) {
      leave(RecordType::kLeave, Fault::kLeaveWithoutEnter);
      return;
    }
    fault(Fault::kLeaveOfOuter);
    while (stack_.back().region != region) pop(ticks);
  }
  if (!openTeams_.empty()) leaveBarrier(ticks);
  pop(ticks);
}

// OpenMP: the region that ends is a barrier of the team.
void LocationImport::leaveBarrier(uint64_t ticks) {
  const auto known = process_.archive.regions.find(stack_.back().region);
  if (known == process_.archive.regions.end() || (known->second.role != OTF2_REGION_ROLE_BARRIER &&
                                                  known->second.role != OTF2_REGION_ROLE_IMPLICIT_BARRIER)) {
    return;
  }
  const OTF2_CommRef team = openTeams_.back();
  const auto communicator = process_.archive.communicators.find(team);
  if (communicator == process_.archive.communicators.end()) return;
  const auto group = process_.archive.groups.find(communicator->second.group);
  if (group == process_.archive.groups.end() || group->second.members.size() < 2) return;
  output_.event(Kind::kBarrier, process_.syncObject(SyncKind::kBarrier, team), ticks,
                {teams_[team].barriers++, group->second.members.size()});
}

ProcessImport::Communicator* LocationImport::member(RecordType type, OTF2_CommRef ref, uint32_t peer) {
  ProcessImport::Communicator& communicator = process_.communicator(ref);
  if (communicator.number == 0) {
    leave(type, communicator.fault);
    return nullptr;
  }
  if (peer >= communicator.peers) {
    leave(type, Fault::kPeerOutside);
    return nullptr;
  }
  return &communicator;
}

// ---- collectives

void LocationImport::collective(RecordType type, uint64_t ticks, OTF2_CollectiveOp op, OTF2_CommRef ref,
                                uint32_t root, uint64_t sent, uint64_t received, const uint64_t* request) {
  const auto posted = std::find_if(collectives_.begin(), collectives_.end(), [&](const Deferred& each) {
    return request != nullptr && each.isPosted && !each.isComplete && each.request == *request;
  });
  ProcessImport::Communicator* communicator = member(type, ref, 0);
  if (communicator != nullptr && op >= std::size(kOps)) {
    leave(type, Fault::kUndefinedOperation);
    communicator = nullptr;
  }
  if (communicator == nullptr) {
    // Those behind it must not wait for it.
    if (posted != collectives_.end()) {
      output_.release(posted->post);
      collectives_.erase(posted);
      resolveCollectives();
    }
    return;
  }
  if (communicator->thread >= 0 && communicator->thread != thread_) fault(Fault::kSeveralThreads);
  communicator->thread = thread_;
  const Collective kind = kOps[op];
  if (root == OTF2_COLLECTIVE_ROOT_SELF) {
    root = communicator->ownRank;
  } else if (root >= communicator->peers) {  // in an intercommunicator it is of the other group
    root = kNoRoot;
  }
  if (movesData(kind) && sent == 0 && received == 0) fault(Fault::kNoSizes);
  Deferred next;
  next.communicator = ref;
  next.opAndRoot = opAndRoot(kind, root);
  next.sent = sent & ~kPayloadBit;
  next.received = received & ~kPayloadBit;
  if (request == nullptr && collectives_.empty()) {  // nothing is open
    output_.event(Kind::kCollective, communicator->number, ticks,
                  {next.opAndRoot, next.sent, next.received, communicator->sequence++});
    return;
  }
  next.isComplete = true;
  next.done = output_.hold(ticks, 4);
  if (posted != collectives_.end()) {
    next.isPosted = true;
    next.request = posted->request;
    next.post = posted->post;
    *posted = next;
  } else {
    if (request != nullptr) fault(Fault::kRequestWithoutEnd);
    collectives_.push_back(next);
  }
  resolveCollectives();
}

// Numbers the collectives up to the first that has not told its communicator.
void LocationImport::resolveCollectives() {
  while (!collectives_.empty() && collectives_.front().isComplete) {
    const Deferred next = collectives_.front();
    collectives_.pop_front();
    ProcessImport::Communicator& communicator = process_.communicator(next.communicator);
    const uint64_t sequence = communicator.sequence++;
    const auto write = [&](EventOutput::Place place, Kind kind) {
      return output_.complete(place, kind, communicator.number, {next.opAndRoot, next.sent, next.received, sequence});
    };
    if (next.isPosted && !write(next.post, Kind::kCollectivePost)) fault(Fault::kHeldTooLong);
    if (!write(next.done, Kind::kCollective)) {
      leave(next.isPosted ? RecordType::kNonBlockingCollectiveComplete : RecordType::kMpiCollectiveEnd, Fault::kBehindOpen);
    }
  }
}

// Those that never completed have no communicator.
void LocationImport::dropCollectives() {
  while (!collectives_.empty()) {
    if (!collectives_.front().isComplete) {
      output_.release(collectives_.front().post);
      leave(RecordType::kNonBlockingCollectiveRequest, Fault::kRequestWithoutEnd);
      collectives_.pop_front();
    }
    resolveCollectives();
  }
}

// ---- locks and teams

void LocationImport::acquire(uint64_t ticks, uint64_t lock, uint32_t order, SyncKind kind) {
  const bool isInCall = !stack_.empty() && !stack_.back().isEnded;
  output_.event(Kind::kAcquire, process_.syncObject(kind, lock), ticks,
                {sequenceAndWaited(order, isInCall)});
  if (!isInCall) return;
  // The body of a critical region is no wait.
  const auto known = process_.archive.regions.find(stack_.back().region);
  if (known != process_.archive.regions.end() && known->second.role == OTF2_REGION_ROLE_CRITICAL) {
    output_.call(Kind::kLeave, ticks, stack_.back().path);
    stack_.back().isEnded = true;
  }
}

void LocationImport::release(RecordType type, uint64_t ticks, uint64_t lock, uint32_t order, SyncKind kind) {
  if (order == 0) {  // acquisitions count from 1
    leave(type, Fault::kNoOrder);
    return;
  }
  output_.event(Kind::kRelease, process_.syncObject(kind, lock), ticks, {order});
}

// The k-th time that the team begins, its master signals and the others wake.
void LocationImport::beginTeam(OTF2_CommRef team, uint64_t ticks) {
  const uint64_t number = ++teams_[team].begins;
  const uint32_t object = process_.syncObject(SyncKind::kOpenMpTasks, team);
  if (forks_ > 0) {
    forks_--;
    output_.event(Kind::kSignal, object, ticks, {number});
  } else if (isIdle_) {
    isIdle_ = false;
    output_.event(Kind::kWake, object, ticks, {number});
    pop(ticks);
  } else {
    output_.event(Kind::kWake, object, ticks, {number});
  }
  openTeams_.push_back(team);
}

void LocationImport::endTeam(OTF2_CommRef team, uint64_t ticks) {
  const auto found = std::find(openTeams_.rbegin(), openTeams_.rend(), team);
  if (found == openTeams_.rend()) {
    leave(RecordType::kThreadTeamEnd, Fault::kUndefinedTeam);
    return;
  }
  openTeams_.erase(std::prev(found.base()));
  // A worker waits for its next team.
  if (openTeams_.empty() && stack_.empty() && thread_ > 0) {
    push(process_.paths.child(0, ProcessImport::kIdle), ProcessImport::kIdle, ticks);
    isIdle_ = true;
  }
}

// ---- metrics and pauses

void LocationImport::metrics(uint64_t ticks, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
                             const OTF2_MetricValue* values) {
  const auto members = process_.archive.metricClasses.find(metric);
  if (members == process_.archive.metricClasses.end()) {
    leave(RecordType::kMetric, Fault::kUndefinedMetric);
    return;
  }
  const size_t known = std::min<size_t>(count, members->second.size());
  for (size_t i = 0; i < known; i++) {
    const ProcessImport::MetricUse& use = process_.metric(members->second[i]);
    if (use.number == 0) {
      fault(Fault::kUndefinedMetric);
      continue;
    }
    const bool isSigned = types[i] >= OTF2_TYPE_INT8 && types[i] <= OTF2_TYPE_INT64;
    const bool isReal = types[i] == OTF2_TYPE_FLOAT || types[i] == OTF2_TYPE_DOUBLE;
    uint64_t bits = values[i].unsigned_int;
    if (use.isFloating || use.isRelative || isSigned || isReal) {
      double value = isReal     ? values[i].floating_point
                     : isSigned ? static_cast<double>(values[i].signed_int)
                                : static_cast<double>(values[i].unsigned_int);
      value *= use.scale;
      if (use.isRelative) value = sums_[use.number] += value;
      if (use.isFloating) {
        memcpy(&bits, &value, sizeof bits);
      } else {
        bits = value > 0 ? static_cast<uint64_t>(value) : 0;
      }
    }
    output_.event(Kind::kValue, use.number, ticks, {bits & 0xFFFFFFFF, bits >> 32});
  }
}

// While measurement is off, the open calls end and the thread is in a call of a region of its own.
void LocationImport::pause(bool isOff, uint64_t ticks) {
  if (isOff == isPaused_) return;
  isPaused_ = isOff;
  const uint32_t path = process_.paths.child(0, ProcessImport::kNotRecorded);
  if (isOff) {
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
      if (!frame->isEnded) output_.call(Kind::kLeave, ticks, frame->path);
    }
    output_.call(Kind::kEnter, ticks, path);
    output_.setOpenPath(path);
    return;
  }
  output_.call(Kind::kLeave, ticks, path);
  for (const Frame& frame : stack_) {
    if (!frame.isEnded) output_.call(Kind::kEnter, ticks, frame.path);
  }
  output_.setOpenPath(top());
}

std::string LocationImport::close() {
  if (hasBegun_) {
    dropCollectives();
    for (const auto& [id, place] : receives_) {
      output_.release(place);
      leave(RecordType::kMpiIrecvRequest, Fault::kRequestWithoutEnd);
    }
    if (isIdle_) pop(lastTicks_);
    output_.event(Kind::kThreadEnd, 0, lastTicks_);
    process_.firstTicks = std::min(process_.firstTicks, process_.begins[thread_]);
    process_.lastTicks = std::max(process_.lastTicks, lastTicks_);
  }
  output_.close();
  return output_.error();
}

// ---- the callbacks of the library

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
