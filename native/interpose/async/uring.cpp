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
constexpr uint64_t kBySystemCall = uint64_t{1} << 63;  // in the key, with the descriptor
constexpr uint32_t kMostRequests = 1 << 16;

Uring rings[kMostRings];
std::atomic<int> ringsBySystemCall{0};

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

Uring* Uring::known(uint64_t key) {
  for (Uring& ring : rings) {
    const uint64_t other = ring.key_.load(std::memory_order_acquire);
    if (other == key) return &ring;
  }
  return nullptr;
}

Uring* Uring::claim(uint64_t key) {
  for (Uring& ring : rings) {
    uint64_t none = 0;
    if (ring.key_.compare_exchange_strong(none, key, std::memory_order_acq_rel)) return &ring;
  }
  return nullptr;
}

bool Uring::begin(const Memory& memory, unsigned submitted, unsigned reaped) {
  memory_ = memory;
  submitted_ = submitted;
  reaped_ = reaped;
  polls_.store(0, std::memory_order_relaxed);
  const uint32_t most = 2 * (memory.completionMask + 1);
  isFollowed_ = requests_.open(most < kMostRequests ? most : kMostRequests);
  return isFollowed_;
}

Uring* Uring::of(const LiburingRing* ring) {
  const uint64_t key = reinterpret_cast<uintptr_t>(ring);
  Uring* found = known(key);
  if (found != nullptr && found->memory_.submissionHead == ring->submission.head) {
    return found->isFollowed_ ? found : nullptr;
  }
  if (found != nullptr) found->drop();  // ended past all symbols, and begun anew
  found = claim(key);
  if (found == nullptr) return nullptr;
  const auto& submission = ring->submission;
  const auto& completion = ring->completion;
  const Memory memory = {submission.head, submission.tail, nullptr, submission.sqes, completion.head,
                         completion.tail, completion.cqes, *submission.mask, *completion.mask,
                         (ring->flags & IORING_SETUP_SQE128) != 0 ? 1u : 0u,
                         (ring->flags & IORING_SETUP_CQE32) != 0 ? 1u : 0u};
  return found->begin(memory, submission.sqeHead, loaded(completion.head)) ? found : nullptr;
}

void Uring::made(int fd, const io_uring_params& parameters) {
  forget(fd);
  Uring* ring = claim(kBySystemCall | static_cast<uint32_t>(fd));
  if (ring == nullptr) return;
  ringsBySystemCall.fetch_add(1, std::memory_order_relaxed);
  ring->parameters_ = parameters;
  ring->fd_ = fd;
  ring->isFollowed_ = (parameters.flags & (IORING_SETUP_SQPOLL | IORING_SETUP_NO_MMAP)) == 0;
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
  Uring* ring = known(kBySystemCall | static_cast<uint32_t>(fd));
  if (ring == nullptr || !ring->isFollowed_) return nullptr;
  if (!ring->requests_.isOpen()) {
    if (!ring->lock_.lock()) return nullptr;
    if (!ring->requests_.isOpen()) ring->isFollowed_ = ring->map();
    ring->lock_.unlock();
  }
  return ring->isFollowed_ ? ring : nullptr;
}

void Uring::drop() {
  if (!lock_.lock()) return;  // it stays as it is, and is never used again
  isFollowed_ = false;
  requests_.close();
  for (Mapping& mapping : mappings_) {
    if (mapping.at != nullptr) sys::munmap(mapping.at, mapping.bytes);
    mapping = {};
  }
  memory_ = {};
  lock_.unlock();
  key_.store(0, std::memory_order_release);
}

void Uring::forget(const LiburingRing* ring) {
  if (Uring* found = known(reinterpret_cast<uintptr_t>(ring))) found->drop();
}

void Uring::forget(int fd) {
  if (ringsBySystemCall.load(std::memory_order_relaxed) == 0) return;
  if (Uring* found = known(kBySystemCall | static_cast<uint32_t>(fd))) {
    found->drop();
    ringsBySystemCall.fetch_sub(1, std::memory_order_relaxed);
  }
}

// ------------------------------------------------------------------ submission

unsigned Uring::tailOf(unsigned count) const {
  const unsigned head = loaded(memory_.submissionHead), ready = loaded(memory_.submissionTail) - head;
  return head + (count < ready ? count : ready);
}

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

void Uring::submit(FdCall& call, unsigned tail) {
  if (!lock_.lock()) return;
  if (tail - submitted_ > memory_.submissionMask + 1) {
    requests_.lose();
    submitted_ = tail;
  }
  for (; submitted_ != tail; submitted_++) {
    const unsigned place = submitted_ & memory_.submissionMask;
    const unsigned number = memory_.array == nullptr ? place : memory_.array[place];
    if (number <= memory_.submissionMask) add(call, memory_.sqes[number << memory_.sqeShift]);
  }
  lock_.unlock();
}

// ------------------------------------------------------------------ completion

bool Uring::waits(unsigned wanted) const {
  return wanted > 0 && loaded(memory_.completionTail) - loaded(memory_.completionHead) < wanted;
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

void Uring::reap(FdCall& call) { reapUpTo(call, memory_.completionTail); }
void Uring::reapTaken(FdCall& call) { reapUpTo(call, memory_.completionHead); }

void Uring::reapUpTo(FdCall& call, const unsigned* position) {
  if (!lock_.lock()) return;
  const unsigned tail = loaded(position), entries = memory_.completionMask + 1;
  if (loaded(memory_.completionTail) - reaped_ > entries) {
    requests_.lose();
    polls_.store(0, std::memory_order_relaxed);
    reaped_ = tail;
  }
  // Those that are taken may be behind those that were seen.
  for (; static_cast<int>(tail - reaped_) > 0; reaped_++) {
    end(call, memory_.cqes[(reaped_ & memory_.completionMask) << memory_.cqeShift]);
  }
  lock_.unlock();
}

}  // namespace parallax
