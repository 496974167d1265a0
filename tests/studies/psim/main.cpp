//   psim [OPTION]... [K [N [CYCLES [RATE]]]]          defaults 4, 3, 1000, 0.05
//     --workers W      processes that share memory (2); --threads: threads instead
//     --barrier KIND   spin (default) or block
//     --detail D       how much work a device has with a packet (30)
//     --cosched SOCKET [--application NAME]   registers with a co-scheduler
//
// Simulates K^N processors that send requests through an indirect K-ary N-cube to as many memories, in
// each of CYCLES clock cycles one with probability RATE, until all results are back. Each cycle ends
// with a barrier.
//
// Planted: each request comes back to its processor; packets, cycles, latency and checksum depend on
// K, N, CYCLES, RATE and D alone. Exit status 1 if a packet was lost or came to a wrong place.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "barrier.h"
#include "cosched.h"
#include "network.h"

namespace {

constexpr uint32_t kMostWorkers = 32;

struct Options {
  Settings settings = {4, 3, 1000, 50, 30, 2, false, false};
  const char* cosched = nullptr;
  char application[64] = "";
};

// Before the network, in memory that the workers share.
struct Shared {
  Barrier barrier;
  alignas(64) std::atomic<uint64_t> underWay[3];  // by the cycle modulo 3; see allAreBack()
  Counts counts[kMostWorkers];
  uint32_t cycles;
};

Options options;
Shared* shared;
Network* network;

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

double nowNs(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Says after the barrier of a cycle whether nothing is under way: each worker has added before it what
// its processors had issued, less what had returned to them. The first worker clears that of the next
// cycle before the barrier: nobody reads it any more, and nobody adds to it yet.
bool allAreBack(uint32_t cycle) {
  return cycle >= options.settings.cycles &&
         shared->underWay[cycle % 3].load(std::memory_order_acquire) == 0;
}

PROCEDURE void waitForOthers(Counts* counts) {
  const double begin = nowNs(CLOCK_MONOTONIC);
  shared->barrier.wait();
  counts->barrierNs += nowNs(CLOCK_MONOTONIC) - begin;
  counts->barriers++;
}

PROCEDURE void simulate(uint32_t worker) {
  Counts counts = {};
  if (options.cosched != nullptr && (worker == 0 || !options.settings.threads)) {
    if (registerWithCoscheduler(options.cosched, options.application) < 0) {
      fail("psim: the co-scheduler");
    }
  }
  waitForOthers(&counts);
  uint32_t cycle = 0;
  for (;; cycle++) {
    network->compute(worker, cycle, &counts);
    shared->underWay[cycle % 3].fetch_add(counts.issued - counts.returned);
    if (worker == 0) shared->underWay[(cycle + 1) % 3].store(0);
    waitForOthers(&counts);
    if (allAreBack(cycle)) break;
  }
  network->sum(worker, &counts);
  counts.cpuNs = nowNs(CLOCK_THREAD_CPUTIME_ID);
  shared->counts[worker] = counts;
  if (worker == 0) shared->cycles = cycle + 1;
}

void* simulateInThread(void* worker) {
  simulate(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(worker)));
  return nullptr;
}

// This process or thread is the first worker.
bool runWorkers() {
  const Settings& settings = options.settings;
  pthread_t threads[kMostWorkers];
  for (uint32_t w = 1; w < settings.workers; w++) {
    if (settings.threads) {
      if (pthread_create(&threads[w], nullptr, simulateInThread, reinterpret_cast<void*>(uintptr_t{w}))) {
        fail("psim: pthread_create");
      }
      continue;
    }
    const pid_t pid = fork();
    if (pid < 0) fail("psim: fork");
    if (pid == 0) {
      simulate(w);
      _exit(0);
    }
  }
  simulate(0);
  bool well = true;
  for (uint32_t w = 1; w < settings.workers; w++) {
    int status = 0;
    if (settings.threads) {
      pthread_join(threads[w], nullptr);
    } else {
      wait(&status);
    }
    well = well && status == 0;
  }
  return well;
}

[[noreturn]] void wrongUse() {
  fprintf(stderr, "usage: psim [--workers W] [--threads] [--barrier spin|block] [--detail D] [--cosched SOCKET "
                  "[--application NAME]] [K [N [CYCLES [RATE]]]]\n");
  exit(2);
}

void readOptions(int count, char** arguments) {
  const option known[] = {{"workers", required_argument, nullptr, 'w'},
                          {"threads", no_argument, nullptr, 't'},
                          {"barrier", required_argument, nullptr, 'b'},
                          {"detail", required_argument, nullptr, 'd'},
                          {"cosched", required_argument, nullptr, 'c'},
                          {"application", required_argument, nullptr, 'a'},
                          {nullptr, 0, nullptr, 0}};
  Settings& settings = options.settings;
  snprintf(options.application, sizeof options.application, "psim %d", getpid());
  for (int letter; (letter = getopt_long(count, arguments, "", known, nullptr)) != -1;) {
    switch (letter) {
      case 'w': settings.workers = static_cast<uint32_t>(atoi(optarg)); break;
      case 't': settings.threads = true; break;
      case 'b':
        settings.blocking = strcmp(optarg, "block") == 0;
        if (!settings.blocking && strcmp(optarg, "spin") != 0) wrongUse();
        break;
      case 'd': settings.detail = static_cast<uint32_t>(atol(optarg)); break;
      case 'c': options.cosched = optarg; break;
      case 'a': snprintf(options.application, sizeof options.application, "%s", optarg); break;
      default: wrongUse();
    }
  }
  uint32_t* const numbers[] = {&settings.k, &settings.n, &settings.cycles};
  for (uint32_t* number : numbers) {
    if (optind < count) *number = static_cast<uint32_t>(atol(arguments[optind++]));
  }
  if (optind < count) settings.rate = static_cast<uint32_t>(atof(arguments[optind++]) * 1000);
  uint64_t lines = 1;
  for (uint32_t i = 0; i < settings.n && lines <= 65536; i++) lines *= settings.k;
  if (optind < count || settings.workers < 1 || settings.workers > kMostWorkers || settings.k < 2 ||
      settings.k > 32 || settings.n < 1 || lines > 65536 || settings.rate > 1000) {
    wrongUse();
  }
}

void makeShared() {
  const size_t bytes = sizeof(Shared) + Network::bytes(options.settings);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("psim: mmap");
  shared = static_cast<Shared*>(memory);
  network = reinterpret_cast<Network*>(shared + 1);
  shared->barrier.open(options.settings.workers, options.settings.blocking);
  network->build(options.settings);
}

}  // namespace

int main(int count, char** arguments) {
  readOptions(count, arguments);
  makeShared();
  const double begin = nowNs(CLOCK_MONOTONIC);
  if (!runWorkers()) {
    fprintf(stderr, "psim: a worker failed\n");
    return 1;
  }
  const double elapsedNs = nowNs(CLOCK_MONOTONIC) - begin;
  Counts all = {};
  for (uint32_t w = 0; w < options.settings.workers; w++) {
    const Counts& own = shared->counts[w];
    all.issued += own.issued;
    all.returned += own.returned;
    all.latency += own.latency;
    all.checksum += own.checksum;
    all.misrouted += own.misrouted;
    all.spinLocks += own.spinLocks;
    all.barriers += own.barriers;
    all.barrierNs += own.barrierNs;
    all.cpuNs += own.cpuNs;
  }
  const bool right = all.misrouted == 0 && all.issued == all.returned && all.issued > 0;
  printf("packets=%llu cycles=%u latency=%llu checksum=%016llx answer=%s\n",
         static_cast<unsigned long long>(all.issued), shared->cycles,
         static_cast<unsigned long long>(all.latency),
         static_cast<unsigned long long>(all.checksum), right ? "right" : "wrong");
  printf("elapsed_s=%.4f cpu_s=%.4f barrier_wait_s=%.4f barriers=%llu spin_locks=%llu\n",
         elapsedNs / 1e9, all.cpuNs / 1e9, all.barrierNs / 1e9,
         static_cast<unsigned long long>(all.barriers),
         static_cast<unsigned long long>(all.spinLocks));
  return right ? 0 : 1;
}
