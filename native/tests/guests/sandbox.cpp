// Forbids itself what the first argument names, and goes on. Prints "ok".
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace {

using Filter = std::vector<sock_filter>;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// A hundred locks before and after some time of work, in which no clock is read.
__attribute__((noinline)) void work(unsigned millions = 300) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  for (volatile unsigned i = 0; i < millions * 1000000u; i = i + 1) {
  }
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

sock_filter step(uint16_t code, uint32_t k, uint8_t yes = 0, uint8_t no = 0) {
  return {code, yes, no, k};
}

// `listed` for these system calls, `others` for all that are not.
Filter filterOf(const std::vector<int>& numbers, uint32_t listed, uint32_t others) {
  Filter filter{step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
                step(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
                step(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const int number : numbers) {
    filter.push_back(step(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1));
    filter.push_back(step(BPF_RET | BPF_K, listed));
  }
  filter.push_back(step(BPF_RET | BPF_K, others));
  return filter;
}

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

void install(Filter filter, bool allThreads = false) {
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no new privileges");
  const long result = allThreads ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                           SECCOMP_FILTER_FLAG_TSYNC, &program)
                                 : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  if (result != 0) fail("filter");
}

// What a program needs that only computes, writes and has threads.
const std::vector<int> kPlain{
    SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_newfstatat, SYS_mmap, SYS_munmap, SYS_mprotect,
    SYS_brk, SYS_futex, SYS_exit, SYS_exit_group, SYS_clone, SYS_clone3, SYS_set_robust_list,
    SYS_rseq, SYS_madvise, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_getrandom, SYS_prlimit64, SYS_sched_getaffinity};

std::vector<int> without(std::vector<int> numbers, int number) {
  for (size_t i = 0; i < numbers.size(); i++) {
    if (numbers[i] == number) numbers.erase(numbers.begin() + static_cast<long>(i));
  }
  return numbers;
}

void* workInThread(void*) {
  work(100);
  return nullptr;
}

void threads(int count) {
  std::vector<pthread_t> all(static_cast<size_t>(count));
  for (pthread_t& thread : all) {
    if (pthread_create(&thread, nullptr, workInThread, nullptr) != 0) fail("thread");
  }
  for (const pthread_t thread : all) pthread_join(thread, nullptr);
}

int waitFor(pid_t pid) {
  int status = -1;
  if (pid < 0 || waitpid(pid, &status, 0) != pid) fail("child");
  return status;
}

void denyScenario(const char* number, const char* action, bool allThreads) {
  const uint32_t how = strcmp(action, "trap") == 0 ? SECCOMP_RET_TRAP : SECCOMP_RET_KILL_PROCESS;
  work(10);
  install(filterOf({atoi(number)}, how, SECCOMP_RET_ALLOW), allThreads);
  work(20);
}

int traps = 0;
void onTrap(int, siginfo_t*, void*) { traps++; }

// The program is asked, by a signal, only what it asks for itself.
void trapScenario() {
  struct sigaction action{};
  action.sa_sigaction = onTrap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  work(10);
  install(filterOf(kPlain, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP));
  syscall(SYS_getppid);
  work();
  threads(2);
  if (traps != 1) {
    printf("%d traps\n", traps);
    exit(1);
  }
}

// Calls that the kernel refuses change nothing.
void refusedScenario() {
  Filter filter = filterOf({}, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS);
  sock_fprog empty{0, filter.data()}, wild{static_cast<unsigned short>(filter.size()),
                                           reinterpret_cast<sock_filter*>(16)};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == 0 || errno != EFAULT) fail("null");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, nullptr) == 0 ||
      errno != EFAULT) {
    fail("null");
  }
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &empty) == 0 || errno != EINVAL) fail("empty");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wild) == 0 || errno != EFAULT) fail("wild");
  filter[0].code = BPF_LD | BPF_W | BPF_IND;
  sock_fprog wrong{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wrong) == 0 || errno != EINVAL) fail("wrong");
  if (syscall(-1) != -1 || errno != ENOSYS) fail("syscall");
  if (syscall(SYS_getpid) != getpid()) fail("getpid");
  work();
}

// A thread with a filter beside others without.
void* workRestricted(void*) {
  install(filterOf(kPlain, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
  work(100);
  threads(1);
  return nullptr;
}

void oneThreadScenario() {
  pthread_t thread;
  pthread_create(&thread, nullptr, workRestricted, nullptr);
  pthread_join(thread, nullptr);
  threads(1);
  work();
}

// A filter that only forbids what the agent uses, and an execution under it.
const std::vector<int> kMeasuring{SYS_perf_event_open, SYS_timer_create, SYS_rt_sigtimedwait,
                                  SYS_membarrier, SYS_process_vm_readv};

}  // namespace

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "";
  const auto is = [scenario](const char* name) { return strcmp(scenario, name) == 0; };
  char work_[] = "work";
  char* const again[] = {argv[0], work_, nullptr};
  if (is("work")) {
    work();
  } else if (is("tsc")) {
    work(10);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0) fail("tsc");
    work();
    threads(2);
  } else if (is("strict") || is("strictBySeccomp")) {
    work(100);
    const long result = is("strict") ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)
                                     : syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, nullptr);
    if (result != 0) fail("strict mode");
    work(100);
    write(1, "ok\n", 3);
    syscall(SYS_exit, 0);
  } else if (is("plain")) {
    work(10);
    install(filterOf(kPlain, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
    work();
    threads(2);
  } else if (is("atOnce")) {  // before anything is recorded
    install(filterOf(kPlain, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
    work();
  } else if (is("least")) {
    install(filterOf({SYS_write, SYS_exit_group}, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
    work();
    write(1, "ok\n", 3);
    _exit(0);
  } else if (is("noHandlers")) {
    work(10);
    install(filterOf(without(kPlain, SYS_rt_sigreturn), SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
    work();
    threads(2);
  } else if (is("deny")) {
    denyScenario(argv[2], "kill", false);
  } else if (is("denyAll")) {
    denyScenario(argv[2], "kill", true);
  } else if (is("trap")) {
    trapScenario();
  } else if (is("refused")) {
    refusedScenario();
  } else if (is("oneThread")) {
    oneThreadScenario();
  } else if (is("exec")) {
    work(10);
    install(filterOf(kMeasuring, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW));
    install(filterOf({SYS_rt_sigaction}, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW));
    execv("/proc/self/exe", again);
    fail("exec");
  } else if (is("fork")) {
    install(filterOf(kMeasuring, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW));
    const pid_t pid = fork();
    if (pid == 0) {
      work();
      _exit(0);
    }
    if (waitFor(pid) != 0) fail("child");
    work();
  } else if (is("vfork")) {
    Filter filter = filterOf(kMeasuring, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW);
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const pid_t pid = vfork();
    if (pid == 0) {
      if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) execv("/proc/self/exe", again);
      _exit(1);
    }
    if (waitFor(pid) != 0) fail("child");
    threads(2);
    work();
  } else if (is("events")) {
    const unsigned long count = strtoul(argv[2], nullptr, 10);
    install(filterOf(kPlain, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS));
    for (unsigned long i = 0; i < count; i++) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
    }
  } else {
    fail("scenario");
  }
  puts("ok");
}
