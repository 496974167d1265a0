#include "tools/attach/problem.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/launchers.h"
#include "base/process_status.h"
#include "tools/attach/target.h"
#include "tools/attach/thread_status.h"

namespace parallax::attach {
namespace {

std::string pathIn(pid_t pid, const std::string& rest) { return "/proc/" + std::to_string(pid) + "/" + rest; }

std::string linkOf(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<size_t>(length)) : "";
}

std::string nameOf(pid_t pid) {
  std::ifstream file(pathIn(pid, "comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

// Empty: a 64-bit program of this machine.
std::string wrongMachine(pid_t pid) {
  std::ifstream file(pathIn(pid, "exe"), std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "";
  if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64) return "";
  return header.e_ident[EI_CLASS] == ELFCLASS32 ? "is a program of 32 bits" : "is a program of another machine";
}

// Whether it sees the same file under this path, as far as that may be looked at.
bool seesSame(pid_t pid, const std::string& path) {
  struct stat own, its;
  if (stat(path.c_str(), &own) != 0) return false;
  if (stat((pathIn(pid, "root") + path).c_str(), &its) != 0) return errno == EACCES || errno == EPERM;
  return own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

// Whether it is of the same namespace of process numbers, as far as that may be looked at.
bool hasSameNumbers(pid_t pid) {
  const std::string its = linkOf(pathIn(pid, "ns/pid"));
  return its.empty() || its == linkOf("/proc/self/ns/pid");
}

// What a person is told; docs/troubleshooting.md has each.
std::string fail(const std::string& text) { return text; }

std::string findLibraryProblem(pid_t pid, const std::string& named) {
  Target target(pid);
  if (!target.readMappings()) return "";  // to be told by the kernel
  const bool isMusl = std::any_of(target.modules().begin(), target.modules().end(), [](const Module& module) {
    const std::string file = module.name();  // Debian's is one file, libc.so, which glibc has as a text for the linker
    return file == "libc.so" || file.compare(0, 7, "ld-musl") == 0 || file.compare(0, 9, "libc.musl") == 0;
  });
  if (!isMusl && (target.moduleOf("libc.so") != nullptr || target.moduleOf("libc-") != nullptr)) return "";
  if (isMusl) {
    return fail(named + " uses musl and not glibc, so the agent cannot be loaded into it; run a program that is built for glibc");
  }
  return fail(named + " is statically linked, so the agent cannot be loaded into it; link it without -static and start it again");
}

std::string numberOf(pid_t pid) { return "process " + std::to_string(pid); }

}  // namespace

std::string userName(uint32_t user) {
  const passwd* entry = getpwuid(user);
  return entry != nullptr ? entry->pw_name : std::to_string(user);
}

// Its memory may be opened by who may trace it, as Yama and others see it.
bool mayTrace(pid_t pid) {
  const int memory = open(pathIn(pid, "mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return errno != EACCES && errno != EPERM;
  close(memory);
  return true;
}

// An iterator over the buffer would throw at an error.
std::string contentOf(pid_t pid, const char* file) {
  std::ifstream from(pathIn(pid, file), std::ios::binary);
  std::ostringstream text;
  text << from.rdbuf();
  return text.str();
}

ProcessFacts factsOf(pid_t pid) {
  ProcessFacts facts;
  const ThreadStatus status(pid, pid);
  facts.exists = status.exists();
  if (facts.exists) {
    const auto effective = [&](const char* name) {  // the second of four
      const std::string ids = status.text(name);
      return static_cast<uint32_t>(strtoul(ids.c_str() + std::min(ids.find('\t'), ids.size()), nullptr, 10));
    };
    facts.state = status.state();
    facts.group = status.number("Tgid");
    facts.parent = status.number("PPid");
    facts.threads = status.number("Threads");
    facts.tracer = status.number("TracerPid");
    facts.seccomp = status.number("Seccomp");
    facts.filters = status.number("Seccomp_filters");
    facts.hasShadowStack = status.text("x86_Thread_features").find("shstk") != std::string::npos;
    facts.user = effective("Uid");
    facts.userGroup = effective("Gid");
  }
  facts.name = nameOf(pid);
  const std::string words = contentOf(pid, "cmdline");
  for (size_t at = 0; at < words.size();) {
    facts.command.emplace_back(words.c_str() + at);
    at += facts.command.back().size() + 1;
  }
  return facts;
}

std::string findProblem(pid_t pid, const ProcessFacts& facts, const std::string& agent) {
  const std::string process = numberOf(pid);
  if (!facts.exists) return fail("there is no " + process + "; ps -e lists those that run");
  if (facts.group != pid) {
    return fail(std::to_string(pid) + " is a thread of process " + std::to_string(facts.group) + "; name the process");
  }
  if (pid == getpid()) return fail(process + " is this recorder; name another process");
  const std::string named = process + " (" + facts.name + ")";
  if (facts.state == 'Z' || facts.state == 'X') return fail(named + " has ended, and its parent has not noticed it yet");
  const std::string executable = linkOf(pathIn(pid, "exe"));
  if (executable.empty() && facts.command.empty()) return fail(named + " belongs to the kernel; name a program");
  if (facts.user != geteuid() && geteuid() != 0) {
    return fail(named + " belongs to the user " + userName(facts.user) + "; run parallax as this user, or as root");
  }
  if (facts.state == 'T') return fail(named + " is stopped; let it go on: kill -CONT " + std::to_string(pid));
  if (facts.tracer != 0) {
    return fail(named + " is traced by process " + std::to_string(facts.tracer) + " (" + nameOf(facts.tracer) +
           "), and only one can do that; detach it first");
  }
  if (!hasSameNumbers(pid)) {
    return fail(named + " runs in another PID namespace, as containers have; run parallax inside of it");
  }
  const std::string machine = wrongMachine(pid);
  if (!machine.empty()) return fail(named + " " + machine + "; only x86_64 programs can be recorded");
  if (const size_t slash = executable.rfind('/'); slash != std::string::npos) {
    const std::string base = executable.substr(slash + 1);
    if (isLauncher(base.c_str())) {
      return fail(named + " is a shell or launcher; name the program that it has started: pgrep -P " + std::to_string(pid) + " -a");
    }
  }
  const std::string library = findLibraryProblem(pid, named);
  if (!library.empty()) return library;
  if (!seesSame(pid, agent)) {
    return fail(named + " does not see " + agent + ": it has other file systems, as containers have; make this directory "
           "visible to it under the same path, or run parallax inside of the container");
  }
  const int ownFilters = readProcessStatus().filters;
  if (facts.seccomp == 1 || (facts.seccomp == 2 && facts.filters > ownFilters)) {
    return fail(named + " has forbidden itself system calls (seccomp), which recording may need; start it under parallax record, "
           "which sees what is forbidden, or without its sandbox");
  }
  if (facts.hasShadowStack) {
    return fail(named + " uses a shadow stack, on which no call from outside can return; start it with "
           "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off, or under parallax record");
  }
  return "";
}

std::string explainRefusal(pid_t pid, const ProcessFacts& facts) {
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  int scope = 0;
  file >> scope;
  const std::string named = numberOf(pid) + " (" + facts.name + ")";
  if (scope >= 3) {
    return fail("the kernel lets nobody trace " + named + " (kernel.yama.ptrace_scope = 3, until the next start of the machine); "
           "start it under parallax record");
  }
  if (scope >= 1 && geteuid() != 0) {
    return fail("the kernel does not let you trace " + named + " (kernel.yama.ptrace_scope = " + std::to_string(scope) +
           "); run: sudo sysctl kernel.yama.ptrace_scope=0, or run parallax as root");
  }
  return fail("the kernel does not let you trace " + named + ": it has gained rights (setuid, capabilities) or forbidden it "
         "(prctl), or this is a container without the capability SYS_PTRACE (docker run --cap-add SYS_PTRACE); run "
         "parallax as root, or start the program under parallax record");
}

}  // namespace parallax::attach
