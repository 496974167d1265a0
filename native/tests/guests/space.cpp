// A program with more events, or more definitions, than there is space for. Prints what it has done
// and ends with status 7.
//   space events THREADS LOCKS     each thread locks its own mutex so often
//   space definitions PAIRS        so many pairs of sockets, a byte through each
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

long lockOften(long times) {
  std::mutex mutex;
  long count = 0;
  for (long i = 0; i < times; i++) {
    const std::lock_guard<std::mutex> lock(mutex);
    count++;
  }
  return count;
}

long useSockets(long pairs) {
  long moved = 0;
  for (long i = 0; i < pairs; i++) {
    int ends[2];
    char byte = 'x';
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
    if (write(ends[0], &byte, 1) == 1) moved += read(ends[1], &byte, 1);
    close(ends[0]);
    close(ends[1]);
  }
  return moved;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  long done = 0;
  if (strcmp(arguments[1], "definitions") == 0) {
    done = useSockets(atol(arguments[2]));
  } else {
    std::vector<long> counts(static_cast<size_t>(atol(arguments[2])));
    std::vector<std::thread> threads;
    for (long& own : counts) {
      threads.emplace_back([&own, arguments] { own = lockOften(atol(arguments[3])); });
    }
    for (auto& thread : threads) thread.join();
    for (const long own : counts) done += own;
  }
  printf("%ld\n", done);
  return 7;
}
