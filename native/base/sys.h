// Raw system calls. They do not change errno, neither the program nor the agent can intercept them,
// and signal handlers may use them. A result below zero is -errno. A call that the program has
// forbidden (sandbox.h) is not made and gives -ENOSYS.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

#include "base/sandbox.h"

#if !defined(__x86_64__)
#error "Parallax records x86_64 programs"
#endif

namespace parallax::sys {

// Makes the call even if it is forbidden: only for calls that the program itself requests.
inline long callForProgram(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                           long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) {
  if (sandbox::isRestricted()) {
    if (const long error = sandbox::verdict(sandbox::rules(), number, a, b, c, d, e, f)) return error;
  }
  return callForProgram(number, a, b, c, d, e, f);
}

template <class T>
long word(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

inline int openat(int directory, const char* path, int flags, int mode = 0) {
  return static_cast<int>(call(SYS_openat, directory, word(path), flags | O_CLOEXEC, mode));
}
inline int close(int fd) { return static_cast<int>(call(SYS_close, fd)); }
inline long read(int fd, void* buffer, size_t size) {
  return call(SYS_read, fd, word(buffer), static_cast<long>(size));
}
inline long write(int fd, const void* data, size_t size) {
  return call(SYS_write, fd, word(data), static_cast<long>(size));
}
inline long pwrite(int fd, const void* data, size_t size, uint64_t offset) {
  return call(SYS_pwrite64, fd, word(data), static_cast<long>(size), static_cast<long>(offset));
}
inline int ftruncate(int fd, uint64_t size) {
  return static_cast<int>(call(SYS_ftruncate, fd, static_cast<long>(size)));
}
inline int fallocate(int fd, uint64_t offset, uint64_t size) {
  return static_cast<int>(
      call(SYS_fallocate, fd, 0, static_cast<long>(offset), static_cast<long>(size)));
}
inline long readlink(const char* path, char* buffer, size_t size) {
  return call(SYS_readlinkat, AT_FDCWD, word(path), word(buffer), static_cast<long>(size));
}
inline int getpid() { return static_cast<int>(call(SYS_getpid)); }
inline int getppid() { return static_cast<int>(call(SYS_getppid)); }
inline int gettid() { return static_cast<int>(call(SYS_gettid)); }

#if defined(__SANITIZE_THREAD__)
// What it knows of memory must end with the memory.
inline void* mmap(size_t size, int protection, int flags, int fd = -1, uint64_t offset = 0) {
  void* result = ::mmap(nullptr, size, protection, flags, fd, static_cast<off_t>(offset));
  return result == MAP_FAILED ? nullptr : result;
}
inline void munmap(void* address, size_t size) { ::munmap(address, size); }
#else
// Null on failure.
inline void* mmap(size_t size, int protection, int flags, int fd = -1, uint64_t offset = 0) {
  const long result = call(SYS_mmap, 0, static_cast<long>(size), protection, flags, fd,
                           static_cast<long>(offset));
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}
inline void munmap(void* address, size_t size) {
  call(SYS_munmap, word(address), static_cast<long>(size));
}
#endif
inline int madvise(void* address, size_t size, int advice) {
  return static_cast<int>(call(SYS_madvise, word(address), static_cast<long>(size), advice));
}
// Zeroed private memory, or null.
inline void* pages(size_t size) {
  void* fresh = mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  return fresh == nullptr && sandbox::isRestricted() ? sandbox::providedPages(size) : fresh;
}

// A clock in nanoseconds by a system call; for those that the vdso serves too slowly or not. 0 where the
// program has forbidden it.
inline uint64_t clockNs(int clock) {
  timespec now{};
  call(SYS_clock_gettime, clock, word(&now));
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace parallax::sys
