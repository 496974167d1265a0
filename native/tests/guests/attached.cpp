// A program to which others attach: threads in vector loops, locks and system calls, each of which checks its own results.
// attached THREADS MS prints what went wrong, in one line, after this time or at SIGTERM.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> ends{false};
std::atomic<long> wrongSums{0}, wrongCounts{0}, interrupted{0}, wrongBytes{0}, wrongErrno{0};

// In registers of vectors all the time.
__attribute__((noinline, optimize("O3", "fast-math"))) double sumOf(const double* values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i] * values[i];
  return sum;
}

void loopOverVectors() {
  std::vector<double> values(2000);
  for (size_t i = 0; i < values.size(); i++) values[i] = static_cast<double>(i % 7);
  const double expected = sumOf(values.data(), values.size());
  while (!ends) {
    errno = 77;
    for (int i = 0; i < 50; i++) {
      if (sumOf(values.data(), values.size()) != expected) wrongSums++;
    }
    if (errno != 77) wrongErrno++;
    const timespec pause{0, 1000000};
    if (nanosleep(&pause, nullptr) != 0) interrupted++;
  }
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
long guarded = 0;
std::atomic<long> expectedCount{0};

void lockAndAllocate() {
  while (!ends) {
    pthread_mutex_lock(&mutex);
    guarded++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    expectedCount++;
    void* memory[16];
    for (void*& each : memory) each = malloc(100 + static_cast<size_t>(rand()) % 5000);
    for (void* each : memory) free(each);
    const timespec pause{0, 500000};
    if (nanosleep(&pause, nullptr) != 0) interrupted++;
  }
}

void awaitChanges() {
  pthread_mutex_lock(&mutex);
  while (!ends) {
    const long before = guarded;
    while (guarded == before && !ends) pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

struct Pipe {
  int ends[2];
};

// As programs have that choose among functions: no instruction names this one.
struct Calls {
  ssize_t (*volatile read)(int, void*, size_t);
} calls = {read};

void readBytes(Pipe* pipe) {
  uint8_t expected = 0, got;
  for (;;) {
    const ssize_t size = calls.read(pipe->ends[0], &got, 1);
    if (size == 0) return;
    if (size != 1) interrupted++;
    if (got != expected++) wrongBytes++;
  }
}

void writeBytes(Pipe* pipe) {
  for (uint8_t next = 0; !ends; next++) {
    if (write(pipe->ends[1], &next, 1) != 1) wrongBytes++;
    const timespec pause{0, 700000};
    if (nanosleep(&pause, nullptr) != 0) interrupted++;
  }
  close(pipe->ends[1]);
}

void awaitEvents() {
  const int events = eventfd(0, 0), set = epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  epoll_ctl(set, EPOLL_CTL_ADD, events, &wanted);
  while (!ends) {
    epoll_event got;
    if (epoll_wait(set, &got, 1, 20) < 0) interrupted++;
  }
  close(set);
  close(events);
}

sem_t never;

void awaitSemaphore() {
  while (!ends) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 30000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    if (sem_timedwait(&never, &until) == 0 || errno != ETIMEDOUT) interrupted++;
  }
}

// What a call of the allocator leaves on the stack, in a frame that does not use it: an address in malloc after a call.
void* leftover() {
  constexpr uint8_t kCall = 0xe8;
  auto* code = static_cast<uint8_t*>(dlsym(RTLD_NEXT, "malloc"));
  for (int at = 0; at < 1000; at++) {
    if (code[at] == kCall) return code + at + 5;
  }
  return nullptr;
}

}  // namespace

int main(int, char** arguments) {
  const int count = atoi(arguments[1]), ms = atoi(arguments[2]);
  void* volatile left = leftover();
  sem_init(&never, 0, 0);
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &end, nullptr);
  std::vector<std::thread> threads;
  std::vector<Pipe> pipes(static_cast<size_t>(count));
  for (int i = 0; i < count; i++) {
    Pipe* pipe = &pipes[static_cast<size_t>(i)];
    switch (i % 7) {
      case 0: threads.emplace_back(loopOverVectors); break;
      case 1: threads.emplace_back(lockAndAllocate); break;
      case 2: threads.emplace_back(awaitChanges); break;
      case 3:
        if (::pipe(pipe->ends) != 0) return 1;
        threads.emplace_back(readBytes, pipe);
        break;
      case 4: threads.emplace_back(writeBytes, &pipes[static_cast<size_t>(i) - 1]); break;
      case 5: threads.emplace_back(awaitEvents); break;
      default: threads.emplace_back(awaitSemaphore);
    }
  }
  if (count % 7 == 4) return 1;  // a reader without a writer
  const timespec whole{ms / 1000, ms % 1000 * 1000000L};
  while (sigtimedwait(&end, nullptr, &whole) < 0 && errno != EAGAIN) interrupted++;
  ends = true;
  if (left == nullptr) return 1;
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    bool all = true;
    for (std::thread& thread : threads) all = all && !thread.joinable();
    if (all) break;
    for (std::thread& thread : threads) {
      if (thread.joinable()) {
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
        thread.join();
      }
    }
  }
  if (guarded != expectedCount) wrongCounts++;
  printf("sums %ld, counts %ld, interrupted %ld, bytes %ld, errno %ld\n", wrongSums.load(), wrongCounts.load(),
         interrupted.load(), wrongBytes.load(), wrongErrno.load());
  return 0;
}
