// A thread that waits for another, by ways that end in waits on words of memory.
//
//   memory_waits WAY [ROUNDS]        default 3 rounds, which are all that `static` has
//
// WAY is one of: atomic latch barrier semaphore future static futex vector words condition. `vector` waits for any of two
// words (futex_waitv), of which the second is woken; `words` uses futex_wait and futex_wake. They exit with status 77 if the
// kernel does not have these. All ways wait in the same
// order: in each round, `waiter` waits until `worker` has done late_work (20 ms of CPU time). `condition` is
// the same with a mutex and a condition.
//
// Planted answer: `waiter` waits for all of late_work. Prints the seconds that its calls took, as
// `waits=SECONDS`.

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "work.h"

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

PROCEDURE static void late_work() { work(20); }

// A round: what the waiter does, and what the worker does after its work.
struct Round {
  std::function<void()> wait, release;
  std::function<void()> begin = [] {};  // by the worker, before its work
};

struct Slow {
  Slow() { late_work(); }
};
template <int number>
static void initialise() {
  static Slow slow;
}

template <class Object>
static Round roundOf(void (*wait)(Object&), void (*release)(Object&)) {
  auto object = std::make_shared<Object>();
  return {[=] { wait(*object); }, [=] { release(*object); }};
}

struct Latch : std::latch {
  Latch() : std::latch(1) {}
};
struct Barrier : std::barrier<> {
  Barrier() : std::barrier<>(2) {}
};
struct Semaphore : std::counting_semaphore<> {
  Semaphore() : std::counting_semaphore<>(0) {}
};
struct Condition {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
};

struct TwoWords {
  std::atomic<int> other{0}, word{0};
};
struct Waiter {  // linux/futex.h has it since 5.16
  uint64_t value;
  std::atomic<int>* word;
  uint32_t flags, reserved;
};
static constexpr uint32_t kWordOf4 = 2 | 128;  // and private

static void known(long result) {
  if (result < 0 && errno == ENOSYS) _exit(77);
}

static Round make(const std::string& way, int number) {
  if (way == "atomic") {
    return roundOf<std::atomic<int>>([](auto& word) { word.wait(0); },
                                     [](auto& word) {
                                       word = 1;
                                       word.notify_one();
                                     });
  }
  if (way == "latch") {
    return roundOf<Latch>([](auto& latch) { latch.wait(); }, [](auto& latch) { latch.count_down(); });
  }
  if (way == "barrier") {
    const auto arrive = [](Barrier& barrier) { barrier.arrive_and_wait(); };
    return roundOf<Barrier>(arrive, arrive);
  }
  if (way == "semaphore") {
    return roundOf<Semaphore>([](auto& tokens) { tokens.acquire(); },
                              [](auto& tokens) { tokens.release(); });
  }
  if (way == "future") {
    return roundOf<std::promise<int>>([](auto& promise) { promise.get_future().wait(); },
                                      [](auto& promise) { promise.set_value(1); });
  }
  if (way == "static") {  // the worker initialises, the waiter comes while it does
    static void (*const all[])() = {initialise<0>, initialise<1>, initialise<2>};
    if (number >= 3) {
      fprintf(stderr, "memory_waits: static has at most 3 rounds\n");
      exit(2);
    }
    void (*const one)() = all[number];
    return {[=] { one(); }, [] {}, [=] { one(); }};
  }
  if (way == "futex") {
    return roundOf<std::atomic<int>>(
        [](auto& word) {
          while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
        },
        [](auto& word) {
          word = 1;
          syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
        });
  }
  if (way == "vector") {
    return roundOf<TwoWords>(
        [](auto& words) {
          const Waiter any[] = {{0, &words.other, kWordOf4, 0}, {0, &words.word, kWordOf4, 0}};
          while (words.word == 0) known(syscall(449, any, 2, 0, nullptr, 0));
        },
        [](auto& words) {
          words.word = 1;
          syscall(SYS_futex, &words.word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
        });
  }
  if (way == "words") {
    return roundOf<std::atomic<int>>(
        [](auto& word) {
          while (word == 0) known(syscall(455, &word, 0L, ~0u, kWordOf4, nullptr, 0));
        },
        [](auto& word) {
          word = 1;
          known(syscall(454, &word, ~0u, 1, kWordOf4));
        });
  }
  if (way == "condition") {
    return roundOf<Condition>(
        [](auto& object) {
          std::unique_lock lock(object.mutex);
          object.condition.wait(lock, [&] { return object.done; });
        },
        [](auto& object) {
          const std::lock_guard lock(object.mutex);
          object.done = true;
          object.condition.notify_one();
        });
  }
  fprintf(stderr, "memory_waits: there is no way '%s'\n", way.c_str());
  exit(2);
}

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const int rounds = argc > 2 ? atoi(argv[2]) : 3;
  std::vector<Round> all;
  for (int i = 0; i < rounds; i++) all.push_back(make(way, i));
  std::atomic<int> begun{0}, waited{0};
  double waits = 0;
  std::thread waiter([&] {
    for (int i = 0; i < rounds; i++) {
      while (begun <= i) usleep(100);
      usleep(1000);  // the worker is in its work
      const double start = now();
      all[static_cast<size_t>(i)].wait();
      waits += now() - start;
      waited++;
    }
  });
  std::thread worker([&] {
    for (int i = 0; i < rounds; i++) {
      begun++;
      Round& round = all[static_cast<size_t>(i)];
      if (way == "static") {
        round.begin();
      } else {
        late_work();
      }
      round.release();
      while (waited <= i) usleep(100);
    }
  });
  waiter.join();
  worker.join();
  printf("waits=%.6f\n", waits);
  return 0;
}
