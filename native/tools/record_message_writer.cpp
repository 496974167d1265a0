#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>

#include "tools/record_writer.h"

namespace parallax::record {
namespace {

constexpr int kPeriodMs = 50;  // between two looks for the end

}  // namespace

// A message leaves the queue when it is in its file: after a kill in between, another process finds it there.
bool MessageWriter::take() {
  const ssize_t got = recv(socket_, &message_, sizeof message_, MSG_PEEK | MSG_DONTWAIT);
  if (got < 0) return errno == EINTR;
  EventMessage& head = message_.head;
  const auto bytes = static_cast<size_t>(got) - sizeof head;
  if (static_cast<size_t>(got) > sizeof head && head.magic == kMessageMagic && head.bytes == bytes) {
    head.name[sizeof head.name - 1] = '\0';
    constexpr size_t kHeader = sizeof(format::BlockHeader);
    const bool begins = head.offset % format::kBlockBytes == 0 && bytes >= kHeader;
    if (const int error = write(head.name, message_.bytes, bytes, head.offset, begins ? kHeader : 0)) {
      const size_t skipped = begins ? kHeader : 0;
      const uint32_t events = countEvents(reinterpret_cast<const uint64_t*>(message_.bytes + skipped),
                                          (bytes - skipped) / sizeof(uint64_t));
      tellFailure(events, error);
      tellLost(head.name, events, error);
    }
  }
  recv(socket_, nullptr, 0, MSG_DONTWAIT);
  return true;
}

void MessageWriter::writeAll() {
  while (take()) {
  }
}

// Who sends after the word is 0 writes the same by itself.
void MessageWriter::serveUntilEnd(pid_t recorder) {
  while (!isLast(recorder)) {
    pollfd arrived{socket_, POLLIN, 0};
    if (poll(&arrived, 1, kPeriodMs) > 0) writeAll();
  }
  control_->writer.word.store(0, std::memory_order_seq_cst);
  writeAll();
  tellFinished();
}

}  // namespace parallax::record
