#include "tools/tune/pvm/tasker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pvm3.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <pvmproto.h>

#include "tools/tune/inherited_signals.h"

namespace parallax::tuning::pvm {
namespace {

constexpr int kDaemon = static_cast<int>(0x80000000);  // the local one, as an address
constexpr size_t kMostPrinted = size_t{1} << 20;       // that waits until it is known where it goes
constexpr size_t kMostInMessage = 4000;                // as the daemon sends it
constexpr char kGroupServer[] = "pvmgs";               // PVM's own
constexpr uint64_t kSecondNs = 1000000000, kLearnNs = 2 * kSecondNs;

uint64_t nowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecondNs + static_cast<uint64_t>(now.tv_nsec);
}

// Where a variable of libpvm3 is in a process that has the same file loaded; 0: it has not.
uintptr_t addressIn(pid_t pid, const void* own) {
  Dl_info info{};
  struct stat library {};
  if (dladdr(own, &info) == 0 || stat(info.dli_fname, &library) != 0) return 0;
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::string range, rights, offset, device;
    ino_t inode = 0;
    fields >> range >> rights >> offset >> device >> inode;
    if (inode != library.st_ino || strtoull(offset.c_str(), nullptr, 16) != 0) continue;
    return strtoull(range.c_str(), nullptr, 16) + (reinterpret_cast<uintptr_t>(own) - reinterpret_cast<uintptr_t>(info.dli_fbase));
  }
  return 0;
}

bool readFrom(pid_t pid, uintptr_t address, void* into, size_t bytes) {
  iovec local{into, bytes}, remote{reinterpret_cast<void*>(address), bytes};
  return address != 0 && process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

void sendEnd(int task, int status, const rusage& usage) {
  pvm_initsend(PvmDataDefault);
  int numbers[] = {task,
                   status,
                   static_cast<int>(usage.ru_utime.tv_sec),
                   static_cast<int>(usage.ru_utime.tv_usec),
                   static_cast<int>(usage.ru_stime.tv_sec),
                   static_cast<int>(usage.ru_stime.tv_usec)};
  pvm_pkint(numbers, sizeof numbers / sizeof numbers[0], 1);
  pvm_send(kDaemon, SM_TASKX);
}

}  // namespace

std::string Tasker::begin() {
  const int code = pvm_reg_tasker();
  if (code == PvmAlready) return "another program starts the tasks there (a debugger or another session of parallax tune)";
  return code < 0 ? "PVM's daemon does not let it start tasks (error " + std::to_string(code) + ")" : "";
}

void Tasker::start(const Message& message) {
  const int id = unpackNumber();
  unpackNumber();  // flags
  const std::string path = unpackText(message.bytes);
  std::vector<std::string> arguments, variables;
  for (int count = unpackNumber(); count > 0; count--) arguments.push_back(unpackText(message.bytes));
  for (int count = unpackNumber(); count > 0; count--) variables.push_back(unpackText(message.bytes));
  Task task;
  int ends[2];
  if (!arguments.empty() && pipe2(ends, O_CLOEXEC) == 0) {
    task.pid = fork();
    if (task.pid == 0) become(path, arguments, variables, ends[1]);
    close(ends[1]);
    task.output = ends[0];
  }
  if (task.pid < 0) {
    if (task.output >= 0) close(task.output);
    return sendEnd(id, 0, {});
  }
  task.end = static_cast<int>(syscall(SYS_pidfd_open, task.pid, 0));
  task.learnUntilNs = nowNs() + kLearnNs;
  tasks_[id] = task;
}

// As the daemon starts it: all other descriptors closed, the variables of its parent added to those of the daemon.
void Tasker::become(const std::string& path, const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                    int output) const {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  restoreSignals();
  for (const std::string& variable : variables) putenv(const_cast<char*>(variable.c_str()));
  std::vector<std::string> words = arguments;
  words[0] = path;
  const std::vector<char*> pointers = record::pointersTo(words);
  if (plain_ || record::baseName(path) == kGroupServer) {
    execv(path.c_str(), pointers.data());
  } else {
    record::Environment environment = environment_;
    // A recorder inside of the monitor has told its trace to the parent: the task is recorded as well.
    if (const char* trace = getenv("PARALLAX_TRACE"); trace != nullptr) environment.traceDirectory = trace;
    if (const char* rate = getenv("PARALLAX_SAMPLE_HZ"); rate != nullptr) environment.sampleHz = atoi(rate);
    record::execute(pointers.data(), environment);
  }
  _exit(1);
}

bool Tasker::isLearning() const {
  const uint64_t now = nowNs();
  return std::any_of(tasks_.begin(), tasks_.end(), [now](const auto& each) { return !each.second.isKnown && now < each.second.learnUntilNs; });
}

void Tasker::addTo(std::vector<pollfd>* set) const {
  for (const auto& [id, task] : tasks_) {
    if (task.end >= 0) set->push_back({task.end, POLLIN, 0});
    if (task.output >= 0) set->push_back({task.output, POLLIN, 0});
  }
}

void Tasker::look() {
  for (auto each = tasks_.begin(); each != tasks_.end();) {
    Task& task = each->second;
    readFrom(each->first, &task);
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(task.pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == task.pid) {
      finish(each->first, &task);
      each = tasks_.erase(each);
    } else {
      ++each;
    }
  }
}

// To the task, which waits for this before it leaves PVM.
void Tasker::tell(const Task& task, live::OutputState state) {
  if (task.page != nullptr) task.page->outputState.store(static_cast<uint32_t>(state));
}

// What can be read now.
void Tasker::readFrom(int id, Task* task) {
  tell(*task, live::OutputState::kReads);
  while (task->output >= 0) {
    pollfd ready{task->output, POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0) break;
    char text[1 << 14];
    const ssize_t got = read(task->output, text, sizeof text);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      close(task->output);
      task->output = -1;
    } else {
      task->printed.append(text, static_cast<size_t>(got));
    }
  }
  if (!task->isKnown) learnOutput(task);
  if (task->isKnown || task->printed.size() > kMostPrinted) sendPrinted(id, task);
  if (task->printed.empty()) tell(*task, live::OutputState::kSent);
}

// A task knows where its output goes once it is connected with the daemon. Its page, which tells that before the number of the
// task, stays when it has ended. False: it has no page.
bool Tasker::learnFromPage(Task* task) const {
  const int fd = open((directory_ + "/" + std::to_string(task->pid) + live::kEnding).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat status {};
  if (fd < 0) return false;
  const bool isWhole = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == static_cast<off_t>(live::kPageBytes);
  void* at = isWhole ? mmap(nullptr, sizeof(live::Header), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  close(fd);
  if (at == MAP_FAILED) return false;
  auto* header = static_cast<live::Header*>(at);
  const bool isIts = memcmp(header->magic, live::kMagic, sizeof header->magic) == 0 && header->pid == task->pid;
  task->isKnown = isIts && header->task > 0;
  if (task->isKnown) {
    task->to = {header->output[0], header->output[1], header->output[2]};
    task->page = header;
  } else {
    munmap(at, sizeof(live::Header));
  }
  return isIts;
}

// Of a task without a page: struct Pvmtracer pvmtrc of its library.
void Tasker::learnOutput(Task* task) const {
  if (learnFromPage(task)) return;
  static const void* const tracer = dlsym(RTLD_DEFAULT, "pvmtrc");
  static const void* const number = dlsym(RTLD_DEFAULT, "pvmmytid");
  if (tracer == nullptr || number == nullptr) return;
  int id = -1, words[6] = {};
  if (!pvm::readFrom(task->pid, addressIn(task->pid, number), &id, sizeof id) || id <= 0) return;
  if (!pvm::readFrom(task->pid, addressIn(task->pid, tracer), words, sizeof words)) return;
  task->to = {words[3], words[4], words[5]};
  // The library fills it in after the number of the task: nothing yet is not nothing.
  task->isKnown = words[3] > 0 || nowNs() > task->learnUntilNs;
}

void Tasker::sendPrinted(int id, Task* task) const {
  std::string& text = task->printed;
  if (task->to.task <= 0) {  // what this process prints, the daemon writes into its log
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) printf("[%s] %s\n", nameOfTask(id).c_str(), line.c_str());
    fflush(stdout);
    text.clear();
    return;
  }
  for (size_t at = 0; at < text.size(); at += kMostInMessage) {
    int bytes = static_cast<int>(std::min(kMostInMessage, text.size() - at));
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&id, 1, 1);
    pvm_pkint(&bytes, 1, 1);
    pvm_pkbyte(text.data() + at, bytes, 1);
    const int before = pvm_setcontext(task->to.context);
    pvm_send(task->to.task, task->to.tag);
    pvm_setcontext(before);
  }
  text.clear();
}

void Tasker::finish(int id, Task* task) {
  readFrom(id, task);
  if (!task->printed.empty()) sendPrinted(id, task);
  int status = 0;
  rusage usage{};
  wait4(task->pid, &status, 0, &usage);
  ended_(task->pid, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  sendEnd(id, status, usage);
  if (task->page != nullptr) munmap(task->page, sizeof(live::Header));
  if (task->end >= 0) close(task->end);
  if (task->output >= 0) close(task->output);
}

}  // namespace parallax::tuning::pvm
