// A program with an allocator of its own, in which a call takes long: the first block of 100,000 bytes waits more than a second
// for a lock that another thread holds, the second one keeps the lock as long. At SIGTERM it tells how many such calls
// were begun, how many have returned, and whether the lock is free. With an argument no call takes long, and it tells how often
// the allocator was called in itself.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

extern "C" void* __libc_malloc(size_t bytes);
extern "C" void __libc_free(void* block);

namespace {

constexpr long kLongNs = 150000000;  // beyond a second
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> begun{0}, returned{0}, inItself{0};
thread_local bool isInside = false;
bool isQuick = false;

void sleepLong() {
  timespec left{1, kLongNs};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

// Never called into: it blocks the signals of libc, as threads do that begin or end.
void holdLock(std::atomic<bool>* isHeld) {
  const uint64_t all = ~uint64_t{0};
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, nullptr, sizeof all);
  pthread_mutex_lock(&mutex);
  *isHeld = true;
  while (begun == 0) usleep(1000);
  sleepLong();
  pthread_mutex_unlock(&mutex);
}

}  // namespace

extern "C" void* malloc(size_t bytes) {
  constexpr size_t kOfVisits = 100000;
  if (isInside) inItself++;
  if (bytes != kOfVisits) return __libc_malloc(bytes);
  isInside = true;
  const int call = ++begun;
  pthread_mutex_lock(&mutex);
  void* block = __libc_malloc(bytes);
  if (call > 1 && !isQuick) sleepLong();
  pthread_mutex_unlock(&mutex);
  returned++;
  isInside = false;
  return block;
}

extern "C" void free(void* block) { __libc_free(block); }

int main(int count, char**) {
  isQuick = count > 1;
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigprocmask(SIG_BLOCK, &end, nullptr);
  std::atomic<bool> isHeld{false};
  std::thread holder;
  if (!isQuick) holder = std::thread(holdLock, &isHeld);
  while (!isHeld && !isQuick) usleep(1000);
  puts("runs");
  fflush(stdout);
  sigwaitinfo(&end, nullptr);
  if (isQuick) {
    printf("begun %d, returned %d, in itself %d\n", begun.load(), returned.load(), inItself.load());
    return 0;
  }
  begun = begun == 0 ? 1 : begun.load();
  holder.join();
  const bool isFree = pthread_mutex_trylock(&mutex) == 0;
  printf("begun %d, returned %d, lock %s\n", begun.load(), returned.load(), isFree ? "free" : "held");
  fflush(stdout);
  _exit(0);
}
