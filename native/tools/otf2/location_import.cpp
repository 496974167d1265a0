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

constexpr uint64_t kOldTeam = uint64_t{1} << 40;  // in place of the number of a team

bool movesData(Collective op) { return op > Collective::kBarrier && op < Collective::kCommCreate; }

}  // namespace

LocationImport::LocationImport(ProcessImport* process, uint32_t thread)
    : process_(*process), thread_(thread), divisor_(process->target.divisor),
      output_(process->eventFile(thread), thread, process->target.clock) {}

uint64_t LocationImport::atUnusual(uint64_t ticks) {
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

void LocationImport::enterUnusual(OTF2_RegionRef region, uint64_t ticks) {
  if (region >= ProcessImport::kOwnRegions) region = ProcessImport::kUnknownRegion;
  if (thread_ > 0 && (stack_.empty() || isIdle_)) beginOldTeam(region, ticks);
  const size_t before = process_.paths.nodes().size();
  const uint32_t path = process_.paths.child(top(), region);
  if (path == before && !process_.isRegion(region)) fault(Fault::kUndefinedRegion);
  process_.hasFunctionCalls = process_.hasFunctionCalls || !process_.isRoutine(region);
  push(path, region, ticks);
}

void LocationImport::leaveUnusual(OTF2_RegionRef region, uint64_t ticks) {
  if (region >= ProcessImport::kOwnRegions) region = ProcessImport::kUnknownRegion;
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
  if (mayWait_) leaveSynchronization(ticks);
  pop(ticks);
  if (oldTeam_ != 0 && stack_.empty()) endOldTeam(ticks);
}

// OpenMP: the region that ends may be one in which threads wait for others, or for tasks.
void LocationImport::leaveSynchronization(uint64_t ticks) {
  tellLock(ticks);
  const auto known = process_.archive.regions.find(stack_.back().region);
  if (known == process_.archive.regions.end()) return;
  const OTF2_RegionRole role = known->second.role;
  if (role == OTF2_REGION_ROLE_TASK_WAIT) {
    awaitTasks(ticks);
  } else if (role == OTF2_REGION_ROLE_BARRIER || role == OTF2_REGION_ROLE_IMPLICIT_BARRIER) {
    tasks_[task_].children.clear();  // the barrier waits for them
    leaveBarrier(ticks);
  }
}

void LocationImport::leaveBarrier(uint64_t ticks) {
  if (openTeams_.empty()) {
    resolveOldTeam();
    if (oldTeam_ == 0) return;
    const size_t all = process_.definition.locations.size();
    const uint64_t threads = std::min<uint64_t>(process_.forks[oldTeam_ - 1].threads, all);
    constexpr int kBarrierBits = 24;  // of one parallel region
    output_.event(Kind::kBarrier, process_.syncObject(SyncKind::kBarrier, kOldTeam), ticks,
                  {oldTeam_ << kBarrierBits | oldBarriers_++, threads});
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
  ProcessImport::Communicator* communicator = member(type, ref, 0);
  if (communicator != nullptr && op >= std::size(kOps)) {
    leave(type, Fault::kUndefinedOperation);
    communicator = nullptr;
  }
  collective(type, ticks, communicator, communicator == nullptr ? Collective::kBarrier : kOps[op], root, sent, received,
             request);
}

void LocationImport::collective(RecordType type, uint64_t ticks, ProcessImport::Communicator* communicator,
                                Collective kind, uint32_t root, uint64_t sent, uint64_t received,
                                const uint64_t* request) {
  const auto posted = std::find_if(collectives_.begin(), collectives_.end(), [&](const Deferred& each) {
    return request != nullptr && each.isPosted && !each.isComplete && each.request == *request;
  });
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
  if (root == OTF2_COLLECTIVE_ROOT_SELF) {
    root = communicator->ownRank;
  } else if (root >= communicator->peers) {  // in an intercommunicator it is of the other group
    root = kNoRoot;
  }
  if (movesData(kind) && sent == 0 && received == 0) fault(Fault::kNoSizes);
  Deferred next;
  next.communicator = communicator;
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
    ProcessImport::Communicator& communicator = *next.communicator;
    const uint64_t sequence = communicator.sequence++;
    const auto write = [&](EventOutput::Place place, Kind kind) {
      output_.complete(place, kind, communicator.number, {next.opAndRoot, next.sent, next.received, sequence});
    };
    if (next.isPosted) write(next.post, Kind::kCollectivePost);
    write(next.done, Kind::kCollective);
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
    output_.event(Kind::kWake, object, ticks, {number});
    endIdle(ticks);
  } else {
    output_.event(Kind::kWake, object, ticks, {number});
  }
  openTeams_.push_back(team);
  mayWait_ = true;
}

// Damaged archives can end the call of the idle time by a switch of tasks.
void LocationImport::endIdle(uint64_t ticks) {
  if (isIdle_ && !stack_.empty()) pop(ticks);
  isIdle_ = false;
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
  process_.counts.faults[static_cast<size_t>(Fault::kUndefinedMetric)] += count - known;
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
    value(use.number, ticks, bits);
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
    for (size_t i = 0; i < fileOperations_.size(); i++) leave(RecordType::kIoOperationBegin, Fault::kRequestWithoutEnd);
    tellLock(lastTicks_);
    resolveOldTeam();
    endIdle(lastTicks_);
    output_.event(Kind::kThreadEnd, 0, lastTicks_);
    process_.firstTicks = std::min(process_.firstTicks, process_.begins[thread_]);
    process_.lastTicks = std::max(process_.lastTicks, lastTicks_);
  }
  output_.close();
  return output_.error();
}

}  // namespace parallax::otf2
