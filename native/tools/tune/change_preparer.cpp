#include "tools/tune/change_preparer.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace parallax::tuning {

// The thread may outlive the object.
struct ChangePreparer::Shared {
  explicit Shared(Prepare function) : prepare(std::move(function)), ready(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Shared() {
    if (ready >= 0) close(ready);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  struct Wanted {
    uint32_t id;
    int pid;
    points::ActionRequest request;
    std::string path;
  };

  const Prepare prepare;
  const int ready;
  std::mutex mutex;  // of all below
  std::condition_variable changed;
  bool hasThread = false, ends = false;
  std::deque<Wanted> wanted;
  std::vector<Prepared> prepared;
};

ChangePreparer::ChangePreparer(Prepare prepare) : shared_(std::make_shared<Shared>(std::move(prepare))) {}

ChangePreparer::~ChangePreparer() {
  const std::lock_guard lock(shared_->mutex);
  shared_->ends = true;
  shared_->changed.notify_all();
}

int ChangePreparer::fd() const { return shared_->ready; }

void ChangePreparer::begin(uint32_t id, int pid, const points::ActionRequest& request, const std::string& path) {
  const std::lock_guard lock(shared_->mutex);
  shared_->wanted.push_back({id, pid, request, path});
  shared_->changed.notify_all();
  if (shared_->hasThread) return;
  shared_->hasThread = true;
  sigset_t all, before;  // signals are for the main thread
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([shared = shared_] { work(shared); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ChangePreparer::work(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  for (;;) {
    shared->changed.wait(lock, [&] { return shared->ends || !shared->wanted.empty(); });
    if (shared->ends) return;
    const Shared::Wanted wanted = std::move(shared->wanted.front());
    shared->wanted.pop_front();
    lock.unlock();
    std::string problem = shared->prepare(wanted.pid, wanted.request, wanted.path);
    lock.lock();
    if (shared->ends) {
      unlink(wanted.path.c_str());
      return;
    }
    shared->prepared.push_back({wanted.id, wanted.path, std::move(problem)});
    eventfd_write(shared->ready, 1);
  }
}

std::vector<ChangePreparer::Prepared> ChangePreparer::take() {
  eventfd_t ignored;
  eventfd_read(shared_->ready, &ignored);
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->prepared, {});
}

}  // namespace parallax::tuning
