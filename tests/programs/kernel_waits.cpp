// One that waits for another, by objects of the kernel.
//
//   kernel_waits WAY [threads|processes] [ROUNDS]        default: threads, 3 rounds
//
// In each round, `waiter` waits until `worker` has done late_work (20 ms of CPU time). They are two threads, or the
// process and a child of it. WAY is one of
//
//   eventfd tokens poll select epoll       an eventfd: read, as a semaphore, until it is ready
//   semop zero setval                      semaphores of System V: for a token, until it is zero, until it is set
//   msgrcv msgsnd mq_receive mq_send       queues of messages: for a message, for room in a full queue
//   flock fcntl ofd lockf close            locks of files, the last one released by a close
//   sigwait sigwaitinfo sigtimedwait sigsuspend pause interrupted handler
//                                          signals: taken, or by a handler that ends a wait; `handler` writes to a pipe
//   eventfd_full                           until a write has room in an eventfd; who reads from it is not known
//   group killpg group_poll                signals to the process group: taken, and by a handler
//   thread_kill once                       threads only: a signal to a thread, pthread_once
//   end                                    processes only, 1 round: the end of the process that holds a lock
//   condition, pipe                        the same by another mechanism, for threads and for both
//
// Planted answer: `waiter` waits for all of late_work. By other ways there is no worker, and it waits
//   timerfd timerfd_poll timer alarm stale for a timer (20 ms); stale: after a signal that it took while it worked
//   alarm_child                            for a child that does not end, until a timer
//   futex_limit sem_limit mq_limit sig_limit cond_limit lock_limit
//                                          until a time limit (20 ms), for something that does not come
//   inotify outside_pipe outside_end       for a process that is not recorded: its change of a file, what it writes to a
//                                          pipe, or its end of the pipe
// Prints the seconds that its calls took, as `waits=SECONDS`.

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
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

static void check(bool good, const char* what) {
  if (good) return;
  perror(what);
  exit(1);
}

// What the waiter does; what the worker does before its work, and after it. `settle` is the waiter's, when it has waited.
struct Way {
  std::function<void()> wait, release = [] {}, begin = [] {}, settle = [] {};
  bool alone = false;  // there is no worker
  bool works = true;   // late_work is not part of `release`
};

static bool processes = false;
static pid_t waiterPid;
static std::atomic<pthread_t> waiterThread;
static char file[64];

static int openFile() {
  const int fd = open(file, O_RDWR | O_CREAT, 0600);
  check(fd >= 0, file);
  return fd;
}

static Way eventfdWay(const std::string& way) {
  const int fd = eventfd(0, way == "tokens" ? EFD_SEMAPHORE : 0);
  check(fd >= 0, "eventfd");
  const auto take = [fd] {
    eventfd_t value;
    check(eventfd_read(fd, &value) == 0, "eventfd_read");
  };
  const auto add = [fd] { check(eventfd_write(fd, 1) == 0, "eventfd_write"); };
  if (way == "eventfd_full") {
    return {[=] {
      check(eventfd_write(fd, 0xfffffffffffffffe) == 0 && eventfd_write(fd, 1) == 0, "eventfd_write");
    }, take, [] {}, take};
  }
  if (way == "poll") {
    return {[=] {
      pollfd ready{fd, POLLIN, 0};
      check(poll(&ready, 1, -1) == 1, "poll");
    }, add, [] {}, take};
  }
  if (way == "select") {
    return {[=] {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(fd, &set);
      check(select(fd + 1, &set, nullptr, nullptr, nullptr) == 1, "select");
    }, add, [] {}, take};
  }
  if (way == "epoll") {
    const int epoll = epoll_create1(0);
    epoll_event event{EPOLLIN, {}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    return {[=] {
      epoll_event found;
      check(epoll_wait(epoll, &found, 1, -1) == 1, "epoll_wait");
    }, add, [] {}, take};
  }
  return {take, add};
}

static Way semaphoreWay(const std::string& way) {
  const int set = semget(IPC_PRIVATE, 1, 0600);
  check(set >= 0, "semget");
  const auto change = [set](int by) {
    sembuf operation{0, static_cast<short>(by), 0};
    check(semop(set, &operation, 1) == 0, "semop");
  };
  const auto value = [set](int to) { check(semctl(set, 0, SETVAL, to) == 0, "semctl"); };
  static int made = set;
  atexit([] { if (getpid() == waiterPid) semctl(made, 0, IPC_RMID); });
  if (way == "zero") return {[=] { change(0); }, [=] { change(-1); }, [=] { change(1); }};
  if (way == "setval") return {[=] { change(-1); }, [=] { value(1); }};
  return {[=] { change(-1); }, [=] { change(1); }};
}

struct Message {
  long type = 7;
  char text[4096] = {};
};

static Way systemVQueueWay(const std::string& way) {
  const int queue = msgget(IPC_PRIVATE, 0600);
  check(queue >= 0, "msgget");
  static int made = queue;
  atexit([] { if (getpid() == waiterPid) msgctl(made, IPC_RMID, nullptr); });
  const auto send = [queue](int flags) {
    const Message message;
    return msgsnd(queue, &message, sizeof message.text, flags);
  };
  const auto receive = [queue] {
    Message message;
    check(msgrcv(queue, &message, sizeof message.text, 0, 0) > 0, "msgrcv");
  };
  if (way == "msgrcv") return {receive, [=] { check(send(0) == 0, "msgsnd"); }};
  return {[=] { check(send(0) == 0, "msgsnd"); }, receive, [=] {
    while (send(IPC_NOWAIT) == 0) {
    }
  }};
}

static Way posixQueueWay(const std::string& way) {
  const std::string name = "/kernel_waits." + std::to_string(getpid());
  mq_attr attributes{};
  attributes.mq_maxmsg = 2;
  attributes.mq_msgsize = 16;
  const mqd_t queue = mq_open(name.c_str(), O_RDWR | O_CREAT, 0600, &attributes);
  check(queue >= 0, "mq_open");
  mq_unlink(name.c_str());
  const auto send = [queue] { check(mq_send(queue, "message", 8, 3) == 0, "mq_send"); };
  const auto receive = [queue] {
    char text[16];
    check(mq_receive(queue, text, sizeof text, nullptr) > 0, "mq_receive");
  };
  if (way == "mq_receive") return {receive, send};
  return {send, receive, [=] {
    mq_attr state;
    while (mq_getattr(queue, &state) == 0 && state.mq_curmsgs < 2) send();
  }};
}

static Way lockWay(const std::string& way) {
  // Each has a description of its own.
  static int mine, other;
  mine = openFile();
  other = openFile();
  const auto change = [way](int fd, short type) {
    struct flock range{};
    range.l_type = type;
    range.l_start = 100;
    range.l_len = 10;
    if (way == "flock") {
      check(flock(fd, type == F_UNLCK ? LOCK_UN : LOCK_EX) == 0, "flock");
    } else if (way == "lockf") {
      check(lseek(fd, 100, SEEK_SET) == 100 && lockf(fd, type == F_UNLCK ? F_ULOCK : F_LOCK, 10) == 0, "lockf");
    } else {
      check(fcntl(fd, way == "ofd" ? F_OFD_SETLKW : F_SETLKW, &range) == 0, "fcntl");
    }
  };
  Way result;
  result.wait = [=] { change(mine, F_WRLCK); };
  result.begin = [=] { change(other, F_WRLCK); };
  result.release = [=] { change(other, F_UNLCK); };
  result.settle = [=] { change(mine, F_UNLCK); };
  if (way == "close") {
    result.release = [=] {
      close(other);
      other = openFile();
    };
  }
  if (way == "end") result.release = [] { exit(0); };
  return result;
}

static void nothing(int) {}
static int handlerPipe[2];

static Way signalWay(const std::string& way) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  check(pipe(handlerPipe) == 0, "pipe");
  struct sigaction action{};
  action.sa_handler = way == "handler" ? [](int) { check(write(handlerPipe[1], "h", 1) == 1, "write"); } : nothing;
  sigaction(SIGUSR1, &action, nullptr);
  Way result;
  result.release = [] { kill(waiterPid, SIGUSR1); };
  if (way.find("group") == 0 || way == "killpg") {
    // The worker is in the group, too, and keeps the signal out.
    check(setpgid(0, 0) == 0, "setpgid");
    result.release = way == "group" ? [] { kill(0, SIGUSR1); } : way == "killpg" ? [] { killpg(waiterPid, SIGUSR1); }
                                                                 : [] { kill(-waiterPid, SIGUSR1); };
  }
  if (way == "sigwait" || way == "killpg") {
    result.wait = [=] {
      int number;
      check(sigwait(&set, &number) == 0, "sigwait");
    };
  } else if (way == "sigwaitinfo") {
    result.wait = [=] { check(sigwaitinfo(&set, nullptr) == SIGUSR1, "sigwaitinfo"); };
    result.release = [] { sigqueue(waiterPid, SIGUSR1, sigval{}); };
  } else if (way == "sigtimedwait" || way == "thread_kill") {
    result.wait = [=] {
      const timespec time{5, 0};
      check(sigtimedwait(&set, nullptr, &time) == SIGUSR1, "sigtimedwait");
    };
    if (way == "thread_kill") result.release = [] { pthread_kill(waiterThread, SIGUSR1); };
  } else {
    // Only the waiter lets it in: for good, or while it waits.
    result.wait = [=] {
      sigset_t none;
      sigemptyset(&none);
      if (way == "sigsuspend" || way == "group") {
        sigsuspend(&none);
      } else if (way == "pause") {
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        pause();
      } else {
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        check(poll(nullptr, 0, 5000) == -1, "poll");
      }
    };
  }
  return result;
}

static timespec realTimeIn20ms() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 20000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec++;
  }
  return time;
}

static Way timerWay(const std::string& way) {
  Way result;
  result.alone = true;
  const itimerspec times{{0, 0}, {0, 20000000}};
  if (way == "timerfd" || way == "timerfd_poll") {
    const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    const auto take = [fd] {
      uint64_t expirations;
      check(read(fd, &expirations, sizeof expirations) == sizeof expirations, "read");
    };
    result.begin = [=] { timerfd_settime(fd, 0, &times, nullptr); };
    result.wait = take;
    if (way == "timerfd_poll") {
      result.wait = [=] {
        pollfd ready{fd, POLLIN, 0};
        check(poll(&ready, 1, -1) == 1, "poll");
      };
      result.settle = take;
    }
    return result;
  }
  if (way == "futex_limit") {
    result.wait = [] {
      static int word;
      const timespec limit{0, 20000000};
      check(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit, nullptr, 0) == -1 && errno == ETIMEDOUT, "futex");
    };
    return result;
  }
  if (way == "sem_limit") {
    static const int set = semget(IPC_PRIVATE, 1, 0600);
    static const pid_t creator = getpid();
    atexit([] {
      if (getpid() == creator) semctl(set, 0, IPC_RMID);
    });
    result.wait = [=] {
      sembuf take{0, -1, 0};
      const timespec limit{0, 20000000};
      check(semtimedop(set, &take, 1, &limit) == -1 && errno == EAGAIN, "semtimedop");
    };
    return result;
  }
  if (way == "mq_limit") {
    mq_attr attributes{};
    attributes.mq_maxmsg = 1;
    attributes.mq_msgsize = 8;
    const std::string name = "/kernel_waits." + std::to_string(getpid());
    const mqd_t queue = mq_open(name.c_str(), O_CREAT | O_RDWR, 0600, &attributes);
    check(queue >= 0, "mq_open");
    mq_unlink(name.c_str());
    result.wait = [=] {
      char message[8];
      const timespec limit = realTimeIn20ms();
      check(mq_timedreceive(queue, message, sizeof message, nullptr, &limit) == -1 && errno == ETIMEDOUT, "mq");
    };
    return result;
  }
  if (way == "sig_limit") {
    result.wait = [] {
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, SIGUSR2);
      const timespec limit{0, 20000000};
      check(sigtimedwait(&set, nullptr, &limit) == -1 && errno == EAGAIN, "sigtimedwait");
    };
    return result;
  }
  if (way == "cond_limit" || way == "lock_limit") {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);  // for the rest of the program
    const bool locks = way == "lock_limit";
    result.wait = [=] {
      const timespec limit = realTimeIn20ms();
      check((locks ? pthread_mutex_timedlock(&mutex, &limit) : pthread_cond_timedwait(&condition, &mutex, &limit)) ==
                ETIMEDOUT, "limit");
    };
    return result;
  }
  if (way == "inotify") {
    const int fd = inotify_init1(0);
    check(inotify_add_watch(fd, "/tmp", IN_CREATE) >= 0, "inotify_add_watch");
    // A process without the agent.
    result.begin = [] {
      check(system("env -u LD_PRELOAD sh -c 'sleep 0.02; : > /tmp/kernel_waits.$$; rm /tmp/kernel_waits.$$' &") == 0,
            "system");
    };
    result.wait = [=] {
      char events[4096];
      check(read(fd, events, sizeof events) > 0, "read");
    };
    return result;
  }
  if (way == "outside_pipe" || way == "outside_end") {
    static FILE* outside;
    const bool ends = way == "outside_end";
    result.begin = [=] {
      const char* command = ends ? "env -u LD_PRELOAD sh -c 'sleep 0.02'" : "env -u LD_PRELOAD sh -c 'sleep 0.02; echo'";
      outside = popen(command, "r");
      check(outside != nullptr, "popen");
    };
    result.wait = [=] {
      char byte;
      check(read(fileno(outside), &byte, 1) == (ends ? 0 : 1), "read");
    };
    result.settle = [] { pclose(outside); };
    return result;
  }
  if (way == "alarm_child") {
    struct sigaction action{};
    action.sa_handler = nothing;  // without SA_RESTART
    sigaction(SIGALRM, &action, nullptr);
    static int ends[2];
    check(pipe(ends) == 0, "pipe");
    static pid_t child;
    result.begin = [] {
      child = fork();
      if (child == 0) {
        char byte;
        _exit(read(ends[0], &byte, 1) == 1 ? 0 : 1);
      }
      const itimerval value{{0, 0}, {0, 20000}};
      setitimer(ITIMER_REAL, &value, nullptr);
    };
    result.wait = [] { check(waitpid(child, nullptr, 0) == -1 && errno == EINTR, "waitpid"); };
    result.settle = [] {
      check(write(ends[1], "x", 1) == 1, "write");
      waitpid(child, nullptr, 0);
    };
    return result;
  }
  if (way == "alarm" || way == "stale") {
    signal(SIGUSR2, nothing);
    signal(SIGALRM, nothing);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    result.begin = [way] {
      if (way == "stale") {
        kill(getpid(), SIGUSR2);
        usleep(5000);
      }
      const itimerval value{{0, 0}, {0, 20000}};
      setitimer(ITIMER_REAL, &value, nullptr);
    };
    result.wait = [] {
      sigset_t none;
      sigemptyset(&none);
      sigsuspend(&none);
    };
    return result;
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  timer_t timer;
  check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
  result.begin = [=] { timer_settime(timer, 0, &times, nullptr); };
  result.wait = [=] { check(sigwaitinfo(&set, nullptr) == SIGRTMIN, "sigwaitinfo"); };
  return result;
}

static pthread_once_t controls[8] = {PTHREAD_ONCE_INIT};

static Way make(const std::string& way) {
  const std::map<std::string, Way (*)(const std::string&)> makers = {
      {"eventfd", eventfdWay}, {"eventfd_full", eventfdWay},
      {"tokens", eventfdWay}, {"poll", eventfdWay}, {"select", eventfdWay},
      {"epoll", eventfdWay}, {"semop", semaphoreWay}, {"zero", semaphoreWay}, {"setval", semaphoreWay},
      {"msgrcv", systemVQueueWay}, {"msgsnd", systemVQueueWay}, {"mq_receive", posixQueueWay},
      {"mq_send", posixQueueWay}, {"flock", lockWay}, {"fcntl", lockWay}, {"ofd", lockWay}, {"lockf", lockWay},
      {"close", lockWay}, {"end", lockWay}, {"sigwait", signalWay}, {"sigwaitinfo", signalWay},
      {"sigtimedwait", signalWay}, {"sigsuspend", signalWay}, {"pause", signalWay}, {"interrupted", signalWay},
      {"handler", signalWay}, {"thread_kill", signalWay}, {"timerfd", timerWay}, {"timerfd_poll", timerWay},
      {"alarm_child", timerWay},
      {"outside_pipe", timerWay}, {"outside_end", timerWay},
      {"timer", timerWay}, {"alarm", timerWay}, {"stale", timerWay}, {"group", signalWay}, {"killpg", signalWay},
      {"group_poll", signalWay}, {"inotify", timerWay},
      {"futex_limit", timerWay}, {"sem_limit", timerWay}, {"mq_limit", timerWay},
      {"sig_limit", timerWay}, {"cond_limit", timerWay}, {"lock_limit", timerWay}};
  if (const auto maker = makers.find(way); maker != makers.end()) return maker->second(way);
  if (way == "pipe") {
    static int ends[2];
    check(pipe(ends) == 0, "pipe");
    return {[] {
      char byte;
      check(read(ends[0], &byte, 1) == 1, "read");
    }, [] { check(write(ends[1], "b", 1) == 1, "write"); }};
  }
  if (way == "condition") {
    static std::mutex mutex;
    static std::condition_variable condition;
    static int done = 0, seen = 0;
    return {[] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [] { return done > seen; });
      seen++;
    }, [] {
      const std::lock_guard lock(mutex);
      done++;
      condition.notify_one();
    }};
  }
  if (way == "once") {
    static int waiterRound = 0, workerRound = 0;
    Way result{[] { pthread_once(&controls[waiterRound++], late_work); },
               [] { pthread_once(&controls[workerRound++], late_work); }};
    result.works = false;
    return result;
  }
  fprintf(stderr, "kernel_waits: there is no way '%s'\n", way.c_str());
  exit(2);
}

struct Shared {
  std::atomic<int> begun, waited;
};

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  processes = argc > 2 && strcmp(argv[2], "processes") == 0;
  const int rounds = argc > 3 ? atoi(argv[3]) : 3;
  waiterPid = getpid();
  snprintf(file, sizeof file, "/tmp/kernel_waits.%d", getpid());
  auto* shared = static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const Way way = make(name);
  double waits = 0;
  const auto waiter = [&] {
    waiterThread = pthread_self();
    for (int i = 0; i < rounds; i++) {
      if (way.alone) way.begin();
      while (!way.alone && shared->begun <= i) usleep(100);
      if (!way.alone) usleep(1000);  // the worker is in its work
      const double start = now();
      way.wait();
      waits += now() - start;
      way.settle();
      shared->waited++;
    }
  };
  const auto worker = [&] {
    for (int i = 0; i < rounds && !way.alone; i++) {
      way.begin();
      shared->begun++;
      if (way.works) late_work();
      way.release();
      while (shared->waited <= i) usleep(100);
    }
  };
  if (processes) {
    const pid_t child = fork();
    if (child == 0) {
      worker();
      exit(0);
    }
    waiter();
    waitpid(child, nullptr, 0);
  } else {
    std::thread first(waiter), second(worker);
    first.join();
    second.join();
  }
  unlink(file);
  printf("waits=%.6f\n", waits);
  return 0;
}
