// Clients exchange requests of known cost with a server that has a thread for each connection.
//
//   client_server [CLIENTS [REQUESTS [UNITS]]]      both: the server starts the client; 1, 12, 10
//   client_server serve FILE [CLIENTS ...]          the server alone; FILE says where it listens
//   client_server ask FILE [CLIENTS ...]            the clients alone, on any host
//   client_server serve FILE@ADDRESS ...            the same, at an address other than 127.0.0.1
//
// Each client is a thread with a connection of its own. Request i, of 100 + i bytes, costs the
// client UNITS of work in prepare_request, and the server (1 + i % 3) * UNITS in serve_request;
// the reply has 1000 + 10 * i bytes. All are sent whole. The server prints how long it took for
// each request.
//
// Planted answer: 2 * REQUESTS messages on each connection, in turns, after one of 4 bytes with the
// client's number. With one client the critical path follows all of them: the server holds 2 / 3 of
// the work on it when REQUESTS is a multiple of 3, in serve_request, and the client the rest, in
// prepare_request.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "work.h"

PROCEDURE void serve_request(long units) { work(units); }
PROCEDURE void prepare_request(long units) { work(units); }

namespace {

struct Settings {
  int clients = 1, requests = 12;
  long units = 10;

  void take(int argc, char** argv) {
    if (argc > 0) clients = atoi(argv[0]);
    if (argc > 1) requests = atoi(argv[1]);
    if (argc > 2) units = atol(argv[2]);
  }
  size_t requestBytes(int i) const { return 100 + static_cast<size_t>(i); }
  size_t replyBytes(int i) const { return 1000 + 10 * static_cast<size_t>(i); }
  long cost(int i) const { return (1 + i % 3) * units; }
} settings;

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

void give(int fd, size_t bytes) {
  const std::string data(bytes, 'x');
  if (write(fd, data.data(), bytes) != static_cast<ssize_t>(bytes)) fail("write");
}

void take(int fd, size_t bytes) {
  char data[65536];
  for (size_t there = 0; there < bytes;) {
    const ssize_t part = read(fd, data, bytes - there);
    if (part <= 0) fail("read");
    there += static_cast<size_t>(part);
  }
}

int newSocket() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  if (fd < 0) fail("socket");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return fd;
}

long nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}


void serveConnection(int fd) {
  int client = 0;
  if (read(fd, &client, sizeof client) != sizeof client) fail("hello");
  std::vector<long> ns;
  for (int i = 0; i < settings.requests; i++) {
    take(fd, settings.requestBytes(i));
    const long begin = nowNs();
    serve_request(settings.cost(i));
    ns.push_back(nowNs() - begin);
    give(fd, settings.replyBytes(i));
  }
  close(fd);
  for (int i = 0; i < settings.requests; i++) {
    printf("request client=%d number=%d units=%ld ns=%ld thread=%d\n", client, i, settings.cost(i),
           ns[static_cast<size_t>(i)], gettid());
  }
}

void serve(int listening) {
  std::vector<std::thread> threads;
  for (int i = 0; i < settings.clients; i++) {
    const int fd = accept(listening, nullptr, nullptr);
    if (fd < 0) fail("accept");
    threads.emplace_back(serveConnection, fd);
  }
  for (std::thread& thread : threads) thread.join();
}

void ask(const sockaddr_in& address, int client) {
  const int fd = newSocket();
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail("connect");
  }
  if (write(fd, &client, sizeof client) != sizeof client) fail("hello");
  for (int i = 0; i < settings.requests; i++) {
    prepare_request(settings.units);
    give(fd, settings.requestBytes(i));
    take(fd, settings.replyBytes(i));
  }
  close(fd);
}

void askAll(const sockaddr_in& address) {
  std::vector<std::thread> threads;
  for (int i = 1; i < settings.clients; i++) threads.emplace_back(ask, address, i);
  ask(address, 0);
  for (std::thread& thread : threads) thread.join();
}

int listenAt(const char* host, sockaddr_in* address) {
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = inet_addr(host);
  const int fd = newSocket();
  socklen_t size = sizeof *address;
  if (bind(fd, reinterpret_cast<sockaddr*>(address), size) != 0 || listen(fd, 64) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(address), &size) != 0) {
    fail("listen");
  }
  return fd;
}

int serveAlone(std::string file) {
  const size_t at = file.find('@');
  const std::string host = at == std::string::npos ? "127.0.0.1" : file.substr(at + 1);
  file.resize(at == std::string::npos ? file.size() : at);
  sockaddr_in address{};
  const int listening = listenAt(host.c_str(), &address);
  FILE* out = fopen((file + ".new").c_str(), "w");
  if (out == nullptr) fail(file.c_str());
  fwrite(&address, sizeof address, 1, out);
  fclose(out);
  rename((file + ".new").c_str(), file.c_str());
  serve(listening);
  return 0;
}

int askAlone(const char* file) {
  FILE* in = nullptr;
  for (int i = 0; i < 1000 && in == nullptr; i++) {
    in = fopen(file, "r");
    if (in == nullptr) usleep(10000);
  }
  sockaddr_in address{};
  if (in == nullptr || fread(&address, sizeof address, 1, in) != 1) fail(file);
  fclose(in);
  askAll(address);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 2 ? argv[1] : "";
  if (role == "serve" || role == "ask") {
    settings.take(argc - 3, argv + 3);
    return role == "serve" ? serveAlone(argv[2]) : askAlone(argv[2]);
  }
  settings.take(argc - 1, argv + 1);
  sockaddr_in address{};
  const int listening = listenAt("127.0.0.1", &address);
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    close(listening);
    askAll(address);
    exit(0);
  }
  serve(listening);
  int status = 0;
  if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
  printf("client_server messages=%d path_server=%.4f\n", 2 * settings.requests * settings.clients,
         2.0 / 3);
  return 0;
}
