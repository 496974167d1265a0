// What the parts of the program share that uses pipes and sockets in ways whose events are known.
#pragma once

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>

void expect(bool holds, const char* what);
#define EXPECT(condition) expect(condition, #condition)

struct Pipe {
  int from, to;
  Pipe();
};

void give(int fd, size_t bytes);
// Takes exactly so many, in calls of at most `most`.
void take(int fd, size_t bytes, size_t most = 1 << 20);
void takeEnd(int fd);

// Waits until a thread that has said its number sleeps, in the call that it makes next.
extern std::atomic<int> sleeper;
void awaitSleeper();
void awaitBytes(int fd, int bytes);

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
void waitFor(pid_t pid);

// A socket that listens, and one that is connected to it.
struct Listener {
  sockaddr_storage address{};
  socklen_t size = 0;
  int fd;
  explicit Listener(int family, const char* path = "");
  int connected() const;
  int accepted() const;
};

// The scenarios. Between two processes:
int pipes();
int pair();
int connection(int family, const char* path);
int partial();
int apart(const char* how, const char* file);
// Each call once:
int calls();
int moving();
int datagrams();
int past();
int faults();
// What descriptors are, and when:
int copies();
int polling();
int closing();
int numbers();
int ports();
int signals();
int together();
int unseen();
int earliest();
