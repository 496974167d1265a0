// The recorder's part of the transports with a writer: it makes the shared memory, starts the writer, and waits at the end until the
// writer has written everything.

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/sys.h"
#include "base/text.h"
#include "tools/record.h"
#include "tools/record_writer.h"
#include "transport/definitions_stage.h"
#include "transport/ended.h"
#include "transport/shared_table.h"
#include "transport/trace_space.h"

namespace parallax::record {
namespace {

constexpr char kMemory[] = "/dev/shm";
constexpr char kTraceLink[] = "/trace";  // in the directory of the definitions in memory: a link to the trace
constexpr uint32_t kLeastRings = 8;
constexpr uint64_t kShare = 4;  // rings may take one part in so many of the free memory
constexpr uint32_t kPatienceMs = 10'000;
constexpr int kMostLooks = 50;  // of 20 ms each
constexpr rlim_t kMostDescriptors = 2048;

std::string fail(const std::string& why) { return why; }

std::string beginningOfName() { return "parallax-rings-" + std::to_string(geteuid()) + "-"; }

void removeStage(const std::string& rings) {
  std::error_code ignored;
  std::filesystem::remove_all(rings + definitions_stage::kEnding, ignored);
}

// Whether a process is in a PID namespace below this one: then it has a number in each of the namespaces.
bool isNested(const std::string& process) {
  constexpr char kNumbers[] = "NSpid:";
  std::ifstream file(process + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, sizeof kNumbers - 1, kNumbers) != 0) continue;
    return std::count(line.begin(), line.end(), '\t') > 1;
  }
  return false;
}

// Whether processes of a PID namespace may be alive. Only the first namespace sees the processes of all others, and a user sees only
// his own.
bool mayLive(uint64_t pidNamespace) {
  constexpr uint64_t kFirstNamespace = 0xEFFFFFFC;
  struct stat space {};
  if (stat("/proc/self/ns/pid", &space) != 0 || space.st_ino != kFirstNamespace) return true;
  DIR* entries = opendir("/proc");
  bool any = entries == nullptr;
  while (const dirent* entry = any ? nullptr : readdir(entries)) {
    struct stat process {};
    const int pid = atoi(entry->d_name);
    if (pid <= 0 || beginMsOf(static_cast<uint32_t>(pid)) == kHasEnded) continue;
    const std::string path = std::string("/proc/") + entry->d_name;
    any = stat((path + "/ns/pid").c_str(), &space) == 0
              ? space.st_ino == pidNamespace
              : stat(path.c_str(), &process) == 0 && process.st_uid == geteuid() && isNested(path);
  }
  if (entries != nullptr) closedir(entries);
  return any;
}

// Whether the process numbers in it are those of this PID namespace.
bool isOfThisNamespace(const event_rings::Control& control) {
  struct stat space {};
  return stat("/proc/self/ns/pid", &space) == 0 && space.st_ino == control.pidNamespace;
}

// Sets the limits that the processes of a run have. 0: the trace may have any size.
void limitSpace(const TraceDirectory& directory, uint64_t keepFreeBytes, uint64_t mostBytes) {
  std::atomic<uint64_t>* taken = nullptr;
  utsname names{};
  if (mostBytes != 0 && uname(&names) == 0) {
    char file[96];
    size_t at = appendHost(file, 0, 65, names.nodename);
    at = appendText(file, at, sizeof file - 1, ".shared");
    file[at] = '\0';
    taken = mapTraceSize(directory, file);
  }
  limitTraceSpace(keepFreeBytes, mostBytes, taken);
}

void limitSpace(const TraceDirectory& directory, const Environment& environment, event_rings::Control* control) {
  control->keepFreeBytes = kUsualFree;
  for (const auto& [name, value] : environment.settings) {
    if (name == "PARALLAX_KEEP_FREE") control->keepFreeBytes = strtoull(value.c_str(), nullptr, 10);
    if (name == "PARALLAX_MAX_SIZE") control->mostTraceBytes = strtoull(value.c_str(), nullptr, 10);
  }
  limitSpace(directory, control->keepFreeBytes, control->mostTraceBytes);
}

// Whether another version of Parallax has made the rings. Only that version can read them. All versions have their number in the same
// place.
bool isOfAnotherVersion(int fd, const std::string& rings, const char* trace, bool tells) {
  uint32_t words[2];
  if (pread(fd, words, sizeof words, 0) != sizeof words || words[0] != event_rings::kMagic ||
      words[1] == event_rings::kVersion) {
    return false;
  }
  if (tells) {
    say("another version of Parallax (its rings have version " + std::to_string(words[1]) + ", those of this one " +
        std::to_string(event_rings::kVersion) + ") was killed while it recorded, and events for " + trace + " are left in " +
        rings + "; have that version record anything with --transport shared, which writes them, or remove them: rm -r " + rings +
        " " + rings + definitions_stage::kEnding);
  }
  return true;
}

// Completes the trace of a run whose recorder and writer were both killed, if the trace is still there. Returns false if it has to be
// tried again: processes of the run may be alive, there is no memory or disk space, or the rings are of another version of Parallax.
// The last is told if `tells`.
bool rescue(const std::string& rings, int fd, size_t bytes, bool tells) {
  char trace[PATH_MAX];
  const ssize_t length = readlink((rings + definitions_stage::kEnding + kTraceLink).c_str(), trace, sizeof trace - 1);
  if (length <= 0) return true;
  trace[length] = '\0';
  TraceDirectory directory;
  struct stat status {};
  if (stat(trace, &status) != 0) return true;
  if (isOfAnotherVersion(fd, rings, trace, tells)) return false;
  if (bytes < event_rings::kHeadBytes || directory.open(trace) != 0) return true;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  bool isOver = memory != MAP_FAILED;
  if (isOver) {
    const auto* control = static_cast<const event_rings::Control*>(memory);
    if (control->magic == event_rings::kMagic && control->version == event_rings::kVersion &&
        event_rings::blocksOffset(control->ringCount) <= bytes && control->directoryDevice == status.st_dev &&
        control->directoryInode == status.st_ino) {
      if (!isOfThisNamespace(*control) && mayLive(control->pidNamespace)) {
        munmap(memory, bytes);
        close(directory.descriptor());
        return false;
      }
      limitSpace(directory, control->keepFreeBytes, control->mostTraceBytes);  // as that run has it
      RingWriter writer(static_cast<char*>(memory), rings, directory);
      writer.writeAll();
      isOver = writer.mayEnd() && !writer.lacksSpace();
    }
    munmap(memory, bytes);
  }
  close(directory.descriptor());
  return isOver;
}

// Removes the files of runs whose recorder and writer were both killed. A young file without a size may belong to a recorder that has
// not locked it yet.
void removeAbandoned(bool tells) {
  constexpr time_t kYoungS = 10;
  DIR* entries = opendir(kMemory);
  if (entries == nullptr) return;
  const std::string beginning = beginningOfName();
  while (const dirent* entry = readdir(entries)) {
    if (strncmp(entry->d_name, beginning.c_str(), beginning.size()) != 0) continue;
    const int fd = openat(dirfd(entries), entry->d_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    const std::string path = std::string(kMemory) + "/" + entry->d_name;
    struct stat status {};
    if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        (status.st_size > 0 || status.st_ctime + kYoungS < time(nullptr)) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        rescue(path, fd, static_cast<size_t>(status.st_size), tells)) {
      unlink((path + kSocketEnding).c_str());
      removeStage(path);
      unlink(path.c_str());
    }
    close(fd);
  }
  closedir(entries);
}

uint32_t possibleRings() {
  struct statfs system {};
  uint64_t bytes = 0;
  if (statfs(kMemory, &system) == 0) bytes = availableBytes(system) / kShare;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<uint64_t>(bytes, limit.rlim_cur);
  }
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<uint64_t>(bytes, limit.rlim_cur / kShare);
  }
  if (bytes < event_rings::kHeadBytes) return 0;
  const uint64_t rings = (bytes - event_rings::kHeadBytes) / event_rings::kRingBytes;
  return static_cast<uint32_t>(std::min<uint64_t>(rings, event_rings::kMostRings));
}

// The caller of the recorder may wait until a descriptor is closed everywhere, so the writer must not keep it open.
void closeAllBut(const std::set<int>& kept) {
  DIR* entries = opendir("/proc/self/fd");
  if (entries == nullptr) return;
  std::set<int> others;
  while (const dirent* entry = readdir(entries)) {
    const int fd = atoi(entry->d_name);
    if (fd > STDERR_FILENO && fd != dirfd(entries) && kept.count(fd) == 0) others.insert(fd);
  }
  closedir(entries);
  for (const int fd : others) close(fd);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, fd);
  if (null > STDERR_FILENO) close(null);
}

// A stopped writer keeps the program waiting. It is continued after a second, unless somebody has continued it before.
void* letGoOnWhenStopped(void* argument) {
  const auto writer = static_cast<pid_t>(reinterpret_cast<intptr_t>(argument));
  for (siginfo_t info{}; waitid(P_PID, static_cast<id_t>(writer), &info, WSTOPPED | WEXITED | WNOWAIT) == 0;) {
    if (info.si_code != CLD_STOPPED) break;  // it has ended, which finish() sees
    waitid(P_PID, static_cast<id_t>(writer), &info, WSTOPPED | WNOHANG);
    sleep(1);
    kill(writer, SIGCONT);
  }
  return nullptr;
}

// Moves a descriptor above the standard ones. Those may be closed in the recorder, must stay closed for the program, and are replaced
// in the writer.
int raised(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(fd);
  return high;
}

}  // namespace

std::string TransportWriter::make(const std::string& trace, bool drops, bool tells) {
  removeAbandoned(tells);
  const uint32_t count = mode_.isShared() ? possibleRings() : 0;
  if (mode_.isShared() && count < kLeastRings) {
    return fail("a quarter of the free memory in " + std::string(kMemory) + ", or a limit (ulimit -f or -v), is too little for "
                "rings; free some, or choose another transport");
  }
  struct stat ownSpace {}, clocks {}, directory {}, file {};
  if (stat("/proc/self/ns/pid", &ownSpace) != 0 || stat(trace.c_str(), &directory) != 0) return fail(strerror(errno));
  path_ = std::string(kMemory) + "/" + beginningOfName() + std::to_string(getpid()) + "-" + randomRun().substr(0, 16);
  fd_ = raised(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (fd_ < 0) return fail(path_ + ": " + strerror(errno));
  bytes_ = event_rings::blocksOffset(count);
  void* memory = MAP_FAILED;
  int error = flock(fd_, LOCK_EX | LOCK_NB) != 0 || ftruncate(fd_, static_cast<off_t>(bytes_)) != 0 ? errno : 0;
  if (error == 0) error = -sys::fallocate(fd_, 0, event_rings::kHeadBytes);
  if (error == 0 && fstat(fd_, &file) != 0) error = errno;
  if (error == 0) memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (memory == MAP_FAILED) return fail(path_ + ": " + strerror(error != 0 ? error : errno));
  memory_ = static_cast<char*>(memory);
  auto* control = reinterpret_cast<event_rings::Control*>(memory_);
  control->version = event_rings::kVersion;
  control->ringCount = count;
  control->drops = drops ? 1 : 0;
  control->patienceMs = kPatienceMs;
  control->inode = file.st_ino;
  control->directoryDevice = directory.st_dev;
  control->directoryInode = directory.st_ino;
  control->pidNamespace = ownSpace.st_ino;
  control->timeNamespace = stat("/proc/self/ns/time", &clocks) == 0 ? clocks.st_ino : 0;
  control->magic = event_rings::kMagic;
  const std::string stage = path_ + definitions_stage::kEnding;
  if (mode_.isShared() && (mkdir(stage.c_str(), 0700) != 0 ||
                           symlink(std::filesystem::absolute(trace).c_str(), (stage + kTraceLink).c_str()) != 0)) {
    return fail(stage + ": " + strerror(errno));
  }
  return mode_.isShared() ? "" : mode_.kind == TransportMode::Kind::kSent ? makeSocket() : makeListener();
}

std::string TransportWriter::makeSocket() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = path_ + kSocketEnding;
  if (path.size() > kMostSocketPath) return fail(path + ": " + strerror(ENAMETOOLONG));
  memcpy(address.sun_path, path.c_str(), path.size());
  socket_ = raised(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      chmod(path.c_str(), 0600) != 0) {
    return fail(path + ": " + strerror(errno));
  }
  return "";
}

std::string TransportWriter::makeListener() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* general = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  auto* control = reinterpret_cast<event_rings::Control*>(memory_);
  constexpr int kMostWaiting = 1024;
  socket_ = raised(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket_ < 0 || bind(socket_, general, sizeof address) != 0 || listen(socket_, kMostWaiting) != 0 ||
      getsockname(socket_, general, &size) != 0 ||
      getrandom(control->secret, sizeof control->secret, 0) != sizeof control->secret) {
    return fail("no port of 127.0.0.1 can be opened: " + std::string(strerror(errno)) + "; choose another transport");
  }
  control->port = ntohs(address.sin_port);
  return "";
}

std::unique_ptr<EventWriter> TransportWriter::writer() const {
  if (mode_.isShared()) return std::make_unique<RingWriter>(memory_, path_, directory_);
  auto* control = reinterpret_cast<event_rings::Control*>(memory_);
  if (control->port != 0) return std::make_unique<Collector>(control, directory_, socket_);
  return std::make_unique<MessageWriter>(control, directory_, socket_);
}

// The file of the rings is removed last: the next run finds the other files by it after a kill.
void TransportWriter::removeFiles() const {
  if (mode_.kind == TransportMode::Kind::kSent) unlink((path_ + kSocketEnding).c_str());
  if (mode_.isShared()) removeStage(path_);
  unlink(path_.c_str());
}

std::string usualTransport(const std::string& directory) {
  // The types of network file systems, and of those that a process serves (FUSE), as statfs(2) gives them.
  constexpr uint32_t kServed[] = {
      0x6969 /* NFS */,         0xFF534D42 /* CIFS */,     0xFE534D42 /* SMB 2 */, 0x517B /* SMB */,
      0x65735546 /* FUSE */,    0x0BD00BD0 /* Lustre */,   0x47504653 /* GPFS */,  0x19830326 /* BeeGFS */,
      0x00C36400 /* Ceph */,    0x01021997 /* 9P */,       0x5346414F /* AFS */,   0xAAD7AAEA /* PanFS */,
      0x7461636F /* OCFS2 */,   0x01161970 /* GFS2 */,     0x786F4256 /* VirtualBox */,
  };
  struct statfs system {};
  if (statfs(directory.c_str(), &system) != 0) return "mapped";
  const auto type = static_cast<uint32_t>(system.f_type);
  return std::find(std::begin(kServed), std::end(kServed), type) != std::end(kServed) ? "shared" : "mapped";
}

std::string TransportWriter::start(const std::string& transport, bool drops, bool tells, Environment* environment) {
  parseTransport(transport, &mode_);
  if (!mode_.hasWriter()) return "";
  name_ = transport;
  if (const std::string problem = make(environment->traceDirectory, drops, tells); !problem.empty()) return problem;
  if (const int error = directory_.open(environment->traceDirectory.c_str())) {
    return environment->traceDirectory + ": " + strerror(-error);
  }
  limitSpace(directory_, *environment, reinterpret_cast<event_rings::Control*>(memory_));
  if (const int error = begin()) {
    return fail("the writer cannot be started: " + std::string(strerror(error)) + "; choose another transport");
  }
  environment->settings.emplace_back("PARALLAX_RINGS", path_);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;  // ends with the writer, or with this process
  if (pthread_create(&thread, nullptr, letGoOnWhenStopped, reinterpret_cast<void*>(static_cast<intptr_t>(writer_))) == 0) {
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return "";
}

// Returns 0 or an errno.
int TransportWriter::begin() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  ends[1] = raised(ends[1]);
  const pid_t recorder = getpid();
  writer_ = fork();
  if (writer_ == 0) become(recorder, ends[1]);
  int error = writer_ < 0 ? errno : 0;
  // Only the collector may hold the socket: if it ends, connections are refused at once.
  if (mode_.kind == TransportMode::Kind::kCollected) close(socket_);
  close(ends[1]);
  if (error == 0 && read(ends[0], &error, sizeof error) != sizeof error) error = ECHILD;
  close(ends[0]);
  return error;
}

// Never returns. The writer has a process group of its own, because Ctrl-C in the terminal is meant for the program.
void TransportWriter::become(pid_t recorder, int ready) {
  setpgid(0, 0);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ}) {
    ::signal(signal, SIG_IGN);
  }
  // Each file kept open saves a flush (record_event_files.h).
  if (rlimit files{}; getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, std::max<rlim_t>(files.rlim_cur, kMostDescriptors));
    setrlimit(RLIMIT_NOFILE, &files);
  }
  closeAllBut({fd_, directory_.descriptor(), socket_, ready});
  const auto tell = [ready](int error) {
    return write(ready, &error, sizeof error) == sizeof error && close(ready) == 0;
  };
  const int error = writer()->run(recorder, [&] {
    tell(0);
    prctl(PR_SET_NAME, "parallax-writer");
  });
  if (error != 0) tell(error);
  removeFiles();
  _exit(error);
}

std::string TransportWriter::finish(const Options& options) {
  if (writer_ <= 0) return "";
  auto* control = reinterpret_cast<event_rings::Control*>(memory_);
  control->finish.store(1, std::memory_order_seq_cst);
  control->bell.fetch_add(1, std::memory_order_seq_cst);
  sys::call(SYS_futex, sys::word(&control->bell), FUTEX_WAKE, 1);
  int status = 0;
  std::string text;
  bool isSecond = false;
  const int signalsBefore = endSignalsAfterCommand();
  int looks = 0;  // after a request to end; a writer that is about to end gets some time
  while (control->finished.load(std::memory_order_acquire) == 0) {
    const pid_t ended = waitpid(writer_, &status, WNOHANG | WUNTRACED);
    if (ended == writer_ && WIFSTOPPED(status)) {
      kill(writer_, SIGCONT);
    } else if (ended != 0 && control->finished.load(std::memory_order_acquire) == 0) {
      const int end = ended == writer_ && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      text = fail("the writer of --transport " + name_ + " was ended" + (end != 0 ? " by signal " + std::to_string(end) : "") +
                  "; events that it had not written were written now, and meanwhile processes wrote their events by "
                  "themselves");
      // A second writer goes on, also for processes that still run.
      if (mode_.isShared() && !isSecond && begin() == 0) {
        isSecond = true;
        continue;
      }
      const auto last = writer();
      last->writeAll();
      if (last->mayEnd()) removeFiles();  // otherwise the next run removes them
      break;
    }
    if (endSignalsAfterCommand() != signalsBefore && ++looks > kMostLooks) {
      isLeft_ = true;
      return fail("the writer of --transport " + name_ + " was not waited for any longer; process " + std::to_string(writer_) +
                  " goes on writing, and the trace is complete when it has ended");
    }
    const timespec most{0, 20'000'000};
    sys::call(SYS_futex, sys::word(&control->finished), FUTEX_WAIT, 0, sys::word(&most));
  }
  const auto reasonText = [&](uint32_t reason) -> std::string {
    const int error = static_cast<int>(reason);
    return error < kDiskReserved ? strerror(error) : causeText(lossCause(-error), options);
  };
  if (const uint64_t events = control->failedEvents.load()) {
    text += text.empty() ? "" : "; ";
    text += fail(countText(events, "event") + " could not be written by the writer: " + reasonText(control->failure.load()));
  }
  if (const uint32_t processes = control->failedDefinitions.load()) {
    text += text.empty() ? "" : "; ";
    text += fail("the definitions of " + countText(processes, "process", "es") + " could not be written by the writer: " +
                 reasonText(control->definitionsFailure.load()));
  }
  return text;
}

TransportWriter::~TransportWriter() {
  if (writer_ <= 0 && !path_.empty()) removeFiles();
}

}  // namespace parallax::record
