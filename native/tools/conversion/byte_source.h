// The bytes of a file, in pieces. A file that gzip has compressed is read through that program.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

namespace parallax::conversion {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  // Returns an empty string, or why the file cannot be read.
  std::string open(const std::string& path);

  // The next byte, -1 at the end.
  int peek() { return at_ != end_ || fill() ? static_cast<unsigned char>(*at_) : -1; }
  int get() { return at_ != end_ || fill() ? static_cast<unsigned char>(*at_++) : -1; }
  // The bytes that are there already: peek() provides at least one before the end.
  const char* data() const { return at_; }
  size_t available() const { return static_cast<size_t>(end_ - at_); }
  void skip(size_t bytes) { at_ += bytes; }

  // Of the next byte, in what gzip wrote if the file is compressed.
  uint64_t offset() const { return before_ + static_cast<uint64_t>(at_ - buffer_.get()); }
  // Bytes of the file that were read, and all of them.
  uint64_t done() const;
  uint64_t size() const { return size_; }
  bool isCompressed() const { return child_ > 0; }
  // Why reading ended before the end of the data; empty if it did not.
  const std::string& error() const { return error_; }
  // After reading: whether gzip found the file damaged. False if much of the file was not read.
  bool isDamaged();

 private:
  bool fill();
  std::string unpack();

  static constexpr size_t kBytes = 1 << 18;
  static constexpr int kMostLeft = 16;  // reads after the end of a trace, until that of the file
  std::unique_ptr<char[]> buffer_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  uint64_t before_ = 0;  // bytes before the buffer
  uint64_t size_ = 0;
  int file_ = -1, pipe_ = -1;
  pid_t child_ = 0;
  bool isAtEnd_ = false, isReaped_ = false, isDamaged_ = false;
  std::string error_;
};

}  // namespace parallax::conversion
