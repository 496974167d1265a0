// Uses pipes and sockets in ways whose events are known. The first argument names the scenario.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "failed: %s: %s\n", what, strerror(errno));
  _exit(99);
}
#define EXPECT(condition) expect(condition, #condition)

struct Pipe {
  int from, to;
  Pipe() {
    int fds[2];
    EXPECT(pipe(fds) == 0);
    from = fds[0];
    to = fds[1];
  }
};

void give(int fd, size_t bytes) {
  std::string data(bytes, 'x');
  EXPECT(write(fd, data.data(), bytes) == static_cast<ssize_t>(bytes));
}

// Takes exactly so many, in calls of at most `most`.
void take(int fd, size_t bytes, size_t most = 1 << 20) {
  std::vector<char> buffer(most);
  while (bytes > 0) {
    const ssize_t part = read(fd, buffer.data(), bytes < most ? bytes : most);
    EXPECT(part > 0);
    bytes -= static_cast<size_t>(part);
  }
}

void takeEnd(int fd) {
  char byte;
  EXPECT(read(fd, &byte, 1) == 0);
}

// Waits until a thread that has said its number sleeps, in the call that it makes next.
std::atomic<int> sleeper{0};
void awaitSleeper() {
  while (sleeper == 0) usleep(1000);
  const std::string path = "/proc/self/task/" + std::to_string(sleeper) + "/stat";
  for (char state = 0; state != 'S';) {
    usleep(2000);
    char text[256];
    const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY));
    const long length = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    EXPECT(length > 0);
    text[length] = '\0';
    state = strrchr(text, ')')[2];
  }
}

void awaitBytes(int fd, int bytes) {
  for (int there = 0; there < bytes; usleep(1000)) EXPECT(ioctl(fd, FIONREAD, &there) == 0);
}

// The child runs `body` and ends.
template <class Body>
pid_t child(Body body) {
  const pid_t pid = fork();
  EXPECT(pid >= 0);
  if (pid == 0) {
    body();
    exit(0);
  }
  return pid;
}

void waitFor(pid_t pid) {
  int status = -1;
  EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
}

// Requests of 10, 20, ..., 50 bytes by the parent, answers of twice that by the child.
void exchange(int parentFrom, int parentTo, int childFrom, int childTo) {
  const pid_t pid = child([=] {
    for (size_t bytes = 10; bytes <= 50; bytes += 10) {
      take(childFrom, bytes);
      give(childTo, 2 * bytes);
    }
  });
  for (size_t bytes = 10; bytes <= 50; bytes += 10) {
    give(parentTo, bytes);
    take(parentFrom, 2 * bytes);
  }
  waitFor(pid);
}

int pipes() {
  Pipe there, back;
  exchange(back.from, there.to, there.from, back.to);
  return 0;
}

int pair() {
  int fds[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  exchange(fds[0], fds[0], fds[1], fds[1]);
  return 0;
}

// A socket that listens, and one that is connected to it.
struct Listener {
  sockaddr_storage address{};
  socklen_t size = 0;
  int fd;
  explicit Listener(int family, const char* path = "") {
    if (family == AF_UNIX) {
      auto& name = reinterpret_cast<sockaddr_un&>(address);
      name.sun_family = AF_UNIX;
      snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
      size = sizeof name;
    } else if (family == AF_INET6) {
      auto& name = reinterpret_cast<sockaddr_in6&>(address);
      name.sin6_family = AF_INET6;
      name.sin6_addr = in6addr_loopback;
      size = sizeof name;
    } else {
      auto& name = reinterpret_cast<sockaddr_in&>(address);
      name.sin_family = AF_INET;
      name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      size = sizeof name;
    }
    fd = socket(family, SOCK_STREAM, 0);
    EXPECT(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    EXPECT(listen(fd, 8) == 0);
    EXPECT(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  }
  int connected() const {
    const int result = socket(address.ss_family, SOCK_STREAM, 0);
    EXPECT(connect(result, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    return result;
  }
  int accepted() const {
    const int result = accept(fd, nullptr, nullptr);
    EXPECT(result >= 0);
    return result;
  }
};

// The child connects; both ends close in the end, so that each sees the other's.
int connection(int family, const char* path) {
  Listener listener(family, path);
  const pid_t pid = child([&] {
    const int fd = listener.connected();
    close(listener.fd);
    for (size_t bytes = 10; bytes <= 50; bytes += 10) {
      take(fd, bytes);
      give(fd, 2 * bytes);
    }
    takeEnd(fd);
    close(fd);
  });
  const int fd = listener.accepted();
  for (size_t bytes = 10; bytes <= 50; bytes += 10) {
    give(fd, bytes);
    take(fd, 2 * bytes);
  }
  EXPECT(shutdown(fd, SHUT_WR) == 0);
  takeEnd(fd);
  close(fd);
  waitFor(pid);
  if (path[0] != '\0') unlink(path);
  return 0;
}

// A large piece that does not fit into the pipe is read in small ones; then small ones at once.
int partial() {
  Pipe pipe;
  const pid_t pid = child([&] {
    close(pipe.to);
    take(pipe.from, 300000, 7000);
    awaitBytes(pipe.from, 100);
    take(pipe.from, 100);  // all ten
    takeEnd(pipe.from);
  });
  close(pipe.from);
  give(pipe.to, 300000);
  for (int i = 0; i < 10; i++) give(pipe.to, 10);
  close(pipe.to);
  waitFor(pid);
  return 0;
}

// 3 + 4 bytes by each of the calls that send, then by each that receive.
int calls() {
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  char data[8] = "abcdefg", one[3], other[4];
  iovec out[] = {{data, 3}, {data + 3, 4}}, in[] = {{one, 3}, {other, 4}};
  msghdr sent{}, received{};
  sent.msg_iov = out;
  received.msg_iov = in;
  sent.msg_iovlen = received.msg_iovlen = 2;
  mmsghdr sentTwice[2]{{sent, 0}, {sent, 0}};
  EXPECT(write(to, data, 7) == 7);
  EXPECT(writev(to, out, 2) == 7);
  EXPECT(send(to, data, 7, 0) == 7);
  EXPECT(sendto(to, data, 7, MSG_NOSIGNAL, nullptr, 0) == 7);
  EXPECT(sendmsg(to, &sent, 0) == 7);
  EXPECT(sendmmsg(to, sentTwice, 2, 0) == 2);
  char buffer[16];
  EXPECT(recv(from, buffer, 7, MSG_PEEK) == 7);
  EXPECT(read(from, buffer, 7) == 7);
  EXPECT(readv(from, in, 2) == 7);
  EXPECT(recv(from, buffer, 7, MSG_WAITALL) == 7);
  EXPECT(recvfrom(from, buffer, 7, 0, nullptr, nullptr) == 7);
  EXPECT(recvmsg(from, &received, 0) == 7);
  mmsghdr receivedTwice[2]{{received, 0}, {received, 0}};
  EXPECT(recvmmsg(from, receivedTwice, 2, 0, nullptr) == 2);
  EXPECT(memcmp(one, "abc", 3) == 0 && memcmp(other, "defg", 4) == 0);
  return 0;
}

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
      usleep(20000);
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
  std::thread waiter([&] { takeEnd(from); });
  usleep(30000);
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

// Bytes that the kernel moves.
int moving() {
  char path[] = "/tmp/parallax-streams-XXXXXX";
  const int file = mkstemp(path);
  unlink(path);
  give(file, 5000);
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  off_t offset = 1000;
  EXPECT(sendfile(to, file, &offset, 3000) == 3000);
  Pipe first, second;
  EXPECT(recv(from, nullptr, 0, 0) == 0);
  size_t moved = 0;
  while (moved < 3000) {
    const ssize_t part = splice(from, nullptr, first.to, nullptr, 3000 - moved, 0);
    EXPECT(part > 0);
    moved += static_cast<size_t>(part);
  }
  EXPECT(tee(first.from, second.to, 3000, 0) == 3000);
  take(first.from, 3000);
  take(second.from, 3000);
  char data[100] = {};
  iovec part{data, sizeof data};
  EXPECT(vmsplice(second.to, &part, 1, 0) == 100);
  take(second.from, 100);
  return 0;
}

// Messages keep their borders and may be lost: they are counted, and match nothing.
int datagrams() {
  char buffer[64] = {};
  int fds[2];
  for (const int type : {SOCK_DGRAM, SOCK_SEQPACKET}) {
    EXPECT(socketpair(AF_UNIX, type, 0, fds) == 0);
    EXPECT(send(fds[0], buffer, 10, 0) == 10);
    EXPECT(recv(fds[1], buffer, 64, 0) == 10);
  }
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT(bind(receiver, reinterpret_cast<sockaddr*>(&address), size) == 0);
  EXPECT(getsockname(receiver, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  EXPECT(sendto(sender, buffer, 20, 0, reinterpret_cast<sockaddr*>(&address), size) == 20);
  EXPECT(recvfrom(receiver, buffer, 64, 0, nullptr, nullptr) == 20);
  return 0;
}

// A handler writes while the thread waits to read: both are counted.
Pipe* handled;
std::atomic<bool> wasHandled{false};
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

// Past libc, by the sender and by the receiver; the third pipe is honest.
int past() {
  char data[16] = {};
  Pipe sender, receiver, honest;
  give(sender.to, 4);
  EXPECT(syscall(SYS_write, sender.to, data, 8) == 8);
  take(sender.from, 12);
  give(receiver.to, 8);
  EXPECT(syscall(SYS_read, receiver.from, data, 4) == 4);
  take(receiver.from, 4);
  close(receiver.to);
  takeEnd(receiver.from);
  give(honest.to, 8);
  take(honest.from, 8);
  // Urgent data are not in the order of the others.
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  EXPECT(send(to, data, 4, 0) == 4);
  EXPECT(send(to, data, 1, MSG_OOB) == 1);
  EXPECT(recv(from, data, 4, 0) == 4);
  return 0;
}

// Addresses that only the kernel may try, and parts without room.
int faults() {
  const volatile uintptr_t nowhere = 8;
  auto* const parts = reinterpret_cast<iovec*>(nowhere);
  auto* const message = reinterpret_cast<msghdr*>(nowhere);
  auto* const messages = reinterpret_cast<mmsghdr*>(nowhere);
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const auto refused = [](ssize_t result) {
    const bool right = result == -1 && errno == EFAULT;
    errno = 0;
    return right;
  };
  const std::string name = "/tmp/parallax-faults-" + std::to_string(getpid());
  const int file = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  EXPECT(file >= 0 && unlink(name.c_str()) == 0);
  EXPECT(refused(readv(ends[0], parts, 1)) && refused(writev(ends[0], parts, 1)));
  EXPECT(refused(preadv(file, parts, 1, 0)) && refused(pwritev(file, parts, 1, 0)));
  EXPECT(refused(preadv2(file, parts, 1, 0, 0)) && refused(pwritev2(file, parts, 1, 0, 0)));
  EXPECT(refused(sendmsg(ends[0], message, 0)) && refused(recvmsg(ends[0], message, 0)));
  EXPECT(refused(sendmmsg(ends[0], messages, 1, 0)));
  EXPECT(refused(recvmmsg(ends[0], messages, 1, 0, nullptr)));
  char data[8] = {};
  iovec room[] = {{data, 2}, {data + 2, 6}}, none[] = {{data, 0}};
  EXPECT(writev(ends[0], room, 2) == 8 && readv(ends[1], none, 1) == 0);
  EXPECT(readv(ends[1], room, 2) == 8);
  msghdr whole = {};
  whole.msg_iov = room;
  whole.msg_iovlen = 2;
  EXPECT(sendmsg(ends[0], &whole, 0) == 8 && recvmsg(ends[1], &whole, 0) == 8);
  close(ends[0]);
  EXPECT(readv(ends[1], room, 2) == 0 && recvmsg(ends[1], &whole, 0) == 0);
  return 0;
}

// Two threads that read a pipe at once, each for the first time, again and again.
int together() {
  std::atomic<int> round{0}, done{0};
  int from = -1;
  const auto reader = [&] {
    for (int i = 1; i <= 3000; i++) {
      for (int spins = 0; round < i; spins++) {
        if (spins > 20000) sched_yield();
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
    while (done < 2 * i) sched_yield();
    close(pipe.from);
    close(pipe.to);
  }
  first.join();
  second.join();
  return 0;
}

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

int earliest() {
  give(early[1], 10);
  take(early[0], 14);
  return 0;
}

// One that is run as two programs: HOW is "serve" or "ask". PORT: where, or a file that tells.
int apart(const char* how, const char* file) {
  if (strcmp(how, "serve") == 0) {
    Listener listener(AF_INET);
    const std::string hidden = std::string(file) + ".new";
    FILE* out = fopen(hidden.c_str(), "w");
    EXPECT(out != nullptr);
    EXPECT(fwrite(&listener.address, sizeof listener.address, 1, out) == 1 && fclose(out) == 0);
    EXPECT(rename(hidden.c_str(), file) == 0);
    const int fd = listener.accepted();
    for (size_t bytes = 10; bytes <= 50; bytes += 10) {
      take(fd, bytes);
      give(fd, 2 * bytes);
    }
    takeEnd(fd);
    return 0;
  }
  FILE* in = nullptr;
  for (int i = 0; i < 1000 && in == nullptr; i++) {
    usleep(10000);
    in = fopen(file, "r");
  }
  EXPECT(in != nullptr);
  sockaddr_storage address;
  EXPECT(fread(&address, sizeof address, 1, in) == 1);
  fclose(in);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(sockaddr_in)) == 0);
  for (size_t bytes = 10; bytes <= 50; bytes += 10) {
    give(fd, bytes);
    take(fd, 2 * bytes);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc > 1 ? argv[1] : "";
  alarm(60);
  if (scenario == "pipes") return pipes();
  if (scenario == "pair") return pair();
  if (scenario == "unix") return connection(AF_UNIX, argv[2]);
  if (scenario == "tcp") return connection(AF_INET, "");
  if (scenario == "tcp6") return connection(AF_INET6, "");
  if (scenario == "partial") return partial();
  if (scenario == "calls") return calls();
  if (scenario == "copies") return copies();
  if (scenario == "polling") return polling();
  if (scenario == "closing") return closing();
  if (scenario == "numbers") return numbers();
  if (scenario == "ports") return ports();
  if (scenario == "moving") return moving();
  if (scenario == "datagrams") return datagrams();
  if (scenario == "signals") return signals();
  if (scenario == "past") return past();
  if (scenario == "faults") return faults();
  if (scenario == "together") return together();
  if (scenario == "earliest") return earliest();
  if (scenario == "apart") return apart(argv[2], argv[3]);
  return 98;
}
