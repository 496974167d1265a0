// Streams between two processes.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "streams.h"

namespace {

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

}  // namespace

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
