// A growing array on anonymous pages: the agent never calls the program's malloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "agent/sys.h"

namespace parallax {

template <class T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MappedArray() = default;
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray() { release(); }

  // Returns whether there was memory for it; a refused element is not added.
  bool push(const T& value) {
    if (size_ == capacity_ && !grow()) return false;
    data_[size_++] = value;
    return true;
  }

  void pop() { --size_; }
  void clear() { size_ = 0; }
  T& back() { return data_[size_ - 1]; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Hands the elements to the caller, who unmaps `bytes` from them one day.
  T* take(size_t* bytes) {
    T* data = data_;
    *bytes = capacity_ * sizeof(T);
    data_ = nullptr;
    size_ = capacity_ = 0;
    return data;
  }

  void release() {
    if (data_ != nullptr) sys::munmap(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  bool grow() {
    const size_t bytes = capacity_ * sizeof(T);
    const size_t newBytes = bytes == 0 ? 65536 : bytes * 2;
    if (bytes == 0) {
      data_ = static_cast<T*>(sys::pages(newBytes));
      if (data_ == nullptr) return false;
    } else {
      const long moved = sys::call(SYS_mremap, sys::word(data_), static_cast<long>(bytes),
                                   static_cast<long>(newBytes), MREMAP_MAYMOVE);
      if (moved < 0 && moved > -4096) return false;
      data_ = reinterpret_cast<T*>(moved);
    }
    capacity_ = newBytes / sizeof(T);
    return true;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace parallax
