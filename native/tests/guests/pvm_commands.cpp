// A task of PVM that does what the lines of its standard input say, and prints each when it is done:
//   spawn HOST          starts a worker there (-: anywhere); workers are counted from 0
//   send W COUNT BYTES  sends the worker W so many messages, and waits until it has them all
//   ask W TEXT          the same with one message, whose text the worker prints; of `signals`, which of the signals are ignored or
//                       blocked that PVM ends tasks with
//   kill W              kills the worker (SIGKILL)
//   add HOST, delete HOST   changes the virtual machine
//   catch               prints what workers print from then on, as pvm_catchout
// At the end of the input all workers end, and it ends. A worker sends one message for each `send` and `ask`.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pvm3.h>  // declares pvm_catchout where there is an EOF

enum { DATA = 1, SYNC = 2, PRINT = 3, END = 4, MOST_WORKERS = 16, MOST_BYTES = 1 << 20 };

static char bytes[MOST_BYTES];

static void nameSignals(char* text) {
  strcpy(text, "no default:");
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler != SIG_DFL || sigismember(&blocked, signal) == 1) sprintf(text + strlen(text), " %d", signal);
  }
  strcat(text, ".");
}

static int work(int parent) {
  for (;;) {
    int tag = 0;
    const int buffer = pvm_recv(parent, -1);
    if (buffer < 0) return 1;
    pvm_bufinfo(buffer, nullptr, &tag, nullptr);
    if (tag == END) break;
    if (tag == DATA) continue;
    if (tag == PRINT) {
      pvm_upkstr(bytes);
      if (strcmp(bytes, "signals") == 0) nameSignals(bytes);
      printf("%s\n", bytes);
      fflush(stdout);
    }
    pvm_initsend(PvmDataRaw);
    pvm_pkbyte(bytes, 1, 1);
    pvm_send(parent, SYNC);
  }
  printf("bye\n");
  pvm_exit();
  return 0;
}

static int workers[MOST_WORKERS], workerCount = 0;

static void finish(int worker, int tag) {
  pvm_send(workers[worker], tag);
  pvm_recv(workers[worker], SYNC);
}

static void obey(char* line) {
  char text[200] = "", path[4096] = "";
  char* names[] = {text};
  int worker = 0, count = 0, size = 0, result = 0;
  if (sscanf(line, "spawn %199s", text) == 1) {
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) exit(1);
    const bool anywhere = text[0] == '-';
    if (pvm_spawn(path, nullptr, anywhere ? PvmTaskDefault : PvmTaskHost, anywhere ? nullptr : text, 1, &workers[workerCount]) != 1) exit(2);
    workerCount++;
  } else if (sscanf(line, "send %d %d %d", &worker, &count, &size) == 3) {
    for (int i = 0; i < count; i++) {
      pvm_initsend(PvmDataRaw);
      pvm_pkbyte(bytes, size, 1);
      pvm_send(workers[worker], DATA);
    }
    pvm_initsend(PvmDataRaw);
    finish(worker, SYNC);
  } else if (sscanf(line, "ask %d %199s", &worker, text) == 2) {
    pvm_initsend(PvmDataRaw);
    pvm_pkstr(text);
    finish(worker, PRINT);
  } else if (sscanf(line, "kill %d", &worker) == 1) {
    pvm_sendsig(workers[worker], SIGKILL);
    workers[worker] = 0;
  } else if (sscanf(line, "add %199s", text) == 1) {
    if (pvm_addhosts(names, 1, &result) != 1) exit(3);
  } else if (sscanf(line, "delete %199s", text) == 1) {
    if (pvm_delhosts(names, 1, &result) != 1) exit(4);
  } else if (strcmp(line, "catch\n") == 0) {
    pvm_catchout(stdout);
  }
}

int main() {
  if (pvm_mytid() < 0) {
    puts("no daemon");
    return 5;
  }
  const int parent = pvm_parent();
  if (parent > 0) return work(parent);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  char line[256];
  while (fgets(line, sizeof line, stdin) != nullptr) {
    obey(line);
    printf("%s", line);
  }
  for (int i = 0; i < workerCount; i++) {
    if (workers[i] == 0) continue;
    pvm_initsend(PvmDataRaw);
    pvm_send(workers[i], END);
  }
  pvm_exit();
  return 0;
}
