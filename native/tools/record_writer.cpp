#include "tools/record_writer.h"

#include <errno.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/sys.h"
#include "core/clock.h"
#include "format/definitions.h"
#include "format/slots.h"
#include "transport/file_write.h"
#include "transport/trace_space.h"

namespace parallax::record {
namespace {

bool isClosed(const char* header) {
  format::BlockHeader block;
  memcpy(&block, header, sizeof block);
  return block.magic == format::kBlockMagic && (block.flags & format::kBlockClosed) != 0;
}

bool isClosedIn(int fd, uint64_t offset) {
  char header[sizeof(format::BlockHeader)];
  return pread(fd, header, sizeof header, static_cast<off_t>(offset)) == sizeof header && isClosed(header);
}

// Turns are short, so that they come soon beside many processes of the program (Linux 6.12; older kernels have no such choice).
// A write is little work, but threads can wait for it, and it waits for its own turn after each request to a file server.
void takeShortTurns() {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtimeNs, deadlineNs, periodNs;
  } attributes{};
  constexpr uint64_t kTurnNs = 100'000;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  const bool isUsual = attributes.policy == SCHED_OTHER || attributes.policy == SCHED_BATCH;
  attributes.runtimeNs = kTurnNs;
  if (isUsual) syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

// The kernel marks the word when this process ends.
int EventWriter::run(pid_t recorder, const std::function<void()>& ready) {
  static robust_list_head list;
  event_rings::Life& life = control_->writer;
  list.list.next = reinterpret_cast<robust_list*>(&life.next);
  life.next = reinterpret_cast<event_rings::Life*>(&list.list);
  list.futex_offset = reinterpret_cast<char*>(&life.word) - reinterpret_cast<char*>(&life.next);
  if (const long error = sys::call(SYS_set_robust_list, sys::word(&list), sizeof list)) return static_cast<int>(-error);
  control_->writerThread.store(static_cast<uint32_t>(sys::gettid()), std::memory_order_seq_cst);
  life.word.store(static_cast<uint32_t>(sys::gettid()), std::memory_order_seq_cst);
  takeShortTurns();
  ready();
  serveUntilEnd(recorder);
  return 0;
}

bool EventWriter::isLast(pid_t recorder) const {
  return control_->finish.load(std::memory_order_acquire) != 0 || getppid() != recorder;
}

void EventWriter::tellFinished() {
  control_->finished.store(1, std::memory_order_seq_cst);
  sys::call(SYS_futex, sys::word(&control_->finished), FUTEX_WAKE, 1);
}

int EventWriter::write(const char* name, const char* data, size_t bytes, uint64_t offset, size_t head, uint32_t events) {
  const int fd = files_.open(name);
  if (fd < 0) return -fd;
  const FileSizeSignalBlocked blocked;
  uint64_t done;
  int error = writeRange(fd, data, head, bytes, offset, blocked, &done);
  const bool isKept = head == sizeof(format::BlockHeader) && !isClosed(data) && isClosedIn(fd, offset);
  if (error == 0 && !isKept) error = writeRange(fd, data, 0, head, offset, blocked, &done);
  if (error == 0) {
    files_.wrote(name, offset + head, bytes - head, events);
  } else {  // of this write, or of those before
    files_.failed(name, offset + head, -error);
  }
  return -error;
}

// Without its header, a reader would take a block that is not there as a whole for one that is missing: a block that is torn gets
// none. If this process is killed meanwhile, others write the blocks again. What is torn nevertheless shows by its zeros.
size_t EventWriter::writeAtOnce(const char* name, const ClosedBlock* blocks, size_t count, uint64_t offset) {
  const int fd = files_.open(name);
  if (fd < 0) return 0;
  const FileSizeSignalBlocked blocked;
  uint64_t done = 0;
  int error = 0;
  const uint64_t end = (count - 1) * format::kBlockBytes + blocks[count - 1].bytes;
  while (done < end && error == 0) {
    iovec parts[kMostBlocksAtOnce];
    int used = 0;
    for (uint64_t at = done; at < end; at = (at / format::kBlockBytes + 1) * format::kBlockBytes) {
      const uint64_t i = at / format::kBlockBytes, within = at % format::kBlockBytes;
      const uint64_t bytes = i + 1 < count ? format::kBlockBytes : blocks[i].bytes;
      parts[used++] = {const_cast<char*>(blocks[i].data + within), bytes - within};
    }
    const ssize_t part = pwritev(fd, parts, used, static_cast<off_t>(offset + done));
    if (part < 0 && errno == EINTR) continue;
    error = part < 0 ? errno : part == 0 ? ENOSPC : 0;
    if (error == 0) done += static_cast<uint64_t>(part);
  }
  if (error == EFBIG) blocked.take();
  size_t whole = 0;
  for (; whole < count && whole * format::kBlockBytes + blocks[whole].bytes <= done; whole++) {
    const uint64_t slots = offset + whole * format::kBlockBytes + sizeof(format::BlockHeader);
    files_.wrote(name, slots, blocks[whole].bytes - sizeof(format::BlockHeader), blocks[whole].events);
  }
  if (error == 0) return whole;
  const uint64_t torn = offset + whole * format::kBlockBytes;
  const format::BlockHeader none{};
  uint64_t ignored;
  if (done > whole * format::kBlockBytes) writeRange(fd, reinterpret_cast<const char*>(&none), 0, sizeof none, torn, blocked, &ignored);
  files_.failed(name, torn + sizeof(format::BlockHeader), error);  // of this write, or of those before
  return whole;
}

int EventWriter::write(EventMessage* message, const char* bytes, uint32_t* events) {
  message->name[sizeof message->name - 1] = '\0';
  constexpr size_t kHeader = sizeof(format::BlockHeader);
  const size_t head = message->offset % format::kBlockBytes == 0 && message->bytes >= kHeader ? kHeader : 0;
  *events = format::countEvents(reinterpret_cast<const uint64_t*>(bytes + head), (message->bytes - head) / sizeof(uint64_t));
  return write(message->name, bytes, message->bytes, message->offset, head, *events);
}

void EventWriter::lost(const std::string& name, uint32_t events, int error) {
  tellFailure(events, error);
  tellLost(name.c_str(), events, error);
}

void EventWriter::tellFailure(uint32_t events, int error) {
  control_->failedEvents.fetch_add(events);
  uint32_t none = 0;
  control_->failure.compare_exchange_strong(none, static_cast<uint32_t>(error));
}

void EventWriter::tellLost(const char* file, uint32_t events, int error) const {
  std::string definitions = file;  // HOST.PID.SEQ.THREAD.evt
  definitions.resize(std::min(definitions.size(), definitions.rfind('.')));
  definitions.resize(std::min(definitions.size(), definitions.rfind('.')));
  definitions += ".def";
  const int fd = openDefinitions(definitions.c_str());
  if (fd < 0) return;
  struct stat status {};
  const size_t size = fstat(fd, &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  void* memory = size > 0 ? sys::mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd) : nullptr;
  sys::close(fd);
  if (memory == nullptr) return;
  constexpr size_t kFileHeaderBytes = 16;
  for (size_t at = kFileHeaderBytes; at + sizeof(format::RecordHeader) + sizeof(format::LossesBody) <= size;) {
    auto* header = reinterpret_cast<format::RecordHeader*>(static_cast<char*>(memory) + at);
    if (static_cast<format::Record>(header->type) == format::Record::kLosses) {
      format::addLosses(reinterpret_cast<format::LossesBody*>(header + 1), &format::LossesBody::events, events,
                        lossCause(-error), static_cast<uint32_t>(error), readTicks());
      break;
    }
    if (header->size < sizeof *header || header->size % 8 != 0) break;
    at += header->size;
  }
  sys::munmap(memory, size);
}

}  // namespace parallax::record
