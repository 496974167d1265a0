#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cosched.h"

int registerWithCoscheduler(const char* socketPath, const char* application) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (strlen(socketPath) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, socketPath);
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0) return -1;
  char line[128];
  const int length = snprintf(line, sizeof line, "%s\n", application);
  char answer[3];  // "ok\n", after which the process may be stopped at any time
  if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      send(server, line, static_cast<size_t>(length), MSG_NOSIGNAL) == length &&
      recv(server, answer, sizeof answer, MSG_WAITALL) == sizeof answer) {
    return server;
  }
  const int why = errno;
  close(server);
  errno = why;
  return -1;
}
