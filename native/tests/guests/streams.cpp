// Uses pipes and sockets in ways whose events are known. The first argument names the scenario.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "streams.h"
#include "tests/guests/asleep.h"

void expect(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "failed: %s: %s\n", what, strerror(errno));
  _exit(99);
}

Pipe::Pipe() {
  int fds[2];
  EXPECT(pipe(fds) == 0);
  from = fds[0];
  to = fds[1];
}

void give(int fd, size_t bytes) {
  std::string data(bytes, 'x');
  EXPECT(write(fd, data.data(), bytes) == static_cast<ssize_t>(bytes));
}

void take(int fd, size_t bytes, size_t most) {
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

std::atomic<int> sleeper{0};
void awaitSleeper() {
  while (sleeper == 0) usleep(1000);
  parallax::tests::awaitAsleep(getpid(), sleeper);
}

void awaitBytes(int fd, int bytes) {
  for (int there = 0; there < bytes; usleep(1000)) EXPECT(ioctl(fd, FIONREAD, &there) == 0);
}

void waitFor(pid_t pid) {
  int status = -1;
  EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
}

Listener::Listener(int family, const char* path) {
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

int Listener::connected() const {
  const int result = socket(address.ss_family, SOCK_STREAM, 0);
  EXPECT(connect(result, reinterpret_cast<const sockaddr*>(&address), size) == 0);
  return result;
}

int Listener::accepted() const {
  const int result = accept(fd, nullptr, nullptr);
  EXPECT(result >= 0);
  return result;
}

int main(int argc, char** argv) {
  const std::string scenario = argc > 1 ? argv[1] : "";
  alarm(300);
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
  if (scenario == "unseen") return unseen();
  if (scenario == "earliest") return earliest();
  if (scenario == "apart") return apart(argv[2], argv[3]);
  return 98;
}
