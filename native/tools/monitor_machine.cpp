#include "tools/monitor_machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

namespace parallax::monitor {
namespace {

constexpr double kSectorBytes = 512;  // of /proc/diskstats, whatever the disk's own is
constexpr double kKilobyte = 1024;
constexpr double kMillisecond = 1e-3;

constexpr const char* kPaths[] = {"/proc/loadavg", "/proc/stat",      "/proc/meminfo",
                                  "/proc/vmstat",  "/proc/diskstats", "/proc/net/dev"};

// What stands in a file as `name number` or `name: number kB`.
struct Number {
  std::string_view name;
  const char* metric;
  double unit;
};
constexpr Number kNumbers[] = {
    {"ctxt", "context-switches", 1},
    {"intr", "interrupts", 1},
    {"procs_running", "processes-running", 1},
    {"procs_blocked", "processes-blocked", 1},
    {"Dirty:", "memory-dirty", kKilobyte},
    {"pgfault", "page-faults", 1},
    {"pgmajfault", "major-page-faults", 1},
    {"pgpgin", "paged-in", kKilobyte},
    {"pgpgout", "paged-out", kKilobyte},
    {"pswpin", "pages-swapped-in", 1},
    {"pswpout", "pages-swapped-out", 1},
};

// Takes the first line off.
bool nextLine(std::string_view* text, std::string_view* line) {
  if (text->empty()) return false;
  const size_t end = text->find('\n');
  *line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return true;
}

std::string_view nextWord(std::string_view* line) {
  const size_t begin = line->find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    *line = {};
    return {};
  }
  const size_t end = line->find_first_of(" \t", begin);
  const std::string_view word = line->substr(begin, end - begin);
  line->remove_prefix(end == std::string_view::npos ? line->size() : end);
  return word;
}

double nextNumber(std::string_view* line) {
  char word[40] = "";
  const std::string_view found = nextWord(line);
  if (found.empty() || found.size() >= sizeof word) return NAN;
  memcpy(word, found.data(), found.size());
  char* end;
  const double value = strtod(word, &end);
  return end == word ? NAN : value;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Whether a directory has an entry whose name begins so.
bool has(const std::string& directory, const char* prefix) {
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return false;
  bool found = false;
  while (const dirent* entry = readdir(entries)) {
    found = found || (entry->d_name[0] != '.' &&
                      strncmp(entry->d_name, prefix, strlen(prefix)) == 0);
  }
  closedir(entries);
  return found;
}

}  // namespace

const std::vector<Machine::Metric>& Machine::metrics() {
  static const std::vector<Metric> all = {
      {"load", PARALLAX_GAUGE, ""},  // over a minute
      // Of all processors together. The kernel counts in ticks of 10 ms.
      {"cpu-user", PARALLAX_COUNTER, "s"},
      {"cpu-system", PARALLAX_COUNTER, "s"},
      {"cpu-idle", PARALLAX_COUNTER, "s"},
      {"cpu-iowait", PARALLAX_COUNTER, "s"},
      {"cpu-steal", PARALLAX_COUNTER, "s"},
      {"context-switches", PARALLAX_COUNTER, ""},
      {"interrupts", PARALLAX_COUNTER, ""},
      {"processes-running", PARALLAX_GAUGE, ""},  // threads, in truth, and this one among them
      {"processes-blocked", PARALLAX_GAUGE, ""},
      {"memory-used", PARALLAX_GAUGE, "bytes"},
      {"memory-dirty", PARALLAX_GAUGE, "bytes"},
      {"page-faults", PARALLAX_COUNTER, ""},
      {"major-page-faults", PARALLAX_COUNTER, ""},
      {"paged-in", PARALLAX_COUNTER, "bytes"},
      {"paged-out", PARALLAX_COUNTER, "bytes"},
      {"pages-swapped-in", PARALLAX_COUNTER, ""},
      {"pages-swapped-out", PARALLAX_COUNTER, ""},
      {"disk-reads", PARALLAX_COUNTER, ""},
      {"disk-writes", PARALLAX_COUNTER, ""},
      {"disk-read", PARALLAX_COUNTER, "bytes"},
      {"disk-written", PARALLAX_COUNTER, "bytes"},
      {"disk-busy", PARALLAX_COUNTER, "s"},
      {"network-received", PARALLAX_COUNTER, "bytes"},
      {"network-sent", PARALLAX_COUNTER, "bytes"},
  };
  return all;
}

Machine::Machine(const std::string& root)
    : root_(root), buffer_(1 << 14), values_(metrics().size(), NAN) {
  for (int file = 0; file < kFiles; file++) {
    files_[file] = open((root + kPaths[file]).c_str(), O_RDONLY | O_CLOEXEC);
  }
}

Machine::~Machine() {
  for (const int file : files_) {
    if (file >= 0) close(file);
  }
}

const std::vector<double>& Machine::read() {
  const std::vector<double> before = values_;
  values_.assign(values_.size(), NAN);
  std::string_view load = text(kLoad);
  set("load", nextNumber(&load));
  const std::string_view stat = text(kStat);
  readProcessors(stat);
  readNumbers(stat);
  const std::string_view memory = text(kMemory);
  readNumbers(memory);
  double total = NAN, available = NAN;
  std::string_view rest = memory, line;
  while (nextLine(&rest, &line)) {
    const std::string_view name = nextWord(&line);
    if (name == "MemTotal:") total = nextNumber(&line);
    if (name == "MemAvailable:") available = nextNumber(&line);
  }
  set("memory-used", (total - available) * kKilobyte);
  readNumbers(text(kPaging));
  readDisks(text(kDisks));
  readNetwork(text(kNetwork));
  for (size_t i = 0; i < values_.size(); i++) {
    if (metrics()[i].kind == PARALLAX_COUNTER) values_[i] = std::fmax(values_[i], before[i]);
  }
  return values_;
}

// Valid until the next call.
std::string_view Machine::text(File file) {
  if (files_[file] < 0) return {};
  size_t size = 0;
  for (;;) {
    if (size == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const ssize_t got = pread(files_[file], buffer_.data() + size, buffer_.size() - size,
                              static_cast<off_t>(size));
    if (got <= 0) return got < 0 ? std::string_view() : std::string_view(buffer_.data(), size);
    size += static_cast<size_t>(got);
  }
}

void Machine::set(const char* name, double value) {
  for (size_t i = 0; i < values_.size(); i++) {
    if (strcmp(metrics()[i].name, name) == 0) values_[i] = value;
  }
}

// The first line is of all processors: user nice system idle iowait irq softirq steal.
void Machine::readProcessors(std::string_view text) {
  std::string_view line;
  if (!nextLine(&text, &line) || nextWord(&line) != "cpu") return;
  const double tick = 1 / static_cast<double>(sysconf(_SC_CLK_TCK));
  double times[8];
  for (double& time : times) time = nextNumber(&line) * tick;
  set("cpu-user", times[0] + times[1]);
  set("cpu-system", times[2] + times[5] + times[6]);
  set("cpu-idle", times[3]);
  set("cpu-iowait", times[4]);
  set("cpu-steal", times[7]);
}

void Machine::readNumbers(std::string_view text) {
  std::string_view line;
  while (nextLine(&text, &line)) {
    const std::string_view name = nextWord(&line);
    for (const Number& number : kNumbers) {
      if (name == number.name) set(number.metric, nextNumber(&line) * number.unit);
    }
  }
}

void Machine::readDisks(std::string_view text) {
  if (text.empty()) return;
  double sums[11] = {};
  std::string_view line;
  while (nextLine(&text, &line)) {
    nextWord(&line);
    nextWord(&line);
    const std::string name(nextWord(&line));
    double fields[11];
    for (double& field : fields) field = nextNumber(&line);
    if (std::isnan(fields[10]) || !isWholeDisk(name)) continue;
    for (int i = 0; i < 11; i++) sums[i] += fields[i];
  }
  set("disk-reads", sums[0]);
  set("disk-read", sums[2] * kSectorBytes);
  set("disk-writes", sums[4]);
  set("disk-written", sums[6] * kSectorBytes);
  set("disk-busy", sums[9] * kMillisecond);
}

// Neither a partition nor made of other disks nor in memory.
bool Machine::isWholeDisk(const std::string& name) {
  const auto known = disks_.find(name);
  if (known != disks_.end()) return known->second;
  const std::string path = root_ + "/sys/block/" + name;
  const bool whole = exists(path) && !has(path + "/slaves", "") && name.compare(0, 4, "loop") != 0 &&
                     name.compare(0, 3, "ram") != 0 && name.compare(0, 4, "zram") != 0;
  return disks_[name] = whole;
}

void Machine::readNetwork(std::string_view text) {
  if (text.empty()) return;
  double received = 0, sent = 0;
  std::string_view line;
  while (nextLine(&text, &line)) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;  // headings
    std::string_view before = line.substr(0, colon);
    const std::string name(nextWord(&before));
    line.remove_prefix(colon + 1);
    double fields[9];
    for (double& field : fields) field = nextNumber(&line);
    if (std::isnan(fields[8]) || !isOwnInterface(name)) continue;
    received += fields[0];
    sent += fields[8];
  }
  set("network-received", received);
  set("network-sent", sent);
}

// Neither the loopback nor standing on other interfaces, as bridges and bonds do.
bool Machine::isOwnInterface(const std::string& name) {
  const auto known = interfaces_.find(name);
  if (known != interfaces_.end()) return known->second;
  return interfaces_[name] = name != "lo" && !has(root_ + "/sys/class/net/" + name, "lower_");
}

}  // namespace parallax::monitor
