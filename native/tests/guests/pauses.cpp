// A program that pauses its recording: by parallax.h (`own`), or as somebody outside does for all processes (`host`).
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "parallax/parallax.h"

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t over, within;

void locks(int count) {
  for (int i = 0; i < count; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

void sleepMs(long ms) {
  const timespec time{ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, nullptr);
}

void work(long ms) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + ms;
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end);
}

// Waits from before the pause until after it, and then for something that begins and ends later.
void* waitsOver(void*) {
  sem_wait(&over);
  locks(3);
  return nullptr;
}

// Begins to wait in the pause, and is released after it.
void* waitsFromWithin(void*) {
  sem_wait(&within);
  locks(5);
  return nullptr;
}

void* livesInPause(void*) {
  locks(7);
  return nullptr;
}

void own() {
  sem_init(&over, 0, 0);
  sem_init(&within, 0, 0);
  pthread_t first, second, third;
  pthread_create(&first, nullptr, waitsOver, nullptr);
  work(30);
  locks(100);
  parallax_phase_begin("paused");
  parallax_pause();
  parallax_pause();
  locks(1000);
  pthread_create(&second, nullptr, waitsFromWithin, nullptr);
  pthread_create(&third, nullptr, livesInPause, nullptr);
  pthread_join(third, nullptr);
  work(60);
  parallax_resume();
  parallax_phase_end("paused");
  locks(10);
  sleepMs(30);
  sem_post(&over);
  sem_post(&within);
  pthread_join(first, nullptr);
  pthread_join(second, nullptr);
}

struct Log {
  std::atomic<uint32_t> changes;
  uint32_t used;
  std::atomic<uint64_t> ns[256];
};

Log* hostLog() {
  const std::string directory = getenv("PARALLAX_TRACE");
  DIR* entries = opendir(directory.c_str());
  Log* log = nullptr;
  while (const dirent* entry = readdir(entries)) {
    const std::string name = entry->d_name;
    if (name.size() < 8 || name.substr(name.size() - 7) != ".shared") continue;
    const int fd = open((directory + "/" + name).c_str(), O_RDWR);
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    log = reinterpret_cast<Log*>(static_cast<char*>(page) + 64);
  }
  closedir(entries);
  return log;
}

void change(Log* log) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint32_t changes = log->changes;
  log->ns[changes % 256] = static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
  log->changes = changes + 1;
}

// A child from before the pause, and one from within it.
void host() {
  locks(1);
  Log* log = hostLog();
  if (log == nullptr || log->used != 1) {
    puts("no switch");
    return;
  }
  printf("%u changes\n", log->changes.load());
  fflush(stdout);
  if (log->changes % 2 == 1) change(log);
  struct Stage {
    std::atomic<int> done, reached;
  };
  auto* stage = static_cast<Stage*>(
      mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  auto await = [](const std::atomic<int>& number, int value) {
    while (number < value) sleepMs(1);
  };
  auto child = [&](int first, int paused, int last) {
    if (fork() != 0) return;
    locks(first);
    stage->done++;
    await(stage->reached, 1);
    locks(paused);
    stage->done++;
    await(stage->reached, 2);
    locks(last);
    exit(0);
  };
  child(2, 20, 4);
  await(stage->done, 1);
  change(log);
  child(30, 30, 22);
  await(stage->done, 2);
  stage->reached = 1;
  await(stage->done, 4);
  sleepMs(20);
  change(log);
  stage->reached = 2;
  while (wait(nullptr) > 0) {
  }
  locks(1);
}

}  // namespace

int main(int, char** arguments) {
  if (strcmp(arguments[1], "own") == 0) own();
  if (strcmp(arguments[1], "host") == 0) host();
  puts("done");
  return 0;
}
