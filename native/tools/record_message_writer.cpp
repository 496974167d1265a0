#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>

#include "tools/record_writer.h"

namespace parallax::record {
namespace {

constexpr int kMostAtOnce = 64;  // messages, before the next look for the end
constexpr int kPeriodMs = 50;  // between two looks for the end

}  // namespace

// A message leaves the queue when it is in its file: after a kill in between, another process finds it there.
bool MessageWriter::take() {
  const ssize_t got = recv(socket_, &message_, sizeof message_, MSG_PEEK | MSG_DONTWAIT);
  if (got < 0) return errno == EINTR;
  EventMessage& head = message_.head;
  const auto bytes = static_cast<size_t>(got) - sizeof head;
  if (static_cast<size_t>(got) > sizeof head && head.magic == kMessageMagic && head.bytes == bytes) {
    uint32_t events = 0;
    if (const int error = write(&head, message_.bytes, &events)) {
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
  files_.closeAll();
}

// Who sends after the word is 0 writes the same by itself.
void MessageWriter::serveUntilEnd(pid_t recorder) {
  while (!isLast(recorder)) {
    pollfd arrived{socket_, POLLIN, 0};
    if (poll(&arrived, 1, kPeriodMs) <= 0) continue;
    for (int i = 0; i < kMostAtOnce && take(); i++) {
    }
  }
  control_->writer.word.store(0, std::memory_order_seq_cst);
  writeAll();
  tellFinished();
}

}  // namespace parallax::record
