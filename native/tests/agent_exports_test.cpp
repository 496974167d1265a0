// What the agent shows to the program it is loaded into.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/guest_runner.h"

namespace parallax::tests {
namespace {

bool startsWith(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

bool isDescriptorCall(std::string name) {
  // In all the forms that libc has of a call.
  for (const std::string ending : {"_chk", "_2", "v2", "64", "v2"}) {
    const bool ends = name.size() > ending.size() &&
                      name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    if (ends && name != "pipe2" && name != "dup2") name.resize(name.size() - ending.size());
  }
  if (startsWith(name, "__")) name.erase(0, 2);
  for (const char* call :
       {"read", "write", "pread", "pwrite", "readv", "writev", "preadv", "pwritev", "send",
        "sendto", "sendmsg", "sendmmsg", "recv", "recvfrom", "recvmsg", "recvmmsg", "sendfile",
        "splice", "tee", "vmsplice", "copy_file_range", "pipe", "pipe2", "socket", "socketpair",
        "connect", "accept", "accept4", "listen", "shutdown", "close", "close_range", "closefrom",
        "dup", "dup2", "dup3", "fcntl", "open", "openat", "creat", "fopen", "freopen", "closedir",
        "lseek", "fsync", "fdatasync", "sync", "syncfs", "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait",
        "epoll_pwait2"}) {
    if (name == call) return true;
  }
  return false;
}

TEST(AgentExports, OnlyInterposedSymbols) {
  const Outcome outcome = run({"nm", "-D", "--defined-only", agent()});
  ASSERT_EQ(0, outcome.status) << outcome.errors;
  std::istringstream lines(outcome.output);
  std::string address, type, name;
  int count = 0;
  while (lines >> address >> type >> name) {
    count++;
    bool interposed = false;
    for (const char* beginning :
         {"MPI_", "PMPI_", "mpi_", "pmpi_", "pthread_", "sem_", "thrd_", "mtx_", "cnd_", "pvm_",
          "GOMP_", "omp_", "__kmpc_", "aio_", "lio_listio", "io_uring_", "__io_uring_get_cqe", "exec", "sig", "dl", "wait", "posix_spawn",
          "parallax_agent_", "__cyg_profile_func_"}) {
      interposed = interposed || startsWith(name, beginning);
    }
    for (const char* whole :
         {"ompt_start_tool", "fork", "_Fork", "vfork", "clone", "daemon", "forkpty", "system",
          "popen", "pclose", "prctl", "syscall", "unshare", "setns", "__sysv_signal", "sysv_signal", "_exit", "_Exit", "quick_exit", "fexecve", "longjmp", "_longjmp",
          "siglongjmp", "__longjmp_chk", "nanosleep", "clock_nanosleep", "usleep", "sleep", "sched_yield",
          "pause", "kill", "killpg", "tgkill", "alarm", "setitimer", "timer_create", "timer_settime", "mq_notify", "mq_send",
          "mq_timedsend", "mq_receive", "mq_timedreceive", "msgsnd", "msgrcv", "semop", "semtimedop", "semctl", "flock",
          "lockf", "lockf64", "eventfd_read", "eventfd_write", "getaddrinfo_a", "eventfd",
          "epoll_create", "epoll_create1", "timerfd_create", "inotify_init", "inotify_init1",
          "memfd_create"}) {
      interposed = interposed || name == whole || isDescriptorCall(name);
    }
    EXPECT_TRUE(interposed) << name;
    EXPECT_TRUE(type == "T" || type == "W") << name << " is no function: " << type;
  }
  EXPECT_GT(count, 30);
}

TEST(AgentExports, NeedsOnlyLibc) {
  const Outcome outcome = run({"readelf", "-d", agent()});
  ASSERT_EQ(0, outcome.status) << outcome.errors;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    bool known = false;
    for (const char* name : {"libc.so", "libpthread.so", "libdl.so", "librt.so", "ld-linux"}) {
      known = known || line.find(name) != std::string::npos;
    }
    EXPECT_TRUE(known) << line;
  }
}

}  // namespace
}  // namespace parallax::tests
