// A program to which others attach, and which forks then: at SIGUSR1 a child, which forks another one. All three work until
// SIGTERM, and each checks what it has counted. The first prints how many of them were right.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

volatile sig_atomic_t forks = 0, ends = 0;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Whether all bytes came back.
bool work() {
  int pipeEnds[2];
  if (pipe(pipeEnds) != 0) return false;
  bool isRight = true;
  for (unsigned char next = 0; !ends && !forks; next++) {
    unsigned char got = 0;
    pthread_mutex_lock(&mutex);
    isRight = isRight && write(pipeEnds[1], &next, 1) == 1 && read(pipeEnds[0], &got, 1) == 1 && got == next;
    pthread_mutex_unlock(&mutex);
    const timespec pause{0, 500000};
    nanosleep(&pause, nullptr);
  }
  close(pipeEnds[0]);
  close(pipeEnds[1]);
  return isRight;
}

// Works as one of so many processes that are forked from one another. How many of them were right.
int workWith(int more) {
  forks = 0;
  const pid_t child = more > 0 ? fork() : 0;
  if (more > 0 && child == 0) _exit(workWith(more - 1));
  int right = work() ? 1 : 0, status = 0;
  if (more == 0) return right;
  kill(child, SIGTERM);
  while (waitpid(child, &status, 0) < 0) {
  }
  return right + (WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

}  // namespace

int main() {
  struct sigaction action {};
  action.sa_handler = [](int) { forks = 1; };
  sigaction(SIGUSR1, &action, nullptr);
  action.sa_handler = [](int) { ends = 1; };
  sigaction(SIGTERM, &action, nullptr);
  puts("runs");
  fflush(stdout);
  const bool isRight = work();
  printf("%d right\n", isRight && !ends ? workWith(2) : 0);
  return 0;
}
