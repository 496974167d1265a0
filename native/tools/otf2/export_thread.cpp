#include "tools/otf2/export_thread.h"

#include <algorithm>
#include <cstring>

namespace parallax::otf2 {

using namespace format;

namespace {

constexpr OTF2_CollectiveOp kNoOp = 0xFF;

// OTF2 has no operations for neighbourhoods, files, fences and the begin and end of the library. Of these, MPI_Init is
// what creates MPI_COMM_WORLD, and MPI_Finalize what destroys it.
OTF2_CollectiveOp recordedOp(Collective op) {
  switch (op) {
    case Collective::kBarrier: return OTF2_COLLECTIVE_OP_BARRIER;
    case Collective::kBcast: return OTF2_COLLECTIVE_OP_BCAST;
    case Collective::kGather: return OTF2_COLLECTIVE_OP_GATHER;
    case Collective::kGatherv: return OTF2_COLLECTIVE_OP_GATHERV;
    case Collective::kScatter: return OTF2_COLLECTIVE_OP_SCATTER;
    case Collective::kScatterv: return OTF2_COLLECTIVE_OP_SCATTERV;
    case Collective::kAllgather: return OTF2_COLLECTIVE_OP_ALLGATHER;
    case Collective::kAllgatherv: return OTF2_COLLECTIVE_OP_ALLGATHERV;
    case Collective::kAlltoall: return OTF2_COLLECTIVE_OP_ALLTOALL;
    case Collective::kAlltoallv: return OTF2_COLLECTIVE_OP_ALLTOALLV;
    case Collective::kAlltoallw: return OTF2_COLLECTIVE_OP_ALLTOALLW;
    case Collective::kReduce: return OTF2_COLLECTIVE_OP_REDUCE;
    case Collective::kAllreduce: return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case Collective::kReduceScatter: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
    case Collective::kReduceScatterBlock: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
    case Collective::kScan: return OTF2_COLLECTIVE_OP_SCAN;
    case Collective::kExscan: return OTF2_COLLECTIVE_OP_EXSCAN;
    case Collective::kCommCreate:
    case Collective::kInit:
    case Collective::kSessionInit:
    case Collective::kCommSpawn:
    case Collective::kCommConnect:
    case Collective::kFileOpen: return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    case Collective::kFinalize:
    case Collective::kSessionFinalize:
    case Collective::kCommDisconnect: return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
    case Collective::kWinCreate: return OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
    default: return kNoOp;
  }
}

// Numbers of requests that no message has.
constexpr uint64_t kCollectiveRequest = uint64_t{1} << 63;
constexpr int kSequenceBits = 40;

uint64_t requestOf(const Event& event) {
  return kCollectiveRequest | event.operand << kSequenceBits | (event.payload(3) & ((uint64_t{1} << kSequenceBits) - 1));
}

}  // namespace

void ThreadExport::begin(uint64_t ticks) {
  if (thread_ != 0) return;
  const uint64_t time = at(ticks);
  first_ = time;
  std::vector<OTF2_StringRef> arguments;
  for (size_t i = 1; i < process_.arguments.size(); i++) arguments.push_back(names_.string(process_.arguments[i]));
  const std::string& program = process_.executable.empty() ? process_.program : process_.executable;
  check(OTF2_EvtWriter_ProgramBegin(writer_, nullptr, time, names_.string(program),
                                    static_cast<uint32_t>(arguments.size()), arguments.data()));
}

void ThreadExport::block(const BlockView& block) {
  const bool isWhole = block.state != BlockState::kDamaged && block.state != BlockState::kTorn && block.state != BlockState::kForeign;
  if (!isWhole) counts_.damagedBlocks++;
  if (block.header == nullptr || block.used == 0) return;
  if (!isBeginning_ && (block.header->number != nextBlock_ || block.header->lost > 0)) resume(block);
  nextBlock_ = block.header->number + 1;
  BlockReader reader(block);
  Event event;
  while (reader.next(&event)) {
    const auto kind = std::min(static_cast<size_t>(event.kind), ExportCounts::kKinds - 1);
    counts_.read[kind]++;
    const uint64_t time = at(event.ticks);
    first_ = std::min(first_, time);
    if (!write(event, time)) counts_.left[kind]++;
  }
}

// Events before the block are missing: the calls that its header does not have are over.
void ThreadExport::resume(const BlockView& block) {
  const uint64_t time = at(block.header->baseTicks), path = block.header->openPath;
  while (!open_.empty() && open_.back() != path) leaveTop(time);
  if (open_.empty() && path != 0) enter(path, time);
}

bool ThreadExport::write(const Event& event, uint64_t time) {
  const bool isBeginning = isBeginning_;
  isBeginning_ &= event.kind == Kind::kKept || event.kind == Kind::kKeptState || event.kind == Kind::kCpu;
  switch (event.kind) {
    case Kind::kEnter:
      enter(event.operand, time);
      return true;
    case Kind::kLeave:
      return leave(event.operand, time);
    case Kind::kSample:
      return sample(event.operand, time);
    case Kind::kKept:  // a call that began before the events that were kept
      if (!isBeginning || event.payload(0) != static_cast<uint64_t>(KeptWhat::kCall)) return false;
      enter(event.operand, time);
      return true;
    case Kind::kSend:
    case Kind::kReceivePost:
    case Kind::kReceive:
    case Kind::kRequestDone:
    case Kind::kRequestCancel:
      return message(event, time);
    case Kind::kCollectivePost:
    case Kind::kCollective:
      return collective(event, time);
    case Kind::kAcquire:
    case Kind::kRelease:
      return lock(event, time);
    case Kind::kThreadBegin:
    case Kind::kThreadEnd:
    case Kind::kThreadCreate:
    case Kind::kThreadJoin:
      return thread(event, time);
    case Kind::kValue:
      return value(event, time);
    default:
      return false;
  }
}

// ---- calls

uint32_t ThreadExport::unwind(OTF2_CallingContextRef context) {
  uint32_t entered = 0;
  OTF2_CallingContextRef from = context_, to = context;
  uint32_t fromDepth = names_.depth(from), toDepth = names_.depth(to);
  while (from != to) {
    if (toDepth >= fromDepth) {
      to = names_.parent(to);
      toDepth--;
      entered++;
    } else {
      from = names_.parent(from);
      fromDepth--;
    }
  }
  context_ = context;
  return entered + 1;
}

void ThreadExport::enter(uint64_t number, uint64_t time) {
  const ProcessExport::Path* path = process_.path(number, withContexts_);
  open_.push_back(number);
  if (path == nullptr) return;
  if (path->isPause) {
    check(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, time, OTF2_MEASUREMENT_OFF));
    return;
  }
  if (withContexts_) {
    // The routine is entered anew, even if the call before was the same.
    if (context_ == path->context) context_ = names_.parent(context_);
    check(OTF2_EvtWriter_CallingContextEnter(writer_, nullptr, time, path->context, unwind(path->context)));
  } else {
    check(OTF2_EvtWriter_Enter(writer_, nullptr, time, path->region));
  }
  hasEntered_ = true;
  enteredAt_ = time;
}

void ThreadExport::leaveTop(uint64_t time) {
  const ProcessExport::Path* path = process_.path(open_.back(), withContexts_);
  open_.pop_back();
  hasEntered_ = false;
  if (path == nullptr) return;
  if (path->isPause) {
    check(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, time, OTF2_MEASUREMENT_ON));
  } else if (withContexts_) {
    check(OTF2_EvtWriter_CallingContextLeave(writer_, nullptr, time, path->context));
    context_ = names_.parent(path->context);
  } else {
    check(OTF2_EvtWriter_Leave(writer_, nullptr, time, path->region));
  }
}

bool ThreadExport::leave(uint64_t number, uint64_t time) {
  size_t depth = open_.size();
  while (depth > 0 && open_[depth - 1] != number) depth--;
  if (depth == 0) return false;
  while (open_.size() >= depth) leaveTop(time);
  return true;
}

bool ThreadExport::sample(uint64_t number, uint64_t time) {
  const ProcessExport::Path* path = process_.path(number, withContexts_);
  if (path == nullptr || !withContexts_) return false;
  hasEntered_ = false;
  check(OTF2_EvtWriter_CallingContextSample(writer_, nullptr, time, path->context, unwind(path->context), 0));
  return true;
}

// ---- messages and collectives

bool ThreadExport::message(const Event& event, uint64_t time) {
  if (event.kind == Kind::kRequestDone) {
    check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, time, event.payload(0)));
    return true;
  }
  if (event.kind == Kind::kRequestCancel) {
    check(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, time, event.payload(0)));
    return true;
  }
  const ProcessExport::Communicator* communicator = process_.communicator(event.operand);
  if (communicator == nullptr || communicator->ref == OTF2_UNDEFINED_COMM) return false;
  if (event.kind == Kind::kReceivePost) {
    check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, time, event.payload(1)));
    return true;
  }
  const uint32_t peer = peerOf(event.payload(0)), tag = tagOf(event.payload(0));
  const uint64_t bytes = event.payload(1), request = event.payload(2);
  const bool hasRequest = event.payloadCount > 2;
  const OTF2_CommRef ref = communicator->ref;
  if (event.kind == Kind::kSend) {
    check(hasRequest ? OTF2_EvtWriter_MpiIsend(writer_, nullptr, time, peer, ref, tag, bytes, request)
                     : OTF2_EvtWriter_MpiSend(writer_, nullptr, time, peer, ref, tag, bytes));
  } else {
    check(hasRequest ? OTF2_EvtWriter_MpiIrecv(writer_, nullptr, time, peer, ref, tag, bytes, request)
                     : OTF2_EvtWriter_MpiRecv(writer_, nullptr, time, peer, ref, tag, bytes));
  }
  return true;
}

bool ThreadExport::collective(const Event& event, uint64_t time) {
  const ProcessExport::Communicator* communicator = process_.communicator(event.operand);
  const OTF2_CollectiveOp op = recordedOp(opOf(event.payload(0)));
  if (communicator == nullptr || communicator->ref == OTF2_UNDEFINED_COMM || op == kNoOp) return false;
  const uint64_t request = requestOf(event);
  if (event.kind == Kind::kCollectivePost) {
    posted_.insert(request);
    check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, time, request));
    return true;
  }
  uint32_t root = rootOf(event.payload(0));
  if (root == kNoRoot) root = OTF2_COLLECTIVE_ROOT_NONE;
  const uint64_t sent = event.payload(1), received = event.payload(2);
  if (posted_.erase(request) > 0) {
    check(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, nullptr, time, op, communicator->ref, root, sent,
                                                       received, request));
    return true;
  }
  // The collective began with its call, unless something else happened in the call.
  check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, hasEntered_ ? enteredAt_ : time));
  check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, time, op, communicator->ref, root, sent, received));
  hasEntered_ = false;
  return true;
}

// ---- threads, locks and metrics

bool ThreadExport::lock(const Event& event, uint64_t time) {
  if (event.operand >= process_.objects.size() || !process_.objects[event.operand].isDefined) return false;
  OTF2_Paradigm model = OTF2_PARADIGM_PTHREAD;
  switch (process_.objects[event.operand].kind) {
    case SyncKind::kMutex:
    case SyncKind::kReadWriteLock:
    case SyncKind::kSpinLock:
      break;
    case SyncKind::kOpenMpLock:
      model = OTF2_PARADIGM_OPENMP;
      break;
    default:
      return false;
  }
  const auto number = static_cast<uint32_t>(event.operand);
  if (event.kind == Kind::kAcquire) {
    check(OTF2_EvtWriter_ThreadAcquireLock(writer_, nullptr, time, model, number,
                                           static_cast<uint32_t>(event.payload(0) >> 1)));
  } else {
    check(OTF2_EvtWriter_ThreadReleaseLock(writer_, nullptr, time, model, number,
                                           static_cast<uint32_t>(event.payload(0))));
  }
  return true;
}

bool ThreadExport::thread(const Event& event, uint64_t time) {
  const OTF2_CommRef contingent = process_.contingent;
  if (event.kind == Kind::kThreadBegin || event.kind == Kind::kThreadEnd) {
    // The location itself says it of a main thread.
    if (thread_ == 0 || contingent == OTF2_UNDEFINED_COMM) return true;
    check(event.kind == Kind::kThreadBegin ? OTF2_EvtWriter_ThreadBegin(writer_, nullptr, time, contingent, thread_)
                                           : OTF2_EvtWriter_ThreadEnd(writer_, nullptr, time, contingent, thread_));
    return true;
  }
  const uint64_t other = event.payload(0);
  if (contingent == OTF2_UNDEFINED_COMM || process_.location(other) < 0) return false;
  check(event.kind == Kind::kThreadCreate ? OTF2_EvtWriter_ThreadCreate(writer_, nullptr, time, contingent, other)
                                          : OTF2_EvtWriter_ThreadWait(writer_, nullptr, time, contingent, other));
  return true;
}

bool ThreadExport::value(const Event& event, uint64_t time) {
  if (event.operand >= process_.metrics.size()) return false;
  const ProcessExport::Metric& metric = process_.metrics[event.operand];
  if (metric.ref == OTF2_UNDEFINED_METRIC) return false;
  const uint64_t bits = valueOf(event.payload(0), event.payload(1));
  const OTF2_Type type = metric.isDouble ? OTF2_TYPE_DOUBLE : OTF2_TYPE_UINT64;
  OTF2_MetricValue number;
  number.unsigned_int = bits;
  if (metric.isDouble) memcpy(&number.floating_point, &bits, sizeof bits);
  check(OTF2_EvtWriter_Metric(writer_, nullptr, time, metric.ref, 1, &type, &number));
  return true;
}

void ThreadExport::end() {
  if (first_ > last_) return;
  while (!open_.empty()) leaveTop(last_);
  if (thread_ == 0 && process_.hasExited) {
    check(OTF2_EvtWriter_ProgramEnd(writer_, nullptr, last_, process_.status));
  }
}

}  // namespace parallax::otf2
