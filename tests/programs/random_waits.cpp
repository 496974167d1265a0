// Threads that follow a script of delays, semaphores, locks and barriers.
//
//   random_waits SCRIPT
//
// A script has one word list a line:
//   object NUMBER WAY [PARTICIPANTS]   WAY: sem condition counting pipe eventfd sysv queue mutex barrier
//   THREAD delay NANOSECONDS           by nanosleep
//   THREAD post|wait NUMBER            of an object that counts: the first seven ways
//   THREAD lock|unlock NUMBER
//   THREAD barrier NUMBER
// Threads are numbered from 0, which is the main thread; each follows its lines in their order. Before, all
// threads meet at a barrier.
//
// Prints for each step when it began and ended, by CLOCK_MONOTONIC: THREAD NUMBER BEGIN END. Number 0 is the
// barrier at the start. From these times, and the script, follows who waited for whom.

#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <semaphore>
#include <sstream>
#include <string>
#include <vector>

namespace {

long now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

void delay(long ns) {
  timespec time{ns / 1000000000, ns % 1000000000};
  nanosleep(&time, nullptr);
}

[[noreturn]] void fail(const std::string& what) {
  fprintf(stderr, "random_waits: %s\n", what.c_str());
  exit(2);
}

// What a script can do with an object; each kind has a part of it.
struct Object {
  virtual ~Object() = default;
  // The first use of an object, for which the agent prepares, is not a part of the script.
  virtual void tryOut() {
    post();
    wait();
  }
  virtual void post() { fail("not an object that counts"); }
  virtual void wait() { fail("not an object that counts"); }
  virtual void lock() { fail("not a lock"); }
  virtual void unlock() { fail("not a lock"); }
  virtual void meet() { fail("not a barrier"); }
};

struct PosixSemaphore : Object {
  PosixSemaphore() { sem_init(&semaphore, 0, 0); }
  void post() override { sem_post(&semaphore); }
  void wait() override { sem_wait(&semaphore); }
  sem_t semaphore;
};

struct Condition : Object {
  void post() override {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  void wait() override {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&condition, &mutex);
    count--;
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  int count = 0;
};

struct Counting : Object {
  void post() override { semaphore.release(); }
  void wait() override { semaphore.acquire(); }
  std::counting_semaphore<> semaphore{0};
};

struct Pipe : Object {
  Pipe() {
    if (pipe(ends) != 0) fail("no pipe");
  }
  void post() override {
    if (write(ends[1], "x", 1) != 1) fail("cannot write");
  }
  void wait() override {
    char byte;
    if (read(ends[0], &byte, 1) != 1) fail("cannot read");
  }
  int ends[2];
};

struct Event : Object {
  void post() override {
    if (eventfd_write(fd, 1) != 0) fail("cannot write");
  }
  void wait() override {
    eventfd_t value;
    if (eventfd_read(fd, &value) != 0) fail("cannot read");
  }
  int fd = eventfd(0, EFD_SEMAPHORE);
};

struct SystemV : Object {
  ~SystemV() override { semctl(set, 0, IPC_RMID); }
  void post() override { add(1); }
  void wait() override { add(-1); }
  void add(short value) {
    sembuf operation{0, value, 0};
    if (semop(set, &operation, 1) != 0) fail("no semop");
  }
  int set = semget(IPC_PRIVATE, 1, 0600);
};

struct Queue : Object {
  ~Queue() override { msgctl(queue, IPC_RMID, nullptr); }
  void post() override {
    if (msgsnd(queue, &message, 1, 0) != 0) fail("cannot send");
  }
  void wait() override {
    Message taken;
    if (msgrcv(queue, &taken, 1, 0, 0) != 1) fail("cannot receive");
  }
  struct Message {
    long type = 1;
    char byte = 'x';
  } message;
  int queue = msgget(IPC_PRIVATE, 0600);
};

struct Mutex : Object {
  void tryOut() override {
    lock();
    unlock();
  }
  void lock() override { pthread_mutex_lock(&mutex); }
  void unlock() override { pthread_mutex_unlock(&mutex); }
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

struct Barrier : Object {
  explicit Barrier(unsigned participants) { pthread_barrier_init(&barrier, nullptr, participants); }
  void tryOut() override {}
  void meet() override { pthread_barrier_wait(&barrier); }
  pthread_barrier_t barrier;
};

std::unique_ptr<Object> make(const std::string& way, unsigned participants) {
  if (way == "sem") return std::make_unique<PosixSemaphore>();
  if (way == "condition") return std::make_unique<Condition>();
  if (way == "counting") return std::make_unique<Counting>();
  if (way == "pipe") return std::make_unique<Pipe>();
  if (way == "eventfd") return std::make_unique<Event>();
  if (way == "sysv") return std::make_unique<SystemV>();
  if (way == "queue") return std::make_unique<Queue>();
  if (way == "mutex") return std::make_unique<Mutex>();
  if (way == "barrier") return std::make_unique<Barrier>(participants);
  fail("no way " + way);
}

struct Step {
  std::string what;
  long argument;
  long begin, end;
};

struct Thread {
  std::vector<Step> steps;
};

std::map<long, std::unique_ptr<Object>> objects;
std::map<int, Thread> threads;
std::unique_ptr<Barrier> start;

void perform(const Step& step) {
  if (step.what == "delay") return delay(step.argument);
  if (step.what == "start") return start->meet();
  Object& object = *objects.at(step.argument);
  if (step.what == "post") return object.post();
  if (step.what == "wait") return object.wait();
  if (step.what == "lock") return object.lock();
  if (step.what == "unlock") return object.unlock();
  if (step.what == "barrier") return object.meet();
  fail("no step " + step.what);
}

void* follow(void* argument) {
  for (Step& step : static_cast<Thread*>(argument)->steps) {
    step.begin = now();
    perform(step);
    step.end = now();
  }
  return nullptr;
}

void readScript(const char* path) {
  std::ifstream file(path);
  if (!file) fail(std::string("cannot read ") + path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string first, what;
    long argument = 0;
    words >> first;
    if (first == "object") {
      unsigned participants = 0;
      words >> argument >> what >> participants;
      objects[argument] = make(what, participants);
    } else if (words >> what >> argument) {
      threads[atoi(first.c_str())].steps.push_back({what, argument, 0, 0});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: random_waits SCRIPT");
  readScript(argv[1]);
  for (auto& [number, object] : objects) object->tryOut();
  start = std::make_unique<Barrier>(threads.size());
  for (auto& [number, thread] : threads) thread.steps.insert(thread.steps.begin(), Step{"start", 0, 0, 0});
  std::vector<pthread_t> others;
  for (auto& [number, thread] : threads) {
    if (number == 0) continue;
    others.emplace_back();
    pthread_create(&others.back(), nullptr, follow, &thread);
  }
  follow(&threads[0]);
  for (pthread_t other : others) pthread_join(other, nullptr);
  for (auto& [number, thread] : threads) {
    int index = 0;
    for (const Step& step : thread.steps) printf("%d %d %ld %ld\n", number, index++, step.begin, step.end);
  }
  return 0;
}
