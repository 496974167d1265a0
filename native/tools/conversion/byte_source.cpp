#include "tools/conversion/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace parallax::conversion {

ByteSource::~ByteSource() {
  if (pipe_ >= 0) ::close(pipe_);  // a gzip that still writes ends
  if (file_ >= 0) ::close(file_);
  if (child_ > 0 && !isReaped_) {
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

std::string ByteSource::open(const std::string& path) {
  buffer_.reset(new char[kBytes]);
  at_ = end_ = buffer_.get();
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) return path + " cannot be opened: " + strerror(errno);
  struct stat status {};
  if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return path + " is not a file";
  size_ = static_cast<uint64_t>(status.st_size);
  unsigned char magic[2] = {};
  if (pread(file_, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) return unpack();
  return "";
}

std::string ByteSource::unpack() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::string("a pipe cannot be made: ") + strerror(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file_, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const char* command[] = {"gzip", "-dc", nullptr};
  const int failed = posix_spawnp(&child_, "gzip", &actions, nullptr, const_cast<char**>(command), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  pipe_ = ends[0];
  if (failed == 0) return "";
  child_ = 0;
  return std::string("gzip cannot be started: ") + strerror(failed);
}

bool ByteSource::fill() {
  if (!error_.empty()) return false;
  before_ += static_cast<uint64_t>(end_ - buffer_.get());
  at_ = end_ = buffer_.get();
  ssize_t bytes;
  do {
    bytes = read(child_ > 0 ? pipe_ : file_, buffer_.get(), kBytes);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) error_ = strerror(errno);
  isAtEnd_ = bytes == 0;
  if (bytes <= 0) return false;
  end_ += bytes;
  return true;
}

uint64_t ByteSource::done() const {
  if (child_ == 0) return offset();
  const off_t at = lseek(file_, 0, SEEK_CUR);  // gzip shares the position
  return at < 0 ? 0 : static_cast<uint64_t>(at);
}

bool ByteSource::isDamaged() {
  if (child_ == 0 || isReaped_) return isDamaged_;
  for (int i = 0; i < kMostLeft && !isAtEnd_ && fill(); i++) {
  }
  if (!isAtEnd_) return false;  // a gzip whose output nobody reads does not end
  int status = 0;
  while (waitpid(child_, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  isReaped_ = true;
  // Status 2 is a warning, such as of bytes after the end.
  return isDamaged_ = !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2);
}

}  // namespace parallax::conversion
