//   sm_server [OPTION]... ADDRESS DIRECTORY
//     --threads T    service threads (10)
//     --clients C    ends when so many clients have left (2)
//     --log PAGES    of the log (16384)
//
// A storage server, after the EXODUS storage manager of Irvin and Miller 1993, section 5.3. Its main
// thread, sm_server[0], opens the log in DIRECTORY, mounts volumes, each of which has a disk process,
// and receives all requests; threads sm_server[1] to sm_server[T] serve them and answer.
//
// Planted: without a log in DIRECTORY, regenLog has most of the main thread's CPU time. Prints the
// objects that it stores; exit status 1 when a disk process failed.
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <string>
#include <vector>

#include "store.h"

namespace {

struct Request {
  int connection;
  Message message;
  char bytes[kPageBytes];
};

// From the main thread to those that serve.
class Requests {
 public:
  PROCEDURE void put(Request* request) {
    pthread_mutex_lock(&mutex_);
    waiting_.push_back(request);
    pthread_cond_signal(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
  // Null: there will be no more.
  PROCEDURE Request* take() {
    pthread_mutex_lock(&mutex_);
    while (waiting_.empty() && !closed_) pthread_cond_wait(&changed_, &mutex_);
    Request* request = nullptr;
    if (!waiting_.empty()) {
      request = waiting_.front();
      waiting_.pop_front();
    }
    pthread_mutex_unlock(&mutex_);
    return request;
  }
  void close() {
    pthread_mutex_lock(&mutex_);
    closed_ = true;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  std::deque<Request*> waiting_;
  bool closed_ = false;
};

int threads = 10, clients = 2;
long logPages = 16384;
Log sharedLog;
Store store(&sharedLog);
Requests requests;

void nameThread(int number) {
  char name[16];
  snprintf(name, sizeof name, "sm_server[%d]", number);
  pthread_setname_np(pthread_self(), name);
}

PROCEDURE void serve(Request* request) {
  Message& message = request->message;
  const uint64_t transaction = message.transaction;
  message.bytes = 0;
  switch (message.operation) {
    case Operation::kBegin: message.transaction = store.beginTransaction(); break;
    case Operation::kCreate:
      message.number = store.createObject(transaction, request->bytes);
      break;
    case Operation::kWait: store.waitForObject(message.number); break;
    case Operation::kRead:
      if (store.readObject(transaction, message.number, request->bytes)) {
        message.bytes = kPageBytes;
      } else {
        message.number = -1;
      }
      break;
    case Operation::kCommit: message.number = store.commit(transaction) ? 0 : -1; break;
    default: message.number = -1;
  }
  sendMessage(request->connection, message, request->bytes);
}

void* serveAll(void* number) {
  nameThread(static_cast<int>(reinterpret_cast<intptr_t>(number)));
  while (Request* request = requests.take()) {
    serve(request);
    delete request;
  }
  return nullptr;
}

// Handles one request of a client; false: the client has left.
PROCEDURE bool receiveRequest(int connection, const std::string& directory) {
  auto* request = new Request;
  request->connection = connection;
  if (!receiveMessage(connection, &request->message, request->bytes) ||
      request->message.operation == Operation::kBye) {
    delete request;
    return false;
  }
  if (request->message.operation == Operation::kMount) {
    request->message.number = store.mount((directory + "/data").c_str()) ? 0 : -1;
    request->message.bytes = 0;
    sendMessage(connection, request->message, nullptr);
    delete request;
    return true;
  }
  requests.put(request);
  return true;
}

PROCEDURE void receiveRequests(int listener, const std::string& directory) {
  std::vector<pollfd> waiting = {{listener, POLLIN, 0}};
  for (int left = 0; left < clients;) {
    if (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno == EINTR) continue;
      perror("sm_server: poll");
      exit(1);
    }
    for (size_t i = waiting.size() - 1; i > 0; i--) {
      if (waiting[i].revents == 0 || receiveRequest(waiting[i].fd, directory)) continue;
      close(waiting[i].fd);
      waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
      left++;
    }
    if (waiting[0].revents == 0) continue;
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection >= 0) waiting.push_back({connection, POLLIN, 0});
  }
}

bool readOptions(int count, char** arguments) {
  const option known[] = {{"threads", required_argument, nullptr, 't'},
                          {"clients", required_argument, nullptr, 'c'},
                          {"log", required_argument, nullptr, 'l'},
                          {nullptr, 0, nullptr, 0}};
  for (int letter; (letter = getopt_long(count, arguments, "", known, nullptr)) != -1;) {
    if (letter == 't') threads = atoi(optarg);
    if (letter == 'c') clients = atoi(optarg);
    if (letter == 'l') logPages = atol(optarg);
    if (letter == '?') return false;
  }
  return optind == count - 2 && threads > 0 && threads <= 99 && clients > 0 && logPages > 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (!readOptions(count, arguments)) {
    fprintf(stderr, "usage: sm_server [--threads T] [--clients C] [--log PAGES] ADDRESS DIRECTORY\n");
    return 2;
  }
  const std::string directory = arguments[optind + 1];
  nameThread(0);
  if (!sharedLog.openLogDisk((directory + "/log").c_str(), logPages)) {
    fprintf(stderr, "sm_server: cannot open the log in %s: %s\n", directory.c_str(),
            strerror(errno));
    return 1;
  }
  std::vector<pthread_t> serving(static_cast<size_t>(threads));
  for (int i = 0; i < threads; i++) {
    const auto number = static_cast<intptr_t>(i + 1);
    if (pthread_create(&serving[static_cast<size_t>(i)], nullptr, serveAll,
                       reinterpret_cast<void*>(number)) != 0) {
      perror("sm_server: pthread_create");
      return 1;
    }
  }
  receiveRequests(listenAt(arguments[optind]), directory);
  requests.close();
  for (pthread_t thread : serving) pthread_join(thread, nullptr);
  const bool data = store.close(), log = sharedLog.close();
  printf("objects=%lld answer=%s\n", static_cast<long long>(store.objects()),
         data && log ? "right" : "wrong");
  return data && log ? 0 : 1;
}
