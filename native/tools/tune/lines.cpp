#include "tools/tune/lines.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace parallax::tuning {

bool LineReader::read(std::vector<Line>* lines) {
  char buffer[1 << 16];
  const ssize_t got = ::read(fd_, buffer, sizeof buffer);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  size_t begin = 0;
  const auto bytes = static_cast<size_t>(got);
  for (size_t i = 0; i < bytes; i++) {
    if (buffer[i] != '\n') continue;
    rest_.append(buffer + begin, i - begin);
    begin = i + 1;
    Line line;
    line.number = ++lines_;
    line.tooLong = skips_ || rest_.size() > kMostBytes;
    if (!line.tooLong) line.text = std::move(rest_);
    rest_.clear();
    skips_ = false;
    lines->push_back(std::move(line));
  }
  rest_.append(buffer + begin, bytes - begin);
  if (rest_.size() > kMostBytes) {
    skips_ = true;
    rest_.clear();
  }
  return true;
}

std::string tooLong(const std::string& what, size_t bytes) {
  return what + " is longer than " + std::to_string(LineReader::kMostBytes) + " bytes and is left out" +
         (bytes > 0 ? " (" + std::to_string(bytes) + " bytes)" : "");
}

LineWriter::LineWriter(int fd) : fd_(fd) {
  struct stat status {};
  isSocket_ = fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

void LineWriter::write(const std::string& line) {
  if (isBroken_) return;
  waiting_ += line;
  waiting_ += '\n';
}

// To a socket without blocking; to others only what is known to find room when poll() says so.
ssize_t LineWriter::writeSome() {
  if (isSocket_) return send(fd_, waiting_.data(), waiting_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  pollfd ready{fd_, POLLOUT, 0};
  if (poll(&ready, 1, 0) <= 0 || (ready.revents & (POLLOUT | POLLERR)) == 0) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd_, waiting_.data(), std::min<size_t>(waiting_.size(), PIPE_BUF));
}

bool LineWriter::flush() {
  while (!waiting_.empty() && !isBroken_) {
    const ssize_t written = writeSome();
    if (written > 0) {
      waiting_.erase(0, static_cast<size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return true;
    } else if (errno != EINTR) {
      isBroken_ = true;
      waiting_.clear();
    }
  }
  return !isBroken_;
}

void LineWriter::finish(int patienceMs) {
  constexpr int kStepMs = 10;
  for (int ms = 0; flush() && !waiting_.empty() && ms < patienceMs; ms += kStepMs) {
    pollfd ready{fd_, POLLOUT, 0};
    poll(&ready, 1, kStepMs);
  }
}

}  // namespace parallax::tuning
