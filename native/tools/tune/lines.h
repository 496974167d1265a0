// Lines over a pipe or a socket, in a loop that waits for several.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::tuning {

// Reads what is there, and gives whole lines. Does not own the descriptor.
class LineReader {
 public:
  // Longer lines are skipped.
  static constexpr size_t kMostBytes = size_t{1} << 20;

  struct Line {
    std::string text;
    uint64_t number = 0;  // from 1
    bool tooLong = false;  // then the text is left out
  };

  explicit LineReader(int fd) : fd_(fd) {}
  int fd() const { return fd_; }
  // To be called when poll() says that something can be read: reads once, which does not block then. Returns false at the
  // end, also by an error. A last line without its end is none.
  bool read(std::vector<Line>* lines);

 private:
  int fd_;
  uint64_t lines_ = 0;
  bool skips_ = false;
  std::string rest_;
};

// What is told of a line that is left out. `bytes` 0: nobody knows.
std::string tooLong(const std::string& what, size_t bytes = 0);

// Keeps what cannot be written yet. Never blocks, and leaves the flags of the descriptor, which others share, as they are.
// Does not own the descriptor.
class LineWriter {
 public:
  explicit LineWriter(int fd);
  int fd() const { return fd_; }
  void write(const std::string& line);
  // As much as can be written now. Returns false when nobody reads any more; then everything is dropped.
  bool flush();
  // Bytes that wait to be written.
  size_t waiting() const { return waiting_.size(); }
  // Until all is written, nobody reads, or the time is over.
  void finish(int patienceMs);

 private:
  ssize_t writeSome();

  int fd_;
  bool isSocket_;
  bool isBroken_ = false;
  std::string waiting_;
};

}  // namespace parallax::tuning
