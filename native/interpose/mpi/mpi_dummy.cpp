// Dummy messages go to the neighbour on the right, around, on a duplicate of MPI_COMM_WORLD. They are
// sent and received without ever waiting, at the points themselves: one that would have to wait, as
// the neighbour does not come to its points, is left out. The last one, at MPI_Finalize, leaves
// nothing on the way.
//
// Nothing of it is recorded: all calls are of the library itself.
#include "interpose/mpi/mpi_dummy.h"

#include "base/fork_generation.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "core/agent.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_routine.h"
#include "perturb/perturb.h"

namespace parallax::mpi {
namespace {

constexpr int kTag = 0;
constexpr char kLast = 1;  // the first byte of a process's last message; else 0
constexpr int kMostSends = 16;

// A request, of any library's size.
struct Pending {
  Handle request = 0;
  bool active = false;

  bool isOver() {
    int done = 0;
    if (active && callService(Service::kTest, &request, &done, abi().statusIgnore) == 0) {
      active = done == 0;
    }
    return !active;
  }
  void wait() {
    if (active) callService(Service::kWait, &request, abi().statusIgnore);
    active = false;
  }
};

// What one process has. Used by one thread at a time.
class DummyMessages {
 public:
  bool start(uint64_t bytes, int threadLevel) {
    const uint64_t mostBytes = bytes > 0 ? bytes : 1;
    void* buffers = allocatePages(2 * mostBytes);
    if (buffers == nullptr) return false;
    Handle duplicate = 0;
    if (callService(Service::kComm_dup, abi().world, &duplicate) != 0) return false;
    communicator_ = loadHandle(&duplicate);
    int rank = 0, size = 1;
    callService(Service::kComm_rank, communicator_, &rank);
    callService(Service::kComm_size, communicator_, &size);
    left_ = (rank + size - 1) % size;
    right_ = (rank + 1) % size;
    out_ = static_cast<char*>(buffers);
    in_ = out_ + mostBytes;
    mostBytes_ = mostBytes;
    anyThread_ = threadLevel >= abi().threadMultiple;
    tid_ = sys::gettid();
    generation_ = forkGeneration();
    receive();
    return true;
  }

  bool mayUse() const {
    return forkGeneration() == generation_ && Scope::depth() == 0 &&
           (anyThread_ || sys::gettid() == tid_);
  }

  bool send(uint64_t bytes) {
    if (!mayUse() || !using_.lock()) return false;
    while (received_.active && received_.isOver()) receiveNext();
    const bool sent = sendAtOnce(bytes);
    using_.unlock();
    return sent;
  }

  void end() {
    if (forkGeneration() != generation_ || !using_.lock()) return;
    out_ = last_;
    sendBy(&lastSend_, 1);
    while (received_.active) {
      received_.wait();
      receiveNext();
    }
    for (Pending& pending : sends_) pending.wait();
    lastSend_.wait();
    Handle communicator = communicator_;
    callService(Service::kComm_free, &communicator);
    using_.unlock();
  }

 private:
  // After one has been received.
  void receiveNext() {
    leftHasEnded_ = in_[0] == kLast;
    if (!leftHasEnded_) receive();
  }

  void receive() {
    const int result = callService(Service::kIrecv, in_, static_cast<int>(mostBytes_), abi().byteType,
                                   left_, kTag, communicator_, &received_.request);
    received_.active = result == 0;
  }

  bool sendBy(Pending* pending, uint64_t bytes) {
    const auto size = static_cast<int>(bytes > 0 ? bytes : 1);
    const int result = callService(Service::kIsend, out_, size, abi().byteType,
                                   right_, kTag, communicator_, &pending->request);
    pending->active = result == 0;
    return pending->active;
  }

  bool sendAtOnce(uint64_t bytes) {
    for (Pending& pending : sends_) {
      if (pending.isOver()) return sendBy(&pending, bytes);
    }
    return false;
  }

  SpinLock using_;
  Handle communicator_ = 0;
  int left_ = 0, right_ = 0, tid_ = 0;
  uint32_t generation_ = 0;
  bool anyThread_ = false;
  char* out_ = nullptr;
  char* in_ = nullptr;
  uint64_t mostBytes_ = 0;
  bool leftHasEnded_ = false;
  char last_[1] = {kLast};
  Pending received_, sends_[kMostSends], lastSend_;
};

DummyMessages messages;
std::atomic<bool> started{false};

}  // namespace

void startDummyMessages() {
  const perturb::Plan* plan = perturb::currentPlan();
  if (plan == nullptr || !plan->wants(perturb::Action::kMessage)) return;
  if (abi().library == Library::kUnknown || started.exchange(true)) return;
  uint64_t mostBytes = 0;
  for (const perturb::Treatment& level : plan->factors) {
    if (level.action == perturb::Action::kMessage && level.amount > mostBytes) {
      mostBytes = level.amount;
    }
  }
  int level = 0;
  callService(Service::kQuery_thread, &level);
  if (level == abi().threadSerialized) {
    perturb::tellProblem(perturb::kAllPoints,
                         "the program requested MPI_THREAD_SERIALIZED, which lets only the program "
                         "send messages: there are no dummy messages");
  }
  if (level == abi().threadSerialized || !messages.start(mostBytes, level)) {
    perturb::messageSender.store([](uint64_t) { return false; }, std::memory_order_release);
    return;
  }
  perturb::messageSender.store([](uint64_t bytes) { return messages.send(bytes); },
                               std::memory_order_release);
}

void endDummyMessages() {
  if (perturb::messageSender.load(std::memory_order_acquire) == nullptr || !started.load()) return;
  static std::atomic<bool> ended{false};
  if (ended.exchange(true)) return;
  const auto none = [](uint64_t) { return false; };
  perturb::messageSender.store(none, std::memory_order_release);
  messages.end();
}

}  // namespace parallax::mpi
