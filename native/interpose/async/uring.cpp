#include "interpose/async/uring.h"

#include <sys/socket.h>

#include "base/sys.h"

// Newer than the kernel's headers of some distributions.
#ifndef IORING_SETUP_NO_MMAP
#define IORING_SETUP_NO_MMAP (1U << 14)
#endif
#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16)
#endif

namespace parallax {
namespace {

constexpr int kMostRings = 64;
constexpr UringKey kTaken = 1;  // of no ring: an entry that is being filled in, or that is given up
constexpr uint32_t kMostRequests = 1 << 16;

Uring rings[kMostRings];
std::atomic<int> ringsBySystemCall{0};

// Of finding a free entry and filling it in. A holder that has no processor is waited for, and one that a handler of
// signals has left by longjmp only once: from then on, no more rings are followed. A child after fork takes it over.
class ClaimLock {
 public:
  [[nodiscard]] bool lock() {
    constexpr int kPatience = 1000;
    const timespec brief{0, 100000};
    const uint32_t own = forkGeneration();
    for (int i = 0; i < kPatience; i++) {
      uint64_t holder = holder_.load(std::memory_order_relaxed);
      if (holder == (kGivenUp | own)) return false;
      const bool isFree = static_cast<uint32_t>(holder) != own;
      if (isFree && holder_.compare_exchange_strong(holder, own, std::memory_order_acquire)) return true;
      sys::call(SYS_nanosleep, sys::word(&brief), 0);
    }
    uint64_t holder = own;
    holder_.compare_exchange_strong(holder, kGivenUp | own, std::memory_order_relaxed);
    return false;
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  static constexpr uint64_t kGivenUp = uint64_t{1} << 32;
  std::atomic<uint64_t> holder_{0};  // forkGeneration()
};
ClaimLock claiming;

unsigned loaded(const unsigned* at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }

uint64_t partBytes(const io_uring_sqe& sqe) {
  return totalBytes(reinterpret_cast<const iovec*>(sqe.addr), sqe.len);
}

uint64_t messageBytes(const io_uring_sqe& sqe) {
  const auto* message = reinterpret_cast<const msghdr*>(sqe.addr);
  return message == nullptr ? 0 : totalBytes(message->msg_iov, static_cast<int64_t>(message->msg_iovlen));
}

AsyncRequest requestOf(const io_uring_sqe& sqe) {
  AsyncRequest request;
  request.key = sqe.user_data;
  request.fd = sqe.fd;
  switch (sqe.opcode) {
    case IORING_OP_READ:
    case IORING_OP_READ_FIXED:
    case IORING_OP_RECV:
      request.op = AsyncOp::kReceive;
      request.bytes = sqe.len;
      break;
    case IORING_OP_READV:
      request.op = AsyncOp::kReceive;
      request.bytes = partBytes(sqe);
      break;
    case IORING_OP_RECVMSG:
      request.op = AsyncOp::kReceive;
      request.bytes = messageBytes(sqe);
      break;
    case IORING_OP_WRITE:
    case IORING_OP_WRITE_FIXED:
    case IORING_OP_SEND:
    case IORING_OP_SEND_ZC:
      request.op = AsyncOp::kSend;
      request.bytes = sqe.len;
      break;
    case IORING_OP_WRITEV:
      request.op = AsyncOp::kSend;
      request.bytes = partBytes(sqe);
      break;
    case IORING_OP_SENDMSG:
    case IORING_OP_SENDMSG_ZC:
      request.op = AsyncOp::kSend;
      request.bytes = messageBytes(sqe);
      break;
    case IORING_OP_FSYNC:
    case IORING_OP_SYNC_FILE_RANGE:
      request.op = AsyncOp::kSync;
      break;
    case IORING_OP_ACCEPT:
      request.op = AsyncOp::kAccept;
      break;
    case IORING_OP_CONNECT:
      request.op = AsyncOp::kConnect;
      break;
    case IORING_OP_POLL_ADD:
      request.op = AsyncOp::kReady;
      break;
    default:
      break;
  }
  return request;
}

bool isMessage(const io_uring_sqe& sqe) {
  return sqe.opcode == IORING_OP_SEND || sqe.opcode == IORING_OP_RECV || sqe.opcode == IORING_OP_SENDMSG ||
         sqe.opcode == IORING_OP_RECVMSG || sqe.opcode == IORING_OP_SEND_ZC ||
         sqe.opcode == IORING_OP_SENDMSG_ZC;
}

bool endsSending(const io_uring_sqe& sqe) {
  return sqe.opcode == IORING_OP_CLOSE || (sqe.opcode == IORING_OP_SHUTDOWN && sqe.len != SHUT_RD);
}

void distrustBoth(int fd) {
  Descriptor descriptor;
  if (!describe(fd, &descriptor) || !isStream(descriptor)) return;
  distrust(descriptor, descriptor.send);
  distrust(descriptor, descriptor.receive);
}

}  // namespace

// ------------------------------------------------------------------- the rings

Uring* Uring::known(UringKey key) {
  for (Uring& ring : rings) {
    if (ring.key_.load(std::memory_order_acquire) == key) return &ring;
  }
  return nullptr;
}

// Under `claiming`.
Uring* Uring::claim() {
  for (Uring& ring : rings) {
    if (ring.key_.load(std::memory_order_acquire) != kNoUring) continue;
    ring.key_.store(kTaken, std::memory_order_relaxed);
    if (!ring.isOurs()) ring.inherit();
    if (ring.lock_.lock()) return &ring;
  }
  return nullptr;
}

// An entry that claim() gave is complete.
void Uring::publish(UringKey key, State state) {
  state_.store(state, std::memory_order_relaxed);
  generation_.store(forkGeneration(), std::memory_order_relaxed);
  key_.store(key, std::memory_order_release);
  lock_.unlock();
}

// Not the entry of a parent, whose rings are not mapped here.
bool Uring::isOurs() const { return generation_.load(std::memory_order_relaxed) == forkGeneration(); }

bool Uring::lock(UringKey key) {
  if (!lock_.lock()) return false;
  if (key_.load(std::memory_order_relaxed) == key && memory_.completionTail != nullptr) return true;
  lock_.unlock();
  return false;
}

// Empties the entry of a parent, whatever other threads were doing with it during the fork.
void Uring::inherit() {
  for (Mapping& mapping : mappings_) mapping = {};
  requests_.abandon();
  clear();
  waiters_.store(0, std::memory_order_relaxed);
  lock_.unlock();
}

void Uring::clear() {
  state_.store(State::kNotFollowed, std::memory_order_relaxed);
  head_.store(nullptr, std::memory_order_relaxed);
  polls_.store(0, std::memory_order_relaxed);
  requests_.close();
  for (Mapping& mapping : mappings_) {
    if (mapping.at != nullptr) sys::munmap(mapping.at, mapping.bytes);
    mapping = {};
  }
  memory_ = {};
}

// Whether the entry was of that ring until now.
bool Uring::drop(UringKey key) {
  if (isOurs() && lock_.lock()) {
    const bool isOfRing = key_.load(std::memory_order_relaxed) == key;
    if (isOfRing) {
      clear();
      key_.store(kNoUring, std::memory_order_release);
    }
    lock_.unlock();
    return isOfRing;
  }
  UringKey expected = key;
  if (!key_.compare_exchange_strong(expected, kTaken, std::memory_order_acq_rel)) return false;
  if (isOurs()) return true;  // the lock is given up: it stays as it is, and is never used again
  inherit();
  key_.store(kNoUring, std::memory_order_release);
  return true;
}

bool Uring::begin(const Memory& memory, unsigned submitted, unsigned reaped) {
  const uint32_t most = 2 * (memory.completionMask + 1);
  if (!requests_.open(most < kMostRequests ? most : kMostRequests)) return false;
  memory_ = memory;
  submitted_ = submitted;
  reaped_ = reaped;
  return true;
}

Uring* Uring::follow(const LiburingRing* ring) {
  if (!claiming.lock()) return nullptr;
  const UringKey key = uringKey(ring);
  Uring* found = known(key);
  if (found != nullptr && found->head_.load(std::memory_order_relaxed) != ring->submission.head) {
    found->drop(key);  // ended past all symbols, and begun anew
    found = nullptr;
  }
  if (found == nullptr) {
    found = claim();
    if (found != nullptr) {
      const auto& submission = ring->submission;
      const auto& completion = ring->completion;
      const Memory memory = {submission.head, submission.tail, nullptr, submission.sqes, completion.head,
                             completion.tail, completion.cqes, *submission.mask, *completion.mask,
                             (ring->flags & IORING_SETUP_SQE128) != 0 ? 1u : 0u,
                             (ring->flags & IORING_SETUP_CQE32) != 0 ? 1u : 0u};
      const bool begun = found->begin(memory, submission.sqeHead, loaded(completion.head));
      found->head_.store(submission.head, std::memory_order_relaxed);
      found->publish(key, begun ? State::kFollowed : State::kNotFollowed);
    }
  }
  claiming.unlock();
  return found;
}

Uring* Uring::of(const LiburingRing* ring) {
  Uring* found = known(uringKey(ring));
  if (found == nullptr || found->head_.load(std::memory_order_relaxed) != ring->submission.head) {
    found = follow(ring);
  }
  if (found == nullptr || !found->isOurs()) return nullptr;
  return found->state_.load(std::memory_order_relaxed) == State::kFollowed ? found : nullptr;
}

Uring* Uring::used(const LiburingRing* ring) {
  Uring* found = known(uringKey(ring));
  return found != nullptr && found->isOurs() ? found : nullptr;
}

void Uring::made(int fd, const io_uring_params& parameters) {
  forget(fd);
  if ((parameters.flags & (IORING_SETUP_SQPOLL | IORING_SETUP_NO_MMAP)) != 0) return;
  if (!process.isOurs() || !claiming.lock()) return;
  if (Uring* ring = claim()) {
    ring->parameters_ = parameters;
    ring->fd_ = fd;
    ring->publish(uringKey(fd), State::kNotMapped);
    ringsBySystemCall.fetch_add(1, std::memory_order_relaxed);
  }
  claiming.unlock();
}

// At the first use, which shows that the program has mapped it, too.
bool Uring::map() {
  const io_uring_params& p = parameters_;
  const auto of = [&](int number, size_t bytes, uint64_t offset) {
    void* at = sys::mmap(bytes, PROT_READ, MAP_SHARED, fd_, offset);
    if (at == nullptr) return static_cast<char*>(nullptr);
    sys::madvise(at, bytes, MADV_DONTFORK);
    mappings_[number] = {at, bytes};
    return static_cast<char*>(at);
  };
  const unsigned sqeShift = (p.flags & IORING_SETUP_SQE128) != 0, cqeShift = (p.flags & IORING_SETUP_CQE32) != 0;
  const bool hasArray = (p.flags & IORING_SETUP_NO_SQARRAY) == 0;
  size_t submissionBytes = hasArray ? p.sq_off.array + p.sq_entries * sizeof(unsigned)
                                    : p.sq_off.flags + sizeof(unsigned);
  const size_t completionBytes = p.cq_off.cqes + (p.cq_entries * sizeof(io_uring_cqe) << cqeShift);
  const bool single = (p.features & IORING_FEAT_SINGLE_MMAP) != 0;
  if (single && completionBytes > submissionBytes) submissionBytes = completionBytes;
  char* submission = of(0, submissionBytes, IORING_OFF_SQ_RING);
  char* completion = single ? submission : of(1, completionBytes, IORING_OFF_CQ_RING);
  char* sqes = of(2, p.sq_entries * sizeof(io_uring_sqe) << sqeShift, IORING_OFF_SQES);
  if (submission == nullptr || completion == nullptr || sqes == nullptr) return false;
  const auto number = [](char* ring, unsigned offset) { return reinterpret_cast<unsigned*>(ring + offset); };
  const Memory memory = {number(submission, p.sq_off.head), number(submission, p.sq_off.tail),
                         hasArray ? number(submission, p.sq_off.array) : nullptr,
                         reinterpret_cast<io_uring_sqe*>(sqes), number(completion, p.cq_off.head),
                         number(completion, p.cq_off.tail),
                         reinterpret_cast<io_uring_cqe*>(completion + p.cq_off.cqes),
                         *number(submission, p.sq_off.ring_mask), *number(completion, p.cq_off.ring_mask),
                         sqeShift, cqeShift};
  return begin(memory, loaded(memory.submissionHead), loaded(memory.completionHead));
}

Uring* Uring::of(int fd) {
  if (ringsBySystemCall.load(std::memory_order_relaxed) == 0) return nullptr;
  Uring* ring = known(uringKey(fd));
  if (ring == nullptr || !ring->isOurs()) return nullptr;
  if (ring->state_.load(std::memory_order_relaxed) == State::kNotMapped && ring->lock_.lock()) {
    if (ring->key_.load(std::memory_order_relaxed) == uringKey(fd) &&
        ring->state_.load(std::memory_order_relaxed) == State::kNotMapped) {
      ring->state_.store(ring->map() ? State::kFollowed : State::kNotFollowed, std::memory_order_relaxed);
    }
    ring->lock_.unlock();
  }
  return ring->state_.load(std::memory_order_relaxed) == State::kFollowed ? ring : nullptr;
}

// A child that shares the memory of its parent (vfork) has descriptors of its own.
bool Uring::forget(UringKey key) {
  Uring* found = known(key);
  return found != nullptr && process.isOurs() && found->drop(key);
}

void Uring::forget(const LiburingRing* ring) { forget(uringKey(ring)); }

void Uring::forget(int fd) {
  if (ringsBySystemCall.load(std::memory_order_relaxed) == 0) return;
  if (forget(uringKey(fd))) ringsBySystemCall.fetch_sub(1, std::memory_order_relaxed);
}

// ------------------------------------------------------------------ submission

void Uring::add(FdCall& call, const io_uring_sqe& sqe) {
  if ((sqe.flags & IOSQE_FIXED_FILE) != 0) return;  // see distrustBoth
  if (endsSending(sqe)) {
    Descriptor descriptor;
    if (knownDescriptor(sqe.fd, &descriptor) && isStream(descriptor) && descriptor.send.id != 0) {
      call.emit(Kind::kStreamSend, descriptor.send.id, {countSent(descriptor.send, 0, 0), 0});
    }
    if (sqe.opcode == IORING_OP_CLOSE) forgetDescriptor(sqe.fd);
    return;
  }
  if (sqe.opcode == IORING_OP_SPLICE || sqe.opcode == IORING_OP_TEE) {
    distrustBoth(sqe.fd);
    if ((sqe.splice_flags & SPLICE_F_FD_IN_FIXED) == 0) distrustBoth(sqe.splice_fd_in);
    return;
  }
  if (isMessage(sqe)) {
    if ((sqe.msg_flags & MSG_OOB) != 0) return distrustBoth(sqe.fd);
    if ((sqe.msg_flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0) return;
  }
  AsyncRequest request = requestOf(sqe);
  beginRequest(call, request);
  if (request.op == AsyncOp::kNone) return;
  // A success has no end to be seen. What is sent is counted already.
  const bool isSilent = (sqe.flags & IOSQE_CQE_SKIP_SUCCESS) != 0;
  if (isSilent && request.op == AsyncOp::kReceive) return distrustRequest(request);
  if (isSilent) return;
  if (request.op == AsyncOp::kReady) polls_.fetch_add(1, std::memory_order_relaxed);
  if (!requests_.add(request)) distrustRequest(request);
}

void Uring::submitUpTo(FdCall& call, unsigned tail) {
  if (tail - submitted_ > memory_.submissionMask + 1) {
    requests_.lose();
    submitted_ = tail;
  }
  for (; submitted_ != tail; submitted_++) {
    const unsigned place = submitted_ & memory_.submissionMask;
    const unsigned number = memory_.array == nullptr ? place : memory_.array[place];
    if (number <= memory_.submissionMask) add(call, memory_.sqes[number << memory_.sqeShift]);
  }
}

void Uring::submit(FdCall& call, UringKey key, unsigned tail) {
  if (!lock(key)) return;
  submitUpTo(call, tail);
  lock_.unlock();
}

void Uring::submitNext(FdCall& call, UringKey key, unsigned count) {
  if (!lock(key)) return;
  const unsigned head = loaded(memory_.submissionHead), ready = loaded(memory_.submissionTail) - head;
  submitUpTo(call, head + (count < ready ? count : ready));
  lock_.unlock();
}

// ------------------------------------------------------------------ completion

bool Uring::waits(UringKey key, unsigned wanted) {
  if (wanted == 0 || !lock(key)) return false;
  const bool result = loaded(memory_.completionTail) - loaded(memory_.completionHead) < wanted;
  lock_.unlock();
  return result;
}

void Uring::end(FdCall& call, const io_uring_cqe& cqe) {
  AsyncRequest* request = requests_.find(cqe.user_data);
  if (request == nullptr) return;
  if ((cqe.flags & IORING_CQE_F_NOTIF) == 0) {
    if (requests_.isAmbiguous(request)) distrustRequest(*request);
    endRequest(call, *request, cqe.res);
  }
  if ((cqe.flags & IORING_CQE_F_MORE) != 0) return;
  if (request->op == AsyncOp::kReady) polls_.fetch_sub(1, std::memory_order_relaxed);
  requests_.remove(request);
}

void Uring::reap(FdCall& call, UringKey key) {
  if (!lock(key)) return;
  reapUpTo(call, loaded(memory_.completionTail));
  lock_.unlock();
}

void Uring::reapTaken(FdCall& call, UringKey key) {
  if (!lock(key)) return;
  reapUpTo(call, loaded(memory_.completionHead));
  lock_.unlock();
}

void Uring::reapUpTo(FdCall& call, unsigned tail) {
  const unsigned entries = memory_.completionMask + 1;
  if (loaded(memory_.completionTail) - reaped_ > entries) {
    requests_.lose();
    polls_.store(0, std::memory_order_relaxed);
    reaped_ = tail;
  }
  // Those that are taken may be behind those that were seen.
  for (; static_cast<int>(tail - reaped_) > 0; reaped_++) {
    end(call, memory_.cqes[(reaped_ & memory_.completionMask) << memory_.cqeShift]);
  }
}

}  // namespace parallax
