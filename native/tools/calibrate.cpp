// parallax-calibrate AGENT: prints what the agent takes on this machine, as lines NAME NANOSECONDS. The
// recorder runs it before the program and keeps the figures in the manifest. PARALLAX_TRACE is a directory
// of its own, in which it leaves files.
//
// It records itself and measures its own events. For the start of processes and threads, and for locks, it
// starts itself by turns with and without the agent.

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/cpu_clock.h"
#include "core/process.h"
#include "core/thread.h"
#include "sampler/sample_timer.h"
#include "tools/event_costs.h"

extern char** environ;

namespace parallax::costs {
namespace {

constexpr unsigned kMostSeconds = 5;
constexpr uint64_t kEvents = 20000;
constexpr int kTurns = 3, kThreads = 31, kCallTurns = 3, kMostCallTurns = 9;
constexpr size_t kSamples = 8;
constexpr double kPeriods = 20;
constexpr uint64_t kSecondNs = 1000000000;

constexpr char kNothing[] = "--nothing", kCalls[] = "--calls";
// Of the C library, which most programs do not load.
constexpr const char* kLibraries[] = {"libresolv.so.2", "libanl.so.1", "libBrokenLocale.so.1", "libutil.so.1",
                                      "libnss_compat.so.2", "libnss_hesiod.so.2", "librt.so.1", "libmvec.so.1", "libnsl.so.1"};

void print(const char* name, double ns) { printf("%s %.1f\n", name, ns); }

void* beginAndEnd(void* argument) { return argument; }

// CPU time of loading a library; 0 if there is none.
double loadNs() {
  int count = 0;
  const uint64_t begin = CpuClock::readNs();
  for (const char* name : kLibraries) {
    if (dlopen(name, RTLD_NOW) != nullptr) count++;
  }
  return count > 0 ? static_cast<double>(CpuClock::readNs() - begin) / count : 0;
}

// Of all threads. On a busy machine, the elapsed time of a thread's start and end tells how long it waited.
double processCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// What begins and ends a thread, two events outside of calls, and a library take with or without the agent.
int printCalls() {
  double threads[kThreads];
  for (double& ns : threads) {
    const double begin = processCpuNs();
    pthread_t thread;
    if (pthread_create(&thread, nullptr, beginAndEnd, nullptr) != 0) return 1;
    pthread_join(thread, nullptr);
    ns = processCpuNs() - begin;
  }
  // The kernel may account the end of a thread to the next one.
  std::sort(threads, threads + kThreads);
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const double lockNs = leastNs(kEvents, [] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  printf("%.1f %.1f %.1f\n", threads[kThreads / 2], lockNs, loadNs());
  return 0;
}

// This program again, with these variables; what it printed, and its CPU time: others have a part in its elapsed time.
struct Run {
  double thread = 1e18, lock = 1e18, module = 1e18, cpu = 0;
  bool failed = true;
};

double nsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

Run runAgain(const char* mode, const std::vector<char*>& variables) {
  Run result;
  int ends[2];
  if (pipe(ends) != 0) return result;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  char name[] = "parallax-calibrate";
  char* const arguments[] = {name, const_cast<char*>(mode), nullptr};
  pid_t pid;
  const int error = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, arguments, variables.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) {
    char text[96] = "";
    const ssize_t got = read(ends[0], text, sizeof text - 1);
    char* rest = text;
    if (got > 0) {
      result.thread = strtod(text, &rest);
      result.lock = strtod(rest, &rest);
      result.module = strtod(rest, nullptr);
    }
    int status = 0;
    rusage usage{};
    result.failed = wait4(pid, &status, 0, &usage) != pid || status != 0;
    result.cpu = nsOf(usage.ru_utime) + nsOf(usage.ru_stime);
  }
  close(ends[0]);
  return result;
}

// What takes longer with the agent: start and end of a process and of a thread, a loaded library, and an event of a lock.
struct Added {
  double process = 0, thread = 0, instant = 0, module = 0;
};

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

bool measureAdded(const std::string& agent, Added* added) {
  std::string preload = "LD_PRELOAD=" + agent;
  std::vector<char*> plain;
  for (char** variable = environ; *variable != nullptr; variable++) {
    if (strncmp(*variable, "LD_PRELOAD=", 11) != 0) plain.push_back(*variable);
  }
  std::vector<char*> recorded = plain;
  recorded.push_back(preload.data());
  plain.push_back(nullptr);
  recorded.push_back(nullptr);
  double processes[2] = {1e18, 1e18}, locks[2] = {1e18, 1e18};
  // On a busy machine all times of a turn are longer: those with the agent are compared with those right before.
  std::vector<double> threads, modules;
  const std::vector<char*>* const variables[] = {&plain, &recorded};
  for (int turn = 0; turn < kTurns; turn++) {
    for (int with = 0; with < 2; with++) {
      const Run run = runAgain(kNothing, *variables[with]);
      if (run.failed) return false;
      processes[with] = std::min(processes[with], run.cpu);
    }
  }
  // A thread costs something: if none is found, the machine was too busy.
  for (int turn = 0; turn < kCallTurns || (turn < kMostCallTurns && medianOf(threads) <= 0); turn++) {
    const Run plainRun = runAgain(kCalls, plain), run = runAgain(kCalls, recorded);
    if (plainRun.failed || run.failed) return false;
    threads.push_back(run.thread - plainRun.thread);
    modules.push_back(run.module - plainRun.module);
    locks[0] = std::min(locks[0], plainRun.lock);
    locks[1] = std::min(locks[1], run.lock);
  }
  added->thread = std::max(0.0, medianOf(threads));
  added->module = std::max(0.0, medianOf(modules));
  added->process = std::max(0.0, processes[1] - processes[0]);
  added->instant = std::max(0.0, locks[1] - locks[0]) / 2;
  return true;
}

int calibrate(const std::string& agent) {
  Added added;
  if (!measureAdded(agent, &added)) {
    fprintf(stderr, "parallax-calibrate: a process with the agent cannot be started\n");
    return 1;
  }
  // At the rate of the kernel's tick, or at that of the program if it is higher: that needs other timers.
  const char* wanted = getenv("PARALLAX_SAMPLE_HZ");
  const uint64_t wantedHz = wanted != nullptr ? strtoull(wanted, nullptr, 10) : 0;
  const uint64_t tickNs = std::max<uint64_t>(kernelTickNs(), 1);
  const bool isFast = wantedHz * tickNs > kSecondNs;
  const uint64_t sampleHz = wantedHz == 0 || isFast ? wantedHz : kSecondNs / tickNs;
  setenv("PARALLAX_SAMPLE_HZ", std::to_string(sampleHz).c_str(), 1);
  process.start();
  Thread* thread = currentThread();
  if (thread == nullptr) {
    fprintf(stderr, "parallax-calibrate: the trace directory cannot be written\n");
    return 1;
  }
  double sampleNs = 0;
  if (isFast) {
    sampleNs = measureRealSampleNs(thread, kSamples,
                                   kPeriods * static_cast<double>(kSecondNs) / static_cast<double>(sampleHz));
  } else if (wantedHz != 0) {
    sampleNs = measureTimerSampleNs(thread);
  }
  const EventCosts events = measureEvents(thread, kEvents);
  print("process", added.process);
  print("thread", added.thread);
  print("module", added.module);
  if (sampleNs > 0) print("sample", sampleNs);
  print("pair", events.pair);
  print("path", std::max(0.0, events.pathPair - events.pair));
  print("frame", events.frame);
  print("payload", events.payload);
  print("instant", added.instant);
  print("counted", events.counted);
  print("cpu", events.cpuRead);
  print("refill", measureRefillNs(thread, events.pair + events.payload + events.cpuRead));
  print("block", measureBlockNs(thread));
  process.end(format::EndReason::kExit, 0);
  return fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace parallax::costs

int main(int count, char** arguments) {
  using namespace parallax::costs;
  alarm(kMostSeconds);  // also where this program has started itself: a child has no alarm of its parent
  const std::string first = count == 2 ? arguments[1] : "";
  if (first.empty()) {
    fprintf(stderr, "usage: parallax-calibrate AGENT\n");
    return 2;
  }
  if (first == kNothing) return 0;
  if (first == kCalls) return printCalls();
  return calibrate(first);
}
