#include "format/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace parallax::format {
namespace {

std::string failure(const char* action, const std::string& path) {
  return std::string("cannot ") + action + " " + path + ": " + strerror(errno);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

bool parseNumber(std::string_view text, uint32_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

// Splits "HOST.PID.SEQ.def" or "HOST.PID.SEQ.THREAD.evt".
bool parseName(std::string_view name, ProcessFiles* process, bool* isEvents, uint32_t* thread) {
  const size_t lastDot = name.rfind('.');
  if (lastDot == std::string_view::npos) return false;
  const std::string_view extension = name.substr(lastDot + 1);
  *isEvents = extension == "evt";
  if (!*isEvents && extension != "def") return false;
  std::string_view rest = name.substr(0, lastDot);
  uint32_t numbers[3] = {};
  for (int i = *isEvents ? 2 : 1; i >= 0; i--) {
    const size_t dot = rest.rfind('.');
    if (dot == std::string_view::npos || !parseNumber(rest.substr(dot + 1), &numbers[i])) {
      return false;
    }
    if (i == 2) {
      *thread = numbers[2];
    } else if (i == 1) {
      process->name = rest;
    }
    rest = rest.substr(0, dot);
  }
  process->host = rest;
  process->pid = numbers[0];
  process->seq = numbers[1];
  return !rest.empty();
}

std::string readManifest(const std::string& path, TraceFiles* files) {
  MappedFile file;
  std::string error = file.open(path);
  if (!error.empty()) return error + " (is this a trace directory?)";
  std::string_view text(file.data(), file.size());
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    files->manifest.emplace_back(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
  }
  if (files->manifest.empty() || files->manifest[0].first != "parallax-trace") {
    return path + " is not a trace: its first line is not parallax-trace";
  }
  uint32_t version = 0;
  if (!parseNumber(files->manifest[0].second, &version) || version == 0 || version > kVersion) {
    return path + " has trace format " + files->manifest[0].second +
           ", but this program reads format 1: use the version of Parallax that recorded it";
  }
  return {};
}

// Settings are among the first records.
constexpr size_t kMostSettings = 256;

struct TransportReader {
  bool isAsync = false;
  void operator()(const SettingRecord& setting) {
    if (setting.key == "transport") isAsync = setting.value.substr(0, 6) == "async:";
  }
  template <class Other>
  void operator()(const Other&) {}
};

// What the definitions have of events. Files that cannot be read are for others to complain of.
void addFirstBlocks(ProcessFiles* process) {
  DefinitionsFile definitions;
  if (process->definitions.empty() || !definitions.open(process->definitions).empty()) return;
  std::map<uint32_t, ThreadFile> first;
  definitions.forEachEvents([&](size_t at, size_t size) {
    const uint32_t thread = definitions.blockAt(at).thread;
    first.try_emplace(thread, ThreadFile{thread, {}, process->definitions, at, size});
  });
  for (ThreadFile& thread : process->threads) {
    const auto found = first.find(thread.thread);
    if (found == first.end()) continue;
    found->second.path = thread.path;
    thread = found->second;
    first.erase(found);
  }
  for (auto& [number, thread] : first) process->threads.push_back(std::move(thread));
  TransportReader transport;
  definitions.forEachOfFirst(transport, kMostSettings);
  for (ThreadFile& thread : process->threads) thread.isInParts = transport.isAsync;
}

}  // namespace

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    close();
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  return *this;
}

MappedFile::~MappedFile() { close(); }

void MappedFile::close() {
  if (size_ > 0) munmap(const_cast<char*>(data_), size_);
  data_ = nullptr;
  size_ = 0;
}

std::string MappedFile::open(const std::string& path) {
  close();
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure("open", path);
  struct stat status;
  std::string error;
  if (fstat(descriptor, &status) != 0) {
    error = failure("read", path);
  } else if (!S_ISREG(status.st_mode)) {
    error = path + " is not a regular file";
  } else if (status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    void* map = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (map == MAP_FAILED) {
      error = failure("map", path);
    } else {
      data_ = static_cast<const char*>(map);
      size_ = size;
    }
  }
  ::close(descriptor);
  return error;
}

std::string_view TraceFiles::property(std::string_view key) const {
  for (const auto& [name, value] : manifest) {
    if (name == key) return value;
  }
  return {};
}

std::string findTraceFiles(const std::string& directory, TraceFiles* files) {
  *files = TraceFiles{};
  std::string error = readManifest(directory + "/manifest", files);
  if (!error.empty()) return error;
  DIR* listing = opendir(directory.c_str());
  if (listing == nullptr) return failure("list", directory);
  std::map<std::tuple<std::string, uint32_t, uint32_t>, ProcessFiles> processes;
  while (const dirent* entry = readdir(listing)) {
    const std::string name = entry->d_name;
    if (name == "symbols") files->hasSymbols = true;
    ProcessFiles parsed;
    bool isEvents = false;
    uint32_t thread = 0;
    if (!parseName(name, &parsed, &isEvents, &thread)) continue;
    ProcessFiles& process =
        processes.try_emplace({parsed.host, parsed.pid, parsed.seq}, parsed).first->second;
    const std::string path = directory + "/" + name;
    if (isEvents) {
      process.threads.push_back({thread, path, {}, 0, 0});
    } else {
      process.definitions = path;
    }
  }
  closedir(listing);
  for (auto& [key, process] : processes) {
    addFirstBlocks(&process);
    std::sort(process.threads.begin(), process.threads.end(),
              [](const ThreadFile& a, const ThreadFile& b) { return a.thread < b.thread; });
    files->processes.push_back(std::move(process));
  }
  return {};
}

std::string EventFile::open(const std::string& path) {
  std::string error = file_.open(path);
  const auto* first = reinterpret_cast<const BlockHeader*>(file_.data());
  const bool hasHeader = file_.size() >= sizeof(BlockHeader) && first->magic == kBlockMagic;
  skippedBytes_ = hasHeader ? first->keptFrom * kBlockBytes : 0;
  if (skippedBytes_ >= file_.size()) skippedBytes_ = 0;
  return error;
}

std::string EventFile::open(const ThreadFile& thread) {
  firstAt_ = thread.firstAt;
  firstBytes_ = thread.firstBytes;
  isInParts_ = thread.isInParts;
  std::string error = thread.path.empty() ? std::string() : open(thread.path);
  if (error.empty() && firstBytes_ > 0) error = definitions_.open(thread.definitions);
  if (firstAt_ + firstBytes_ > definitions_.size()) firstBytes_ = 0;  // it has shrunk
  if (skippedBytes_ > 0) firstBytes_ = 0;                             // it is not kept
  return error;
}

BlockView EventFile::block(size_t i) const {
  BlockView view;
  const bool elsewhere = firstBytes_ > 0 && i == 0;
  const size_t start = elsewhere ? firstAt_ : skippedBytes_ + (i - (firstBytes_ > 0 ? 1 : 0)) * kBlockBytes;
  if (!elsewhere && start >= file_.size()) return view;
  const size_t size = elsewhere ? firstBytes_ : std::min(file_.size() - start, kBlockBytes);
  const char* p = (elsewhere ? definitions_ : file_).data() + start;
  uint32_t magic = 0;
  memcpy(&magic, p, std::min(size, sizeof magic));
  if (magic == 0) {
    uint64_t slot = 0;
    if (size >= sizeof(BlockHeader) + sizeof slot) memcpy(&slot, p + sizeof(BlockHeader), sizeof slot);
    if (slot != 0 && isInParts_) view.state = BlockState::kUnfinished;
    return view;
  }
  if (size < sizeof(BlockHeader)) {
    view.state = magic == kBlockMagic ? BlockState::kDamaged : BlockState::kForeign;
    return view;
  }
  view.header = reinterpret_cast<const BlockHeader*>(p);
  if (magic != kBlockMagic || view.header->version != kVersion) {
    view.header = nullptr;
    view.state = BlockState::kForeign;
    return view;
  }
  view.slots = reinterpret_cast<const uint64_t*>(view.header + 1);
  const auto capacity = static_cast<uint32_t>((size - sizeof(BlockHeader)) / sizeof(uint64_t));
  if ((__atomic_load_n(&view.header->flags, __ATOMIC_ACQUIRE) & kBlockClosed) != 0) {
    const bool isInFile = view.header->used <= capacity;
    const bool sound = isInFile && blockChecksum(*view.header, view.slots) == view.header->crc;
    view.state = sound ? BlockState::kClosed : BlockState::kDamaged;
    if (sound) view.used = view.header->used;
    if (sound || !isInFile) return view;
    uint32_t before = 0;
    while (before < view.header->used && view.slots[before] != 0) before++;
    if (before == view.header->used) return view;
    view.state = BlockState::kTorn;
    view.used = before;
    return view;
  }
  view.state = BlockState::kOpen;
  while (view.used < capacity && view.slots[view.used] != 0) view.used++;
  return view;
}

bool BlockReader::next(Event* event) {
  while (at_ < view_.used) {
    const uint64_t slot = view_.slots[at_++];
    if (isPayload(slot)) continue;  // without its event: only in a faulty trace
    event->kind = kindOf(slot);
    event->operand = operandOf(slot);
    event->ticks = view_.header->baseTicks + ticksOf(slot);
    event->slots = view_.slots + at_;
    while (at_ < view_.used && isPayload(view_.slots[at_])) at_++;
    event->payloadCount = static_cast<uint32_t>(view_.slots + at_ - event->slots);
    const bool escaped = event->operand == kOperandEscape;
    if (event->payloadCount < payloadSlotsOf(event->kind) + (escaped ? 1 : 0)) continue;
    if (escaped) {
      event->operand = payloadOf(*event->slots++);
      event->payloadCount--;
    }
    return true;
  }
  return false;
}

bool EventReader::next(Event* event) {
  while (!block_.next(event)) {
    if (nextBlock_ >= file_.blockCount()) return false;
    const BlockView view = file_.block(nextBlock_++);
    if (view.state == BlockState::kForeign || view.state == BlockState::kUnfinished) {
      nextBlock_ = file_.blockCount();
      return false;
    }
    block_ = BlockReader(view);
  }
  return true;
}

std::string DefinitionsFile::open(const std::string& path) {
  std::string error = file_.open(path);
  if (!error.empty()) return error;
  if (file_.size() < 16 || memcmp(file_.data(), kDefinitionsMagic, sizeof kDefinitionsMagic) != 0) {
    return path + " is not a definitions file of a trace";
  }
  uint32_t rest[2];
  memcpy(rest, file_.data() + sizeof kDefinitionsMagic, sizeof rest);
  if (rest[0] != kVersion || rest[1] != kByteOrderMark) {
    return path + " has format " + std::to_string(rest[0]) + ", but this program reads format 1";
  }
  return {};
}

}  // namespace parallax::format
