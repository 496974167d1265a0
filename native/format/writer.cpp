#include "format/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>

namespace parallax::format {
namespace {

bool keptInFileName(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
}

// Exact, and free of overflow for rates below 18 GHz.
uint64_t scale(uint64_t ticks, uint64_t tickHz) {
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  return ticks / tickHz * kNsPerSecond + ticks % tickHz * kNsPerSecond / tickHz;
}

// A value runs to the end of its line: what would end it is shown as an escape.
std::string oneLine(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

uint64_t ClockLine::monotonicAt(uint64_t atTicks) const {
  if (atTicks >= ticks) return monotonicNs + scale(atTicks - ticks, tickHz);
  return monotonicNs - scale(ticks - atTicks, tickHz);
}

std::string hostInFileName(std::string_view host) {
  std::string name(host);
  for (char& c : name) {
    if (!keptInFileName(c)) c = '_';
  }
  return name;
}

std::string processFileName(std::string_view host, uint32_t pid, uint32_t seq) {
  return hostInFileName(host) + "." + std::to_string(pid) + "." + std::to_string(seq);
}

std::string replaceFile(const std::string& path, std::string_view text) {
  const std::string partial = path + ".partial";
  OutputFile file;
  file.open(partial);
  file.write(text.data(), text.size());
  file.close();
  std::string error = file.error();
  int code = file.code();
  if (error.empty() && rename(partial.c_str(), path.c_str()) != 0) {
    code = errno;
    error = "cannot replace " + path + ": " + strerror(code);
  }
  if (!error.empty()) {
    unlink(partial.c_str());
    errno = code;
  }
  return error;
}

std::string writeManifest(const std::string& directory, const Manifest& entries) {
  std::string text = "parallax-trace = " + std::to_string(kVersion) + "\n";
  for (const auto& [key, value] : entries) text += key + " = " + oneLine(value) + "\n";
  return replaceFile(directory + "/manifest", text);
}

OutputFile::~OutputFile() { close(); }

void OutputFile::fail(const char* action) {
  if (!error_.empty()) return;
  code_ = errno;
  error_ = std::string("cannot ") + action + " " + path_ + ": " + strerror(code_);
}

void OutputFile::open(const std::string& path) {
  close();
  path_ = path;
  error_.clear();
  unlink(path.c_str());
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor_ < 0) fail("create");
}

void OutputFile::write(const void* data, size_t size) {
  const char* p = static_cast<const char*>(data);
  while (size > 0 && descriptor_ >= 0 && error_.empty()) {
    const ssize_t written = ::write(descriptor_, p, size);
    if (written <= 0) {
      if (written < 0 && errno == EINTR) continue;
      if (written == 0) errno = ENOSPC;
      fail("write");
      return;
    }
    p += written;
    size -= static_cast<size_t>(written);
  }
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  // Some file systems report a full disk only here.
  if (::close(descriptor_) != 0) fail("write");
  descriptor_ = -1;
}

DefinitionsWriter::DefinitionsWriter(const std::string& path) {
  file_.open(path);
  const uint32_t rest[2] = {kVersion, kByteOrderMark};
  pending_.append(kDefinitionsMagic, sizeof kDefinitionsMagic);
  pending_.append(reinterpret_cast<const char*>(rest), sizeof rest);
}

void DefinitionsWriter::addBytes(const void* data, size_t size) {
  pending_.append(static_cast<const char*>(data), size);
  if (pending_.size() >= kBlockBytes) flush();
}

void DefinitionsWriter::addPending(uint32_t size) {
  std::string space(size, '\0');
  memcpy(space.data(), &size, sizeof size);
  addBytes(space.data(), size);
}

void DefinitionsWriter::flush() {
  file_.write(pending_.data(), pending_.size());
  pending_.clear();
}

EventWriter::EventWriter(const std::string& path, uint32_t thread, const ClockLine& clock)
    : block_(new Block), thread_(thread), clock_(clock) {
  file_.open(path);
}

EventWriter::~EventWriter() = default;

void EventWriter::event(Kind kind, uint64_t operand, uint64_t ticks,
                        std::initializer_list<uint64_t> payload) {
  const bool escaped = !fitsOperand(operand);
  const uint32_t needed = 1 + static_cast<uint32_t>(payload.size()) + (escaped ? 1 : 0);
  if (begun_ && (used_ + needed > kBlockSlots || !fitsTime(ticks - block_->header.baseTicks))) {
    endBlock(false);
  }
  if (!begun_) beginBlock(ticks);
  uint64_t* slot = block_->slots + used_;
  *slot++ = eventSlot(kind, escaped ? kOperandEscape : static_cast<uint32_t>(operand),
                      ticks - block_->header.baseTicks);
  if (escaped) *slot++ = payloadSlot(operand);
  for (const uint64_t value : payload) *slot++ = payloadSlot(value);
  used_ += needed;
  eventCount_++;
}

void EventWriter::enter(uint32_t path, uint64_t ticks) {
  event(Kind::kEnter, path, ticks);
  open_.push_back(path);
}

void EventWriter::leave(uint32_t path, uint64_t ticks) {
  event(Kind::kLeave, path, ticks);
  const auto found = std::find(open_.rbegin(), open_.rend(), path);
  if (found != open_.rend()) open_.resize(static_cast<size_t>(open_.rend() - found) - 1);
}

void EventWriter::cpu(uint64_t ticks, uint64_t lostNs) {
  lostNs_ += lostNs;
  event(Kind::kCpu, 0, ticks, {cpuNsAt(ticks), lostNs});
}

uint64_t EventWriter::cpuNsAt(uint64_t ticks) const {
  const uint64_t wallNs = scale(ticks - clock_.ticks, clock_.tickHz);
  return wallNs > lostNs_ ? wallNs - lostNs_ : 0;
}

void EventWriter::lose(uint32_t count) {
  breakBlock();
  lost_ += count;
}

void EventWriter::breakBlock() {
  if (begun_) endBlock(false);
}

void EventWriter::beginBlock(uint64_t ticks) {
  BlockHeader& header = block_->header;
  header = BlockHeader{};
  header.magic = kBlockMagic;
  header.version = kVersion;
  header.thread = thread_;
  header.baseTicks = ticks;
  header.number = number_++;
  header.monotonicNs = clock_.monotonicAt(ticks);
  header.cpuNs = cpuNsAt(ticks);
  header.lost = lost_;
  header.openPath = open_.empty() ? 0 : open_.back();
  lost_ = 0;
  used_ = 0;
  begun_ = true;
}

void EventWriter::endBlock(bool last) {
  closeBlock(&block_->header, used_);
  size_t slots = used_;
  if (!last) {
    memset(block_->slots + used_, 0, (kBlockSlots - used_) * sizeof(uint64_t));
    slots = kBlockSlots;
  }
  file_.write(block_.get(), sizeof(BlockHeader) + slots * sizeof(uint64_t));
  begun_ = false;
}

void EventWriter::close() {
  if (begun_) endBlock(true);
  file_.close();
}

void EventWriter::abandon(uint32_t reservedBlocks) {
  if (begun_) {
    memset(block_->slots + used_, 0, (kBlockSlots - used_) * sizeof(uint64_t));
    file_.write(block_.get(), sizeof(Block));
    begun_ = false;
  }
  addZeros(reservedBlocks);
  file_.close();
}

void EventWriter::missBlocks(uint32_t count) {
  breakBlock();
  addZeros(count);
  number_ += count;
}

void EventWriter::addZeros(uint32_t blocks) {
  memset(static_cast<void*>(block_.get()), 0, sizeof(Block));
  for (uint32_t i = 0; i < blocks; i++) file_.write(block_.get(), sizeof(Block));
}

}  // namespace parallax::format
