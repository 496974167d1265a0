// A program with more events, or more definitions, than there is space for. Prints what it has done
// and ends with status 7.
//   space events THREADS LOCKS [US]  each thread locks its own mutex so often, and sleeps so long after each 1,000 times
//   space rounds THREADS MS [LOCKS]  each thread locks its own mutex so often (500) in a round, waits, and so on for so long
//   space executes THREADS LOCKS   each thread locks its own mutex so often; meanwhile executions of a program that is nowhere
//   space definitions PAIRS        so many pairs of sockets, a byte through each
//   space pipes PIPES              so many pipes
//   space connections TCP          so many connections of four clients to a server in this process
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

long lockOften(long times, long sleepUs) {
  std::mutex mutex;
  long count = 0;
  for (long i = 0; i < times; i++) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      count++;
    }
    if (sleepUs > 0 && count % 1000 == 0) usleep(static_cast<useconds_t>(sleepUs));
  }
  return count;
}

long lockInRounds(long ms, long locks) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  long count = 0;
  while (std::chrono::steady_clock::now() < end) {
    count += lockOften(locks, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return count;
}

std::atomic<size_t> ended{0};
struct Ends {
  ~Ends() { ended++; }
};

// Until so many threads have ended.
void executeUntil(size_t threads) {
  setenv("PATH", "/none/a:/none/b:/none/c:/none/d:/none/e:/none/f", 1);
  while (ended < threads) execlp("nowhere", "nowhere", nullptr);
}

int makePair(int* ends) { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }

long useMany(long count, int (*make)(int*)) {
  long moved = 0;
  for (long i = 0; i < count; i++) {
    int ends[2];
    char byte = 'x';
    if (make(ends) != 0) return -1;
    if (write(ends[1], &byte, 1) == 1) moved += read(ends[0], &byte, 1);
    close(ends[0]);
    close(ends[1]);
  }
  return moved;
}

// Each client says a byte and gets it back.
long connectOften(long connections) {
  constexpr int kClients = 4;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(server, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(server, 64) != 0 ||
      getsockname(server, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return -1;
  }
  std::thread serving([=] {
    for (long i = 0; i < connections; i++) {
      const int fd = accept(server, nullptr, nullptr);
      char byte;
      if (read(fd, &byte, 1) == 1 && write(fd, &byte, 1) != 1) return;
      // Until the client has closed, with a reset: the port is free again at once.
      if (read(fd, &byte, 1) == 1) return;
      close(fd);
    }
  });
  std::atomic<long> answered{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; c++) {
    clients.emplace_back([&answered, &address, size, connections] {
      for (long i = 0; i < connections / kClients; i++) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        const linger reset{1, 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        char byte = 'x';
        if (connect(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
            write(fd, &byte, 1) == 1) {
          answered += read(fd, &byte, 1);
        }
        close(fd);
      }
    });
  }
  for (auto& client : clients) client.join();
  serving.join();
  close(server);
  return answered;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  long done = 0;
  if (strcmp(arguments[1], "definitions") == 0) {
    done = useMany(atol(arguments[2]), makePair);
  } else if (strcmp(arguments[1], "pipes") == 0) {
    done = useMany(atol(arguments[2]), pipe);
  } else if (strcmp(arguments[1], "connections") == 0) {
    done = connectOften(atol(arguments[2]));
  } else {
    const bool isInRounds = strcmp(arguments[1], "rounds") == 0;
    std::vector<long> counts(static_cast<size_t>(atol(arguments[2])));
    std::vector<std::thread> threads;
    const long sleepUs = count > 4 ? atol(arguments[4]) : 0;
    for (long& own : counts) {
      threads.emplace_back([&own, arguments, count, isInRounds, sleepUs] {
        const long often = atol(arguments[3]);
        const Ends ends;
        own = isInRounds ? lockInRounds(often, count > 4 ? atol(arguments[4]) : 500) : lockOften(often, sleepUs);
      });
    }
    if (strcmp(arguments[1], "executes") == 0) executeUntil(threads.size());
    for (auto& thread : threads) thread.join();
    for (const long own : counts) done += own;
  }
  printf("%ld\n", done);
  return 7;
}
