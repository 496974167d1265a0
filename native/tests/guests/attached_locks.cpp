// A program whose threads are nearly always in the memory allocator or the dynamic linker. attached_locks SECONDS ends
// after this time or at SIGTERM, and tells whether all threads went on until then.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> ends{false};

// More than a thread keeps for itself, so that the locks are needed.
void allocate(std::atomic<long>* rounds) {
  void* blocks[64];
  while (!ends) {
    size_t size = 1100;
    for (void*& each : blocks) each = aligned_alloc(64, size += 64);
    for (void* each : blocks) free(each);
    for (void*& each : blocks) {
      if (posix_memalign(&each, 256, size -= 64) != 0) abort();
    }
    for (void* each : blocks) free(each);
    ++*rounds;
  }
}

void open(std::atomic<long>* rounds) {
  while (!ends) {
    void* handle = dlopen("libanl.so.1", RTLD_NOW);
    if (handle == nullptr) abort();
    dlclose(handle);
    ++*rounds;
  }
}

// Each gives its memory back when it ends, without a call of free.
void start(std::atomic<long>* rounds) {
  while (!ends) {
    std::thread([] { free(malloc(500)); }).join();
    ++*rounds;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? atoi(argv[1]) : 1;
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigprocmask(SIG_BLOCK, &end, nullptr);
  std::atomic<long> rounds[5] = {};
  std::thread threads[] = {std::thread(allocate, &rounds[0]), std::thread(allocate, &rounds[1]),
                           std::thread(allocate, &rounds[2]), std::thread(open, &rounds[3]), std::thread(start, &rounds[4])};
  const timespec most{seconds, 0};
  sigtimedwait(&end, nullptr, &most);
  long before[5];
  for (int i = 0; i < 5; i++) before[i] = rounds[i];
  bool allGoOn = false;
  for (int i = 0; i < 2000 && !allGoOn; i++) {
    usleep(10000);
    allGoOn = true;
    for (int j = 0; j < 5; j++) allGoOn = allGoOn && rounds[j] > before[j] + 1;
  }
  puts(allGoOn ? "all go on" : "some are stuck");
  if (!allGoOn) _exit(1);
  ends = true;
  for (std::thread& each : threads) each.join();
}
