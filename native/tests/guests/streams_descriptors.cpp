// Copies of descriptors, numbers that are used again, and other threads and handlers meanwhile.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>
#include <thread>

#include "streams.h"
#include "tests/guests/asleep.h"

// Copies of one end, in two processes, are one sender.
int copies() {
  Pipe pipe;
  give(pipe.to, 1);
  const int first = dup(pipe.to);
  give(first, 2);
  EXPECT(dup2(pipe.to, 100) == 100);
  give(100, 3);
  EXPECT(dup3(pipe.to, 101, O_CLOEXEC) == 101);
  give(101, 4);
  const int last = fcntl(pipe.to, F_DUPFD, 200);
  give(last, 5);
  waitFor(child([&] { give(last, 6); }));
  // Another descriptor under a number that had been known as the pipe.
  EXPECT(dup2(open("/dev/null", O_WRONLY), 100) == 100);
  give(100, 1000);
  // Sent to oneself with a message.
  int fds[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  char byte = 0, space[CMSG_SPACE(sizeof(int))];
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(control), &pipe.to, sizeof(int));
  EXPECT(sendmsg(fds[0], &message, 0) == 1);
  EXPECT(recvmsg(fds[1], &message, 0) == 1);
  int received;
  memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof received);
  give(received, 7);
  take(pipe.from, 28);
  return 0;
}

// Looks that find nothing are no events; what is found is.
int polling() {
  Pipe pipe, start;
  const pid_t pid = child([&] {
    for (int i = 0; i < 3; i++) {
      take(start.from, 1);
      parallax::tests::awaitAsleep(getppid(), getppid());
      give(pipe.to, 64);
    }
  });
  EXPECT(fcntl(pipe.from, F_SETFL, O_NONBLOCK) == 0);
  char buffer[64];
  for (int i = 0; i < 1000; i++) EXPECT(read(pipe.from, buffer, 64) == -1 && errno == EAGAIN);
  give(start.to, 1);
  pollfd wanted{pipe.from, POLLIN, 0};
  EXPECT(poll(&wanted, 1, 5000) == 1);
  EXPECT(read(pipe.from, buffer, 64) == 64);
  give(start.to, 1);
  const int set = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  EXPECT(epoll_ctl(set, EPOLL_CTL_ADD, pipe.from, &event) == 0);
  for (int i = 0; i < 1000; i++) EXPECT(epoll_wait(set, &event, 1, 0) == 0 || i > 0);
  EXPECT(epoll_wait(set, &event, 1, 5000) == 1);
  EXPECT(read(pipe.from, buffer, 64) == 64);
  give(start.to, 1);
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(pipe.from, &reads);
  EXPECT(select(pipe.from + 1, &reads, nullptr, nullptr, nullptr) == 1);
  EXPECT(read(pipe.from, buffer, 64) == 64);
  waitFor(pid);
  return 0;
}

// A thread reads while the main thread closes the descriptor and makes the number something else.
int closing() {
  Pipe pipe;
  std::thread reader([&] {
    sleeper = gettid();
    take(pipe.from, 5);
  });
  awaitSleeper();
  const int number = pipe.from;
  close(number);
  int fds[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  EXPECT(fds[0] == number);
  give(fds[1], 9);
  take(number, 9);
  give(pipe.to, 5);  // the call still has the pipe
  reader.join();
  // A connection that another thread shuts down.
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  sleeper = 0;
  std::thread waiter([&] {
    sleeper = gettid();
    takeEnd(from);
  });
  awaitSleeper();
  EXPECT(shutdown(to, SHUT_WR) == 0);
  waiter.join();
  return 0;
}

// Numbers that are used again, 200 times, by different kinds of descriptors.
int numbers() {
  for (int i = 0; i < 200; i++) {
    int fds[2];
    const int kind = i % 4;
    if (kind == 0) EXPECT(pipe(fds) == 0);
    if (kind == 1) EXPECT(pipe2(fds, O_CLOEXEC) == 0);
    if (kind == 2) EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    if (kind == 3) {
      EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
      EXPECT(dup2(fds[1], 50) == 50);
      close(fds[1]);
      fds[1] = 50;
    }
    give(fds[1], static_cast<size_t>(i) + 1);
    take(fds[0], static_cast<size_t>(i) + 1);
    if (i % 3 == 0) {
      EXPECT(close_range(static_cast<unsigned>(fds[0]), 60, 0) == 0);
    } else {
      close(fds[0]);
      close(fds[1]);
    }
  }
  return 0;
}

// The same two ports are connected again and again: each connection is a stream of its own.
int ports() {
  Listener listener(AF_INET);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (size_t i = 1; i <= 5; i++) {
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    setsockopt(to, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT(bind(to, reinterpret_cast<sockaddr*>(&own), sizeof own) == 0);
    socklen_t size = sizeof own;
    EXPECT(getsockname(to, reinterpret_cast<sockaddr*>(&own), &size) == 0);
    EXPECT(connect(to, reinterpret_cast<const sockaddr*>(&listener.address), listener.size) == 0);
    const int from = listener.accepted();
    give(to, i);
    take(from, i);
    const linger now{1, 0};  // no waiting for late packets
    setsockopt(to, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(to);
    close(from);
  }
  return 0;
}

namespace {

Pipe* handled;
std::atomic<bool> wasHandled{false};

}  // namespace

// A handler writes while the thread waits to read: both are counted.
int signals() {
  handled = new Pipe;
  struct sigaction action{};
  action.sa_handler = [](int) {
    give(handled->to, 3);
    wasHandled = true;
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  give(handled->to, 2);
  take(handled->from, 2);
  const pthread_t self = pthread_self();
  std::thread other([=] {
    awaitSleeper();
    pthread_kill(self, SIGUSR1);
    while (!wasHandled) usleep(1000);
    give(handled->to, 4);
  });
  sleeper = gettid();
  take(handled->from, 7);
  other.join();
  return 0;
}

// The number of an end to read from is closed past libc, as libuv does, and given to what is written to.
int unseen() {
  for (const bool seenToCome : {true, false}) {
    const Pipe pipe;
    give(pipe.to, 5);
    take(pipe.from, 5);
    syscall(SYS_close, pipe.from);
    const int event = seenToCome ? eventfd(0, 0) : static_cast<int>(syscall(SYS_eventfd2, 0, 0));
    EXPECT(event == pipe.from);
    const uint64_t one = 1;
    EXPECT(write(event, &one, sizeof one) == sizeof one);
    EXPECT(write(event, &one, sizeof one) == sizeof one);
    close(event);
    close(pipe.to);
  }
  return 0;
}

// Two threads that read a pipe at once, each for the first time, again and again.
int together() {
  std::atomic<int> round{0}, done{0};
  int from = -1;
  const auto reader = [&] {
    for (int i = 1; i <= 3000; i++) {
      // Spinning, so that both go on at once; but not while others keep the writer from its processor.
      for (int spins = 0; round < i; spins++) {
        if (spins > 200000) usleep(50);
      }
      take(from, 8);
      done++;
    }
  };
  std::thread first(reader), second(reader);
  for (int i = 1; i <= 3000; i++) {
    const Pipe pipe;
    give(pipe.to, 16);
    from = pipe.from;
    round = i;
    while (done < 2 * i) usleep(20);
    close(pipe.from);
    close(pipe.to);
  }
  first.join();
  second.join();
  return 0;
}

namespace {

// Before any constructor has run.
int early[2];
extern "C" void beforeAll(int, char**, char**) {
  EXPECT(pipe(early) == 0);
  give(early[1], 6);
  take(early[0], 2);
  const int copy = dup(early[1]);
  close(copy);
  pollfd wanted{early[0], POLLIN, 0};
  EXPECT(poll(&wanted, 1, 0) == 1);
}
__attribute__((section(".preinit_array"), used)) void (*begin)(int, char**, char**) = beforeAll;

}  // namespace

int earliest() {
  give(early[1], 10);
  take(early[0], 14);
  return 0;
}
