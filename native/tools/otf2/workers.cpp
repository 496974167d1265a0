#include "tools/otf2/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>

#include "tools/otf2/location_import.h"

namespace parallax::otf2 {
namespace {

constexpr uint64_t kChunk = 4096;           // records of one call of the library
constexpr size_t kMostOpenLocations = 256;  // of one process, whose files are open at once
constexpr unsigned kMostWorkers = 64;
constexpr size_t kErrorBytes = 512;
constexpr char kAttributeLine = 1;  // begins the counts of an attribute among the warnings of a process
constexpr const char* kCrash = "the OTF2 library crashed or hung there";

struct Worker {
  std::atomic<uint32_t> process;  // at which it works
  std::atomic<uint32_t> location;
  std::atomic<uint64_t> read;     // records of the location
  std::atomic<uint64_t> beats;    // changes with any progress
  uint32_t first;                 // the process with which it begins, or kNext
};
constexpr uint32_t kNext = UINT32_MAX;

// In memory that all workers share. The limits of locations follow.
struct Shared {
  std::atomic<uint32_t> next;
  std::atomic<uint64_t> records;
  std::atomic_flag lock;
  Counts counts;
  uint64_t firstTicks, lastTicks;
  int64_t exitStatus;
  char error[kErrorBytes];
  Worker workers[kMostWorkers];
  uint64_t limits[];  // records to read of each location
};

int64_t cpuSeconds(pid_t process) {
  clockid_t clock;
  timespec time{};
  return clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0 ? time.tv_sec : 0;
}

void lock(Shared* shared) {
  while (shared->lock.test_and_set(std::memory_order_acquire)) usleep(50);
}
void unlock(Shared* shared) { shared->lock.clear(std::memory_order_release); }

std::string libraryMessage;

OTF2_ErrorCode onError(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                       va_list arguments) {
  char text[256];
  vsnprintf(text, sizeof text, format, arguments);
  libraryMessage = std::string(OTF2_Error_GetDescription(code)) + (text[0] != 0 ? ": " : "") + text;
  return code;
}

// What a worker does with one process of the trace.
class ProcessReader {
 public:
  ProcessReader(OTF2_Reader* reader, const Archive& archive, const Target& target, Shared* shared, Worker* worker,
                const std::vector<size_t>& firstLocation)
      : reader_(reader), archive_(archive), target_(target), shared_(shared), worker_(worker),
        firstLocation_(firstLocation), callbacks_(LocationImport::callbacks(!archive.attributes.empty())) {}
  ~ProcessReader() { OTF2_EvtReaderCallbacks_Delete(callbacks_); }

  void read(uint32_t index) {
    const ProcessDefinition& definition = archive_.processes[index];
    ProcessImport process(archive_, definition, target_, index + 1);
    const size_t count = definition.locations.size();
    std::vector<Open> open(count);
    // A thread's first record tells whom its creator created: all of them are read before the others.
    const bool atOnce = count > 1 && count <= kMostOpenLocations;
    if (atOnce) {
      for (uint32_t i = 0; i < count; i++) {
        begin(&process, index, i, &open[i]);
        readRecords(&process, index, i, &open[i], 1);
      }
    }
    std::string error;
    for (uint32_t i = 0; i < count; i++) {
      if (!atOnce) begin(&process, index, i, &open[i]);
      readRecords(&process, index, i, &open[i], UINT64_MAX);
      const std::string failure = end(&process, index, i, &open[i]);
      if (error.empty()) error = failure;
    }
    if (error.empty()) error = process.writeDefinitions();
    publish(process, error);
  }

 private:
  struct Open {
    OTF2_EvtReader* events = nullptr;
    std::unique_ptr<LocationImport> location;
    uint64_t read = 0;
    bool isAtEnd = false;
    std::string damage;
  };

  std::string fileOf(const LocationDefinition& location) const {
    return "traces/" + std::to_string(location.ref) + ".evt";
  }

  void begin(ProcessImport* process, uint32_t index, uint32_t thread, Open* open) {
    const LocationDefinition& location = process->definition.locations[thread];
    worker_->location = thread;
    worker_->read = 0;
    libraryMessage.clear();
    open->location = std::make_unique<LocationImport>(process, thread);
    if (shared_->limits[firstLocation_[index] + thread] == 0) {
      open->isAtEnd = true;
      open->damage = kCrash;
      return;
    }
    // The library maps numbers and corrects times by the local definitions, if there are any.
    if (OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader_, location.ref)) {
      uint64_t read = 0;
      const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(reader_, definitions, &read);
      if (code != OTF2_SUCCESS) {
        process->notes.push_back("the definitions of location " + std::to_string(location.ref) + " (traces/" +
                                 std::to_string(location.ref) + ".def) are damaged after definition " +
                                 std::to_string(read) + ": its records may name wrong regions, and its clock is not "
                                 "corrected");
      }
      OTF2_Reader_CloseDefReader(reader_, definitions);
    }
    libraryMessage.clear();
    open->events = OTF2_Reader_GetEvtReader(reader_, location.ref);
    if (open->events == nullptr) {
      open->isAtEnd = true;
      open->damage = takeLibraryMessage();
      if (open->damage.empty()) open->damage = "the file cannot be opened";
      return;
    }
    OTF2_Reader_RegisterEvtCallbacks(reader_, open->events, callbacks_, open->location.get());
  }

  void readRecords(ProcessImport*, uint32_t index, uint32_t thread, Open* open, uint64_t most) {
    worker_->location = thread;
    worker_->read = open->read;
    const uint64_t limit = shared_->limits[firstLocation_[index] + thread];
    while (!open->isAtEnd && most > 0) {
      uint64_t ask = std::min(most, kChunk);
      if (open->read + ask > limit) ask = limit - open->read;
      if (ask == 0) {
        open->isAtEnd = true;
        open->damage = kCrash;
        break;
      }
      uint64_t read = 0;
      libraryMessage.clear();
      const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(reader_, open->events, ask, &read);
      // After an error, the library does not count what it has delivered.
      const uint64_t delivered = open->location->records() - open->read;
      open->read = open->location->records();
      worker_->read = open->read;
      worker_->beats++;
      shared_->records += delivered;
      if (code != OTF2_SUCCESS) {
        open->isAtEnd = true;
        open->damage = takeLibraryMessage();
        if (open->damage.empty()) open->damage = OTF2_Error_GetDescription(code);
      } else if (read < ask) {
        open->isAtEnd = true;
      }
      if (most != UINT64_MAX) most -= ask;
    }
  }

  std::string end(ProcessImport* process, uint32_t index, uint32_t thread, Open* open) {
    const LocationDefinition& location = process->definition.locations[thread];
    if (open->events != nullptr) OTF2_Reader_CloseEvtReader(reader_, open->events);
    const std::string error = open->location->close();
    const bool isComplete = open->read >= location.events || location.events == OTF2_UNDEFINED_UINT64;
    if (!open->damage.empty() && (!isComplete || location.events > 0)) {
      process->notes.push_back("location " + std::to_string(location.ref) + " (" + fileOf(location) +
                               ") is damaged after record " + std::to_string(open->read) + " of " +
                               std::to_string(location.events) + ": " + open->damage +
                               ". What follows is in no result");
    } else if (!isComplete) {
      process->notes.push_back("location " + std::to_string(location.ref) + " (" + fileOf(location) + ") has " +
                               std::to_string(open->read) + " records, but its definition says " +
                               std::to_string(location.events) + ". What is missing is in no result");
    }
    open->location.reset();
    return error;
  }

  void publish(const ProcessImport& process, const std::string& error) {
    if (!process.notes.empty() || !process.attributes.empty()) {
      std::string text;
      for (const std::string& note : process.notes) text += note + "\n";
      for (const auto& [ref, count] : process.attributes) {
        text += kAttributeLine + std::to_string(ref) + " " + std::to_string(count.read) + " " +
                std::to_string(count.left) + "\n";
      }
      const std::string path = target_.directory + "/.warnings";
      const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      if (file >= 0) {
        if (write(file, text.data(), text.size()) < 0) {}  // they are only told
        close(file);
      }
    }
    lock(shared_);
    shared_->counts.add(process.counts);
    if (process.firstTicks <= process.lastTicks) {
      shared_->firstTicks = std::min(shared_->firstTicks, process.firstTicks);
      shared_->lastTicks = std::max(shared_->lastTicks, process.lastTicks);
    }
    if (shared_->exitStatus == 0) shared_->exitStatus = process.status;
    if (!error.empty() && shared_->error[0] == 0) snprintf(shared_->error, kErrorBytes, "%s", error.c_str());
    unlock(shared_);
  }

  OTF2_Reader* reader_;
  const Archive& archive_;
  const Target& target_;
  Shared* shared_;
  Worker* worker_;
  const std::vector<size_t>& firstLocation_;
  OTF2_EvtReaderCallbacks* callbacks_;
};

}  // namespace

std::string takeLibraryMessage() {
  std::string taken;
  taken.swap(libraryMessage);
  return taken;
}

void catchLibraryMessages() { OTF2_Error_RegisterCallback(onError, nullptr); }

namespace {

class Workers {
 public:
  Workers(OTF2_Reader* reader, const Archive& archive, const Target& target, const WorkerOptions& options)
      : reader_(reader), archive_(archive), target_(target), options_(options) {}

  WorkerResult run() {
    WorkerResult result;
    size_t locations = 0;
    for (const ProcessDefinition& process : archive_.processes) {
      firstLocation_.push_back(locations);
      locations += process.locations.size();
    }
    const size_t bytes = sizeof(Shared) + locations * sizeof(uint64_t);
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      result.error = std::string("there is no memory: ") + strerror(errno);
      return result;
    }
    shared_ = new (memory) Shared();
    shared_->firstTicks = UINT64_MAX;
    for (size_t i = 0; i < locations; i++) shared_->limits[i] = UINT64_MAX;
    for (const ProcessDefinition& process : archive_.processes) {
      for (const LocationDefinition& location : process.locations) OTF2_Reader_SelectLocation(reader_, location.ref);
    }
    OTF2_Reader_OpenDefFiles(reader_);
    OTF2_Reader_OpenEvtFiles(reader_);
    takeLibraryMessage();
    count_ = std::max(1u, std::min({options_.workers, kMostWorkers, static_cast<unsigned>(archive_.processes.size())}));
    unsigned running = 0;
    for (unsigned i = 0; i < count_; i++) running += start(i, kNext) ? 1 : 0;
    if (running == 0) result.error = std::string("a process cannot be started: ") + strerror(errno);
    watch(running, &result);
    result.counts = shared_->counts;
    result.firstTicks = shared_->firstTicks;
    result.lastTicks = shared_->lastTicks;
    result.exitStatus = shared_->exitStatus;
    if (result.error.empty()) result.error = shared_->error;
    munmap(memory, bytes);
    collectWarnings(&result);
    return result;
  }

 private:
  // False if there can be no more process.
  bool start(unsigned number, uint32_t first) {
    Worker& worker = shared_->workers[number];
    worker.first = first;
    const pid_t parent = getpid(), child = fork();
    if (child != 0) {
      children_[number] = std::max(child, 0);
      if (child < 0) return false;
      lastBeats_[number] = worker.beats;
      lastCpuSeconds_[number] = 0;
      lastChange_[number] = std::chrono::steady_clock::now();
      return true;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDERR_FILENO);  // what the library says before it aborts
    ProcessReader reader(reader_, archive_, target_, shared_, &worker, firstLocation_);
    uint32_t process = first == kNext ? shared_->next++ : first;
    while (process < archive_.processes.size() && shared_->error[0] == 0) {
      worker.process = process;
      reader.read(process);
      process = shared_->next++;
    }
    _exit(0);
  }

  void watch(unsigned running, WorkerResult* result) {
    auto lastProgress = std::chrono::steady_clock::now();
    while (running > 0) {
      usleep(2000);
      const auto now = std::chrono::steady_clock::now();
      for (unsigned i = 0; i < count_; i++) {
        if (children_[i] <= 0) continue;
        int status = 0;
        if (waitpid(children_[i], &status, WNOHANG) == children_[i]) {
          children_[i] = 0;
          running--;
          if ((!WIFEXITED(status) || WEXITSTATUS(status) != 0) && replace(i, result)) running++;
          continue;
        }
        const Worker& worker = shared_->workers[i];
        if (worker.beats != lastBeats_[i]) {
          lastBeats_[i] = worker.beats;
          lastChange_[i] = now;
          lastCpuSeconds_[i] = cpuSeconds(children_[i]);
        } else if (now - lastChange_[i] > std::chrono::seconds(options_.stallSeconds) ||
                   (now - lastChange_[i] > std::chrono::seconds(options_.hangSeconds) &&
                    cpuSeconds(children_[i]) - lastCpuSeconds_[i] > options_.hangSeconds)) {
          kill(children_[i], SIGKILL);
        }
      }
      if (options_.progress && now - lastProgress > std::chrono::milliseconds(100)) {
        lastProgress = now;
        options_.progress(shared_->records);
      }
    }
  }

  // The location at which a worker died ends after the last record that was seen to be read. A second death there
  // leaves out the location. Returns false if that does not help.
  bool replace(unsigned number, WorkerResult* result) {
    Worker& worker = shared_->workers[number];
    const ProcessDefinition& process = archive_.processes[worker.process];
    if (++deaths_[worker.process] > 2 * process.locations.size() + 1) {
      result->error = "the OTF2 library cannot read the events of " + process.name;
      return false;
    }
    uint64_t& limit = shared_->limits[firstLocation_[worker.process] + worker.location];
    const uint64_t read = worker.read;
    limit = limit == UINT64_MAX || read < limit ? std::min(limit, read) : 0;
    if (start(number, worker.process)) return true;
    result->error = std::string("a process cannot be started: ") + strerror(errno);
    return false;
  }

  void collectWarnings(WorkerResult* result) const {
    const std::string path = target_.directory + "/.warnings";
    if (FILE* file = fopen(path.c_str(), "re")) {
      char* line = nullptr;
      size_t size = 0;
      ssize_t length;
      while ((length = getline(&line, &size, file)) > 0) {
        unsigned long long ref, read, left;
        if (line[0] == kAttributeLine) {
          if (sscanf(line + 1, "%llu %llu %llu", &ref, &read, &left) != 3) continue;
          ProcessImport::AttributeCount& count = result->attributes[static_cast<OTF2_AttributeRef>(ref)];
          count.read += read, count.left += left;
          continue;
        }
        result->warnings.emplace_back(line, static_cast<size_t>(length) - (line[length - 1] == '\n' ? 1 : 0));
      }
      free(line);
      fclose(file);
      unlink(path.c_str());
    }
  }

  OTF2_Reader* reader_;
  const Archive& archive_;
  const Target& target_;
  const WorkerOptions& options_;
  std::vector<size_t> firstLocation_;
  Shared* shared_ = nullptr;
  unsigned count_ = 0;
  pid_t children_[kMostWorkers] = {};
  uint64_t lastBeats_[kMostWorkers] = {};
  int64_t lastCpuSeconds_[kMostWorkers] = {};
  std::map<uint32_t, uint64_t> deaths_;  // by process
  std::chrono::steady_clock::time_point lastChange_[kMostWorkers];
};

}  // namespace

WorkerResult readEvents(OTF2_Reader* reader, const Archive& archive, const Target& target,
                        const WorkerOptions& options) {
  return Workers(reader, archive, target, options).run();
}

}  // namespace parallax::otf2
