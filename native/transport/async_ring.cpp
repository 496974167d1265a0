#include "transport/async_ring.h"

#include <errno.h>
#include <linux/io_uring.h>

#include <cstring>

#include "base/signals_blocked.h"
#include "base/sys.h"

#ifndef IORING_REGISTER_USE_REGISTERED_RING
#define IORING_REGISTER_USE_REGISTERED_RING (1u << 31)
#endif

namespace parallax {
namespace {

constexpr unsigned kEntries = 2;
constexpr unsigned kLastNumber = 15;  // programs take the first ones

long enter(int number, unsigned submit, unsigned wait, unsigned flags) {
  return sys::call(SYS_io_uring_enter, number, submit, wait, flags | IORING_ENTER_REGISTERED_RING);
}

// Returns the number, or -errno.
int registerRing(int ring, unsigned wanted) {
  io_uring_rsrc_update update{};
  update.offset = wanted;
  update.data = static_cast<uint64_t>(ring);
  const long made = sys::call(SYS_io_uring_register, ring, IORING_REGISTER_RING_FDS, sys::word(&update), 1);
  return made == 1 ? static_cast<int>(update.offset) : made < 0 ? static_cast<int>(made) : -EINVAL;
}

}  // namespace

bool AsyncRing::works(int fd) {
  AsyncRing ring{};
  static constexpr char kText[] = "0123456789";
  const bool done = ring.open(fd) && ring.begin(kText, sizeof kText, 4, 0) && ring.await() == Result::kDone;
  ring.close();
  return done;
}

bool AsyncRing::map(int ring, const io_uring_params& params) {
  const size_t submit = params.sq_off.array + params.sq_entries * sizeof(unsigned);
  const size_t done = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
  ringsBytes_ = submit > done ? submit : done;
  sqesBytes_ = params.sq_entries * sizeof(io_uring_sqe);
  void* rings = sys::mmap(ringsBytes_, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  void* sqes = sys::mmap(sqesBytes_, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  if (rings == nullptr || sqes == nullptr) {
    if (rings != nullptr) sys::munmap(rings, ringsBytes_);
    if (sqes != nullptr) sys::munmap(sqes, sqesBytes_);
    return false;
  }
  sys::madvise(rings, ringsBytes_, MADV_DONTFORK);
  sys::madvise(sqes, sqesBytes_, MADV_DONTFORK);
  rings_ = static_cast<char*>(rings);
  const auto at = [this](unsigned offset) { return reinterpret_cast<unsigned*>(rings_ + offset); };
  submitHead_ = at(params.sq_off.head);
  submitTail_ = at(params.sq_off.tail);
  submitOrder_ = at(params.sq_off.array);
  submitMask_ = *at(params.sq_off.ring_mask);
  doneHead_ = at(params.cq_off.head);
  doneTail_ = at(params.cq_off.tail);
  doneMask_ = *at(params.cq_off.ring_mask);
  done_ = reinterpret_cast<io_uring_cqe*>(rings_ + params.cq_off.cqes);
  sqes_ = static_cast<io_uring_sqe*>(sqes);
  return true;
}

bool AsyncRing::open(int fd) {
  const SignalsBlocked blocked;
  io_uring_params params{};
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  const auto ring = static_cast<int>(sys::call(SYS_io_uring_setup, kEntries, sys::word(&params)));
  if (ring < 0) return false;
  int number = -1;
  if ((params.features & IORING_FEAT_SINGLE_MMAP) != 0 &&
      sys::call(SYS_io_uring_register, ring, IORING_REGISTER_FILES, sys::word(&fd), 1) == 0 && map(ring, params)) {
    number = registerRing(ring, kLastNumber);
    if (number < 0) number = registerRing(ring, ~0u);  // any
    if (number < 0) close();
  }
  sys::close(ring);
  number_ = number;
  pending_ = 0;
  return number >= 0;
}

void AsyncRing::close() {
  if (!isOpen() || pending_ != 0) return;
  const SignalsBlocked blocked;
  if (number_ >= 0) {  // before Linux 6.3 it stays until the thread ends
    io_uring_rsrc_update update{};
    update.offset = static_cast<unsigned>(number_);
    sys::call(SYS_io_uring_register, number_, IORING_UNREGISTER_RING_FDS | IORING_REGISTER_USE_REGISTERED_RING,
              sys::word(&update), 1);
  }
  sys::munmap(sqes_, sqesBytes_);
  sys::munmap(rings_, ringsBytes_);
  sqes_ = nullptr;
  number_ = -1;
}

bool AsyncRing::begin(const char* memory, uint64_t bytes, uint64_t lastBytes, uint64_t offset) {
  if (!isOpen() || pending_ != 0 || bytes <= lastBytes) return false;
  const SignalsBlocked blocked;
  const unsigned tail = *submitTail_;
  const auto put = [&](unsigned position, uint64_t begin, uint64_t end, unsigned flags) {
    const unsigned index = (tail + position) & submitMask_;
    io_uring_sqe& entry = sqes_[index];
    memset(&entry, 0, sizeof entry);
    entry.opcode = IORING_OP_WRITE;
    entry.flags = static_cast<uint8_t>(IOSQE_FIXED_FILE | IOSQE_ASYNC | flags);
    entry.off = offset + begin;
    entry.addr = reinterpret_cast<uint64_t>(memory + begin);
    entry.len = static_cast<unsigned>(end - begin);
    entry.user_data = end - begin;
    submitOrder_[index] = index;
  };
  put(0, lastBytes, bytes, IOSQE_IO_LINK);
  put(1, 0, lastBytes, 0);
  __atomic_store_n(submitTail_, tail + kEntries, __ATOMIC_RELEASE);
  failed_ = false;
  pending_ = kEntries;
  const long taken = enter(number_, kEntries, 0, 0);
  if (taken == kEntries) return true;
  pending_ = __atomic_load_n(submitHead_, __ATOMIC_ACQUIRE) - tail;
  failed_ = true;
  __atomic_store_n(submitTail_, tail + pending_, __ATOMIC_RELEASE);
  return pending_ != 0;
}

void AsyncRing::takeCompletions() {
  const SignalsBlocked blocked;
  unsigned head = *doneHead_;
  for (; head != __atomic_load_n(doneTail_, __ATOMIC_ACQUIRE); head++) {
    const io_uring_cqe& completion = done_[head & doneMask_];
    if (completion.res < 0 || static_cast<uint64_t>(completion.res) != completion.user_data) failed_ = true;
    if (pending_ > 0) pending_--;
  }
  __atomic_store_n(doneHead_, head, __ATOMIC_RELEASE);
}

AsyncRing::Result AsyncRing::await() {
  while (pending_ != 0) {
    const long error = enter(number_, 0, pending_, IORING_ENTER_GETEVENTS);
    if (error < 0 && error != -EINTR && error != -EAGAIN && error != -EBUSY) return Result::kUnknown;
    takeCompletions();
  }
  return failed_ ? Result::kFailed : Result::kDone;
}

}  // namespace parallax
