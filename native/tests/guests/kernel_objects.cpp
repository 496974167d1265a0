// What is counted of objects of the kernel: one thread that uses them in an order that the test knows, and child processes
// where a second one is needed. kernel_objects SCENARIO
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "asleep.h"

namespace {

void expect(bool good, const char* what) {
  if (good) return;
  perror(what);
  exit(1);
}

void add(int fd, eventfd_t value = 1) { expect(eventfd_write(fd, value) == 0, "eventfd_write"); }
eventfd_t take(int fd) {
  eventfd_t value = 0;
  expect(eventfd_read(fd, &value) == 0, "eventfd_read");
  return value;
}

// Writes 1, 2, 3 of which a read takes all, then 4. The next one has the number of the first, and is another.
void events() {
  int fd = eventfd(0, 0);
  add(fd);
  add(fd);
  add(fd);
  printf("%d ", static_cast<int>(take(fd)));
  add(fd);
  printf("%d ", static_cast<int>(take(fd)));
  add(fd);
  close(fd);
  fd = eventfd(0, EFD_NONBLOCK);
  eventfd_t value;
  printf("%d ", eventfd_read(fd, &value));
  add(fd);
  printf("%d\n", static_cast<int>(take(fd)));
}

// Two tokens at first, two that are written; a child takes the last one. Then a write of 2.
void tokens() {
  const int fd = eventfd(2, EFD_SEMAPHORE);
  for (int i = 0; i < 2; i++) take(fd);
  for (int i = 0; i < 2; i++) add(fd);
  take(fd);
  fflush(stdout);
  if (fork() == 0) {
    take(fd);
    _exit(0);
  }
  wait(nullptr);
  add(fd, 2);
  for (int i = 0; i < 2; i++) take(fd);
}

struct Message {
  long type;
  char text[8];
};

// Of types 1, 2, 1, received as 2, 1, 1; then one of a queue that had a message when it was first seen.
void types() {
  const int queue = msgget(IPC_PRIVATE, 0600);
  for (const long type : {1, 2, 1}) {
    const Message message{type, "text"};
    expect(msgsnd(queue, &message, sizeof message.text, 0) == 0, "msgsnd");
  }
  for (const long type : {2, 1, 1}) {
    Message message;
    expect(msgrcv(queue, &message, sizeof message.text, type, 0) > 0, "msgrcv");
  }
  Message none;
  printf("%zd\n", msgrcv(queue, &none, sizeof none.text, 0, IPC_NOWAIT));
  msgctl(queue, IPC_RMID, nullptr);
}

// Of priorities 1, 5, 1, received as 5, 1, 1; a full queue refuses one in between.
void priorities() {
  char name[64];
  snprintf(name, sizeof name, "/kernel_objects.%d", getpid());
  mq_attr attributes{};
  attributes.mq_maxmsg = 3;
  attributes.mq_msgsize = 8;
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  expect(queue >= 0, "mq_open");
  mq_unlink(name);
  for (const unsigned priority : {1, 5, 1}) expect(mq_send(queue, "text", 4, priority) == 0, "mq_send");
  const timespec over{1, 0};
  printf("%d ", mq_timedsend(queue, "text", 4, 1, &over));
  printf("%d ", errno == ETIMEDOUT);
  unsigned priority = 0;
  char text[8];
  for (int i = 0; i < 3; i++) {
    expect(mq_receive(queue, text, sizeof text, &priority) == 4, "mq_receive");
    printf("%u ", priority);
  }
  printf("%zd %d\n", mq_timedreceive(queue, text, sizeof text, nullptr, &over), errno == ETIMEDOUT);
}

void change(int set, int by, int flags = 0) {
  sembuf operation{0, static_cast<short>(by), static_cast<short>(flags)};
  expect(semop(set, &operation, 1) == 0 || (flags & IPC_NOWAIT) != 0, "semop");
}

// One token at first; a child waits for the next but one.
void semaphore() {
  const int set = semget(IPC_PRIVATE, 1, 0600);
  expect(semctl(set, 0, SETVAL, 1) == 0, "semctl");
  change(set, -1);
  change(set, -1, IPC_NOWAIT);  // in vain
  change(set, 1);
  change(set, -1);
  const pid_t pid = fork();
  if (pid == 0) {
    change(set, -1);
    _exit(0);
  }
  parallax::tests::awaitAsleep(pid, pid);
  change(set, 1);
  wait(nullptr);
  semctl(set, 0, IPC_RMID);
}

// Nobody waits for the first lock; a child waits for the second.
void lock() {
  char name[] = "/tmp/kernel_objects.XXXXXX";
  const int fd = mkstemp(name);
  expect(flock(fd, LOCK_EX) == 0 && flock(fd, LOCK_UN) == 0 && flock(fd, LOCK_EX) == 0, "flock");
  const pid_t pid = fork();
  if (pid == 0) {
    const int own = open(name, O_RDWR);
    expect(flock(own, LOCK_EX) == 0, "flock");
    _exit(0);
  }
  parallax::tests::awaitAsleep(pid, pid);
  expect(flock(fd, LOCK_UN) == 0, "flock");
  wait(nullptr);
  unlink(name);
}

// Three children that give and three that take, 200 times each.
template <class Give, class Take>
void contend(Give give, Take take) {
  for (int i = 0; i < 6; i++) {
    if (fork() != 0) continue;
    for (int k = 0; k < 200; k++) i < 3 ? give(k) : take(i - 3);
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
}

void contention() {
  char name[64];
  snprintf(name, sizeof name, "/kernel_objects.%d", getpid());
  mq_attr attributes{};
  attributes.mq_maxmsg = 3;
  attributes.mq_msgsize = 8;
  const mqd_t posix = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  expect(posix >= 0, "mq_open");
  mq_unlink(name);
  contend([=](int k) { expect(mq_send(posix, "text", 4, static_cast<unsigned>(k % 2)) == 0, "mq_send"); },
          [=](int) {
            char text[8];
            expect(mq_receive(posix, text, sizeof text, nullptr) == 4, "mq_receive");
          });
  const int queue = msgget(IPC_PRIVATE, 0600);
  struct Large {
    long type;
    char text[4000];
  };
  const auto send = [=](int k, int flags) {
    const Large message{1, {}};
    while (msgsnd(queue, &message, sizeof message.text, k % 5 == 0 ? IPC_NOWAIT : flags) != 0) {  // in vain at times
      expect(errno == EAGAIN, "msgsnd");
    }
  };
  contend([=](int k) { send(k, 0); }, [=](int) {
    Large message;
    expect(msgrcv(queue, &message, sizeof message.text, 1, 0) > 0, "msgrcv");
  });
  msgctl(queue, IPC_RMID, nullptr);
  const int tokens = eventfd(0, EFD_SEMAPHORE);
  contend([=](int) { add(tokens); }, [=](int) { take(tokens); });
  const int set = semget(IPC_PRIVATE, 1, 0600);
  contend([=](int) { change(set, 1); }, [=](int) { change(set, -1); });
  semctl(set, 0, IPC_RMID);
}

}  // namespace

// Whoever is cancelled while it waits for room or for a lock, or before it sends, has not sent and waits no more.
void cancelled() {
  char name[64];
  snprintf(name, sizeof name, "/kernel_objects.%d", getpid());
  mq_attr attributes{};
  attributes.mq_maxmsg = 2;
  attributes.mq_msgsize = 8;
  static const mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  expect(queue >= 0, "mq_open");
  mq_unlink(name);
  for (int i = 0; i < 2; i++) expect(mq_send(queue, "text", 4, 0) == 0, "mq_send");
  static FILE* const file = tmpfile();
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
  static const int other = open(path, O_RDWR);
  static struct flock range {};
  range.l_type = F_WRLCK;
  expect(fcntl(fileno(file), F_OFD_SETLK, &range) == 0, "F_OFD_SETLK");
  void* (*const waits[])(void*) = {
      [](void*) -> void* { return mq_send(queue, "text", 4, 0), nullptr; },
      [](void*) -> void* { return pthread_cancel(pthread_self()), mq_send(queue, "text", 4, 0), nullptr; },
      [](void*) -> void* { return fcntl(other, F_OFD_SETLKW, &range), nullptr; }};
  for (const auto wait : waits) {
    pthread_t thread;
    pthread_create(&thread, nullptr, wait, nullptr);
    usleep(50000);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    printf("%d ", result == PTHREAD_CANCELED);
  }
  char text[8];
  for (int i = 0; i < 2; i++) expect(mq_receive(queue, text, sizeof text, nullptr) == 4, "mq_receive");
  expect(mq_send(queue, "text", 4, 0) == 0, "mq_send");
  expect(mq_receive(queue, text, sizeof text, nullptr) == 4, "mq_receive");
  range.l_type = F_UNLCK;
  expect(fcntl(fileno(file), F_OFD_SETLK, &range) == 0, "unlock");
}

int main(int, char** arguments) {
  const struct {
    const char* name;
    void (*run)();
  } scenarios[] = {{"events", events}, {"tokens", tokens}, {"types", types},
                   {"priorities", priorities}, {"semaphore", semaphore}, {"lock", lock}, {"contention", contention},
                   {"cancelled", cancelled}};
  for (const auto& scenario : scenarios) {
    if (strcmp(scenario.name, arguments[1]) == 0) scenario.run();
  }
  return 0;
}
