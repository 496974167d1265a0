// Ends in the way that the first argument names. One mutex is taken and given before.
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void work() {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

void* exitProcess(void*) {
  work();
  exit(23);
}

void* outliveMain(void*) {
  usleep(30000);
  work();
  puts("last words");
  fflush(stdout);
  return nullptr;
}

std::atomic<int> working{0};

void* runForever(void*) {
  work();
  working++;
  for (;;) work();
  return nullptr;
}

struct AtExit {
  ~AtExit() { work(); }
} atExit;

jmp_buf back;

void* volatile nowhere = nullptr;

void jumpBack(int) { siglongjmp(back, 1); }

// A wait that a signal handler leaves by a jump; the program goes on as if nothing was.
int jump() {
  signal(SIGALRM, jumpBack);
  pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&held);
  for (int i = 0; i < 3; i++) {
    if (sigsetjmp(back, 1) == 0) {
      ualarm(20000, 0);
      pthread_mutex_lock(&held);
    }
  }
  work();
  puts("back");
  return 4;
}

}  // namespace

int main(int count, char** arguments) {
  const char* way = count > 1 ? arguments[1] : "";
  auto is = [&](const char* name) { return strcmp(way, name) == 0; };
  pthread_t other;
  work();
  puts("begun");
  fflush(stdout);
  if (is("return")) return 3;
  if (is("exit")) exit(5);
  if (is("_exit")) _exit(6);
  if (is("exit_group")) syscall(SYS_exit_group, 12);  // as Go and the leak sanitizer do
  if (is("thread-unborn")) {
    for (int i = 0; i < 20; i++) pthread_create(&other, nullptr, runForever, nullptr);
    _exit(13);
  }
  if (is("_Exit")) _Exit(7);
  if (is("quick_exit")) quick_exit(8);
  if (is("abort")) abort();
  if (is("segv")) return *static_cast<volatile int*>(nowhere);
  if (is("kill")) kill(getpid(), SIGKILL);
  if (is("throw")) throw std::runtime_error("nobody catches this");
  if (is("throw-in-thread")) {
    std::thread([] { throw std::runtime_error("nobody catches this"); }).join();
  }
  if (is("catch")) {
    try {
      std::thread([] {
        try {
          throw 1;
        } catch (int) {
          puts("caught");
        }
      }).join();
      throw 2;
    } catch (int) {
      return 9;
    }
  }
  if (is("jump")) return jump();
  if (is("exit-in-thread")) {
    pthread_create(&other, nullptr, exitProcess, nullptr);
    pause();
  }
  if (is("main-ends-first")) {
    pthread_create(&other, nullptr, outliveMain, nullptr);
    pthread_exit(nullptr);
  }
  if (is("threads-run-on")) {
    const int threads = count > 2 ? atoi(arguments[2]) : 3;
    for (int i = 0; i < threads; i++) pthread_create(&other, nullptr, runForever, nullptr);
    while (working < threads) usleep(1000);
    usleep(20000);
    return 11;
  }
  return 99;
}
