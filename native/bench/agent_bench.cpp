// parallax-bench-agent [--short]: nanoseconds of what the agent adds, all in one run.
// parallax-bench-agent --pairs COUNT: figures of Enter and Leave, for parallax-bench-peers, whose
// trace goes to where PARALLAX_TRACE says.

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/agent_bench.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

constexpr uint64_t kCalls = 1000000;
constexpr uint64_t kShortCalls = 20000;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t semaphore;

template <class Pair>
void benchPair(const char* what, const char* how, uint64_t calls, Pair pair) {
  char line[64];
  snprintf(line, sizeof line, "%s, %s", what, how);
  printf("%-52s %8.1f\n", line, leastNs(calls, pair));
}

// Uncontended pairs.
int benchLocks(uint64_t calls, const char* how) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  benchPair("mutex lock and unlock", how, calls, [] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  benchPair("read-write lock, reader", how, calls, [] {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  benchPair("read-write lock, writer", how, calls, [] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  benchPair("spin lock and unlock", how, calls, [] {
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
  });
  benchPair("semaphore wait and post", how, calls, [] {
    sem_wait(&semaphore);
    sem_post(&semaphore);
  });
  return 0;
}

// Through the kernel and back, by one thread.
int benchPipe(uint64_t calls, const char* how) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  benchPair("pipe, write and read of 8 bytes", how, calls / 4, [&] {
    uint64_t word = 0;
    if (write(ends[1], &word, sizeof word) < 0 || read(ends[0], &word, sizeof word) < 0) abort();
  });
  close(ends[0]);
  close(ends[1]);
  return 0;
}

int benchCalls(uint64_t calls, const char* how) {
  const int status = benchLocks(calls, how);
  return status != 0 ? status : benchPipe(calls, how);
}

std::string self() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

int benchFunctions(uint64_t calls, const char* how) {
  benchPair("call of an instrumented function", how, calls, [] { hookedFunction(); });
  return 0;
}

// Runs this program again under the agent, with these options of parallax-record.
int runRecorded(const std::string& scratch, std::vector<std::string> options,
                const std::vector<std::string>& arguments) {
  const std::string program = self();
  std::vector<std::string> words{program.substr(0, program.rfind('/')) + "/parallax-record",
                                 "--quiet", "--no-calibration", "-o", scratch + "/again"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", program});
  words.insert(words.end(), arguments.begin(), arguments.end());
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  std::filesystem::remove_all(scratch + "/again");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int benchRecorded(const std::string& scratch, const char* size) {
  const std::string filter = scratch + "/filter";
  std::ofstream(filter) << "exclude function parallax::bench::hookedFunction\n";
  int status = runRecorded(scratch, {}, {"--calls", size});
  const std::pair<const char*, std::vector<std::string>> ways[] = {
      {"recorded", {"--throttle", "off"}},
      {"throttled", {"--throttle", "100:1000000"}},
      {"filtered", {"--filter", filter}},
      {"switched off", {"--adapters", "-user"}},
  };
  for (const auto& [how, options] : ways) {
    if (status == 0) status = runRecorded(scratch, options, {"--functions", how, size});
  }
  return status;
}

int benchSampled(const std::string& scratch, bool isShort) {
  return benchSamples(isShort ? 10000000 : 200000000, isShort ? 1 : 8, scratch + "/cpu",
                      [&](const char* hz, const std::vector<std::string>& arguments) {
                        return runRecorded(scratch, {"--sample-hz", hz}, arguments);
                      });
}

int benchAlive(const std::string& scratch, const char* size) {
  const std::string program = self();
  return benchTuned(scratch, program.substr(0, program.rfind('/')) + "/libparallax-agent.so", program, size);
}

int benchAll(uint64_t calls, const char* size) {
  const TemporaryDirectory directory;
  const std::string& scratch = directory.path();
  if (scratch.empty()) {
    perror("parallax-bench-agent: no scratch directory");
    return 1;
  }
  setenv("PARALLAX_TRACE", scratch.c_str(), 1);
  setenv("PARALLAX_SAMPLE_HZ", "0", 1);
  unsetenv("PARALLAX_TICK_HZ");
  printf("%-52s %8s\n", "", "ns");
  int status = benchCalls(calls, "plain");
  if (status == 0) status = benchFunctions(calls, "plain");
  if (status == 0) status = benchRecorded(scratch, size);
  if (status == 0) status = benchAlive(scratch, size);
  if (status == 0) status = benchEvents(calls);
  if (status == 0) status = benchSampled(scratch, calls == kShortCalls);
  return status;
}

}  // namespace
}  // namespace parallax::bench

int main(int count, char** arguments) {
  using namespace parallax::bench;
  const std::string first = count > 1 ? arguments[1] : "";
  const std::string last = count > 1 ? arguments[count - 1] : "";
  const uint64_t calls = last == "--short" ? kShortCalls : kCalls;
  if (count == 5 && first == "--tuned") {
    while (access(arguments[4], F_OK) != 0) usleep(1000);
    return benchLocks(strcmp(arguments[3], "--short") == 0 ? kShortCalls : kCalls, arguments[2]);
  }
  if (first == "--calls") return benchCalls(calls, "recorded");
  if (count == 4 && first == "--functions") return benchFunctions(calls, arguments[2]);
  if (count == 4 && first == "--work") {
    return benchWork(strtoull(arguments[2], nullptr, 10), arguments[3]);
  }
  if (count == 3 && first == "--pairs") return benchPairs(strtoull(arguments[2], nullptr, 10));
  if (count == 1 || (count == 2 && first == "--short")) {
    return benchAll(calls, last == "--short" ? "--short" : "--long");
  }
  fprintf(stderr, "usage: parallax-bench-agent [--short]\n");
  return 2;
}
