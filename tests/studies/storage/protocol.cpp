#include "protocol.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>

namespace {

[[noreturn]] void fail(const char* what) {
  fprintf(stderr, "storage: %s: %s\n", what, strerror(errno));
  exit(1);
}

const char* portFile(const char* address) {
  return strncmp(address, "tcp:", 4) == 0 ? address + 4 : nullptr;
}

sockaddr_un unixAddress(const char* path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(path);
  }
  strcpy(address.sun_path, path);
  return address;
}

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The file is there, whole, when clients can connect.
void writePort(int listener, const char* file) {
  sockaddr_in address = {};
  socklen_t size = sizeof address;
  const std::string fresh = std::string(file) + ".new";
  FILE* out = fopen(fresh.c_str(), "w");
  if (out == nullptr || getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    fail(file);
  }
  fprintf(out, "%d\n", ntohs(address.sin_port));
  if (fclose(out) != 0 || rename(fresh.c_str(), file) != 0) fail(file);
}

uint16_t readPort(const char* file) {
  FILE* in = fopen(file, "r");
  int port = 0;
  if (in == nullptr || fscanf(in, "%d", &port) != 1) fail(file);
  fclose(in);
  return static_cast<uint16_t>(port);
}

bool sendAll(int connection, iovec* parts, int count) {
  while (count > 0) {
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = static_cast<size_t>(count);
    ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    while (count > 0 && static_cast<size_t>(sent) >= parts->iov_len) {
      sent -= static_cast<ssize_t>(parts->iov_len);
      parts++;
      count--;
    }
    if (count > 0) {
      parts->iov_base = static_cast<char*>(parts->iov_base) + sent;
      parts->iov_len -= static_cast<size_t>(sent);
    }
  }
  return true;
}

bool receiveAll(int connection, void* bytes, size_t count) {
  return count == 0 || recv(connection, bytes, count, MSG_WAITALL) == static_cast<ssize_t>(count);
}

}  // namespace

int listenAt(const char* address) {
  const char* const file = portFile(address);
  const int listener = socket(file != nullptr ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  if (file != nullptr) {
    const sockaddr_in any = loopback(0);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0) fail(address);
  } else {
    unlink(address);
    const sockaddr_un path = unixAddress(address);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&path), sizeof path) != 0) fail(address);
  }
  if (listen(listener, 64) != 0) fail(address);
  if (file != nullptr) writePort(listener, file);
  return listener;
}

int connectTo(const char* address) {
  const char* const file = portFile(address);
  const int connection = socket(file != nullptr ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) fail("socket");
  int result;
  if (file != nullptr) {
    const sockaddr_in port = loopback(readPort(file));
    result = connect(connection, reinterpret_cast<const sockaddr*>(&port), sizeof port);
    const int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  } else {
    const sockaddr_un path = unixAddress(address);
    result = connect(connection, reinterpret_cast<const sockaddr*>(&path), sizeof path);
  }
  if (result != 0) fail(address);
  return connection;
}

bool sendMessage(int connection, const Message& message, const void* bytes) {
  iovec parts[] = {{const_cast<Message*>(&message), sizeof message},
                   {const_cast<void*>(bytes), message.bytes}};
  return sendAll(connection, parts, message.bytes > 0 ? 2 : 1);
}

bool receiveMessage(int connection, Message* message, void* bytes) {
  return receiveAll(connection, message, sizeof *message) && message->bytes <= kPageBytes &&
         receiveAll(connection, bytes, message->bytes);
}
