//   cosched [--interval MS] SOCKET        default 1000 ms
//
// A co-scheduler, after that of Irvin and Miller 1993, section 5.2: processes register by SOCKET
// with the name of their application; all those of one application run for an interval, then those of the
// next one, by SIGSTOP and SIGCONT. Ends on SIGTERM or SIGINT, and leaves all running.
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

int64_t nowMs() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// A connection; a process once it has said of which application it is. It ends with its connection.
struct Member {
  int connection;
  pid_t pid;
  std::string application;  // as far as it has come
  bool registered;
};

class Coscheduler {
 public:
  explicit Coscheduler(int64_t intervalMs) : intervalMs_(intervalMs) {}

  void accept(int listener) {
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    ucred peer = {};
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0) {
      fprintf(stderr, "cosched: a process of another pid namespace cannot be scheduled\n");
      close(connection);
      return;
    }
    members_.push_back({connection, peer.pid, "", false});
  }

  void receive(int connection) {
    const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& m) {
      return m.connection == connection;
    });
    char text[128];
    const ssize_t length = recv(connection, text, sizeof text, 0);
    if (length <= 0) {
      close(connection);
      const std::string application = member->application;
      members_.erase(member);
      if (application == current_ && !isThere(current_)) next();
      return;
    }
    if (member->registered) return;
    member->application.append(text, static_cast<size_t>(length));
    const size_t end = member->application.find('\n');
    if (end == std::string::npos) return;
    member->application.resize(end);
    member->registered = true;
    send(connection, "ok\n", 3, MSG_NOSIGNAL);
    if (!isThere(current_)) {
      next();
    } else if (member->application != current_) {
      kill(member->pid, SIGSTOP);
    }
  }

  // Gives the turn to the next application, in the order of their first processes.
  void next() {
    turnEndsMs_ = nowMs() + intervalMs_;
    std::vector<std::string> applications;
    for (const Member& m : members_) {
      if (m.registered && std::find(applications.begin(), applications.end(), m.application) ==
                              applications.end()) {
        applications.push_back(m.application);
      }
    }
    if (applications.empty()) {
      current_.clear();
      return;
    }
    const auto now = std::find(applications.begin(), applications.end(), current_);
    const std::string& chosen =
        now == applications.end() || now + 1 == applications.end() ? applications[0] : *(now + 1);
    if (chosen == current_) return;
    signal(current_, SIGSTOP);
    current_ = chosen;
    signal(current_, SIGCONT);
  }

  void run(int listener, int signals) {
    for (;;) {
      std::vector<pollfd> waiting = {{listener, POLLIN, 0}, {signals, POLLIN, 0}};
      for (const Member& m : members_) waiting.push_back({m.connection, POLLIN, 0});
      const int64_t left = turnEndsMs_ - nowMs();
      const int timeout = current_.empty() ? -1 : static_cast<int>(std::max<int64_t>(left, 0));
      if (poll(waiting.data(), waiting.size(), timeout) < 0 && errno != EINTR) fail("cosched: poll");
      if (waiting[1].revents != 0) break;
      if (waiting[0].revents != 0) accept(listener);
      for (size_t i = 2; i < waiting.size(); i++) {
        if (waiting[i].revents != 0) receive(waiting[i].fd);
      }
      if (!current_.empty() && nowMs() >= turnEndsMs_) next();
    }
    for (const Member& m : members_) {
      if (m.registered) kill(m.pid, SIGCONT);
    }
  }

 private:
  bool isThere(const std::string& application) const {
    return std::any_of(members_.begin(), members_.end(), [&](const Member& m) {
      return m.registered && m.application == application;
    });
  }

  void signal(const std::string& application, int number) const {
    for (const Member& m : members_) {
      if (m.registered && m.application == application) kill(m.pid, number);
    }
  }

  const int64_t intervalMs_;
  int64_t turnEndsMs_ = 0;
  std::string current_;  // whose turn it is
  std::vector<Member> members_;
};

int listenAt(const char* path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "cosched: the name of the socket is too long: %s\n", path);
    exit(2);
  }
  strcpy(address.sun_path, path);
  unlink(path);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 64) != 0) {
    fail(path);
  }
  return listener;
}

}  // namespace

int main(int count, char** arguments) {
  const option known[] = {{"interval", required_argument, nullptr, 'i'}, {nullptr, 0, nullptr, 0}};
  int64_t intervalMs = 1000;
  for (int letter; (letter = getopt_long(count, arguments, "", known, nullptr)) != -1;) {
    if (letter == 'i') intervalMs = atol(optarg);
    if (letter != 'i' || intervalMs < 1) optind = count;
  }
  if (optind != count - 1) {
    fprintf(stderr, "usage: cosched [--interval MS] SOCKET\n");
    return 2;
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  const int signals = signalfd(-1, &ends, SFD_CLOEXEC);
  const char* const path = arguments[optind];
  Coscheduler(intervalMs).run(listenAt(path), signals);
  unlink(path);
  return 0;
}
