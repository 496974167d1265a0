// read, write and their kin, on files and on streams.
//
// Called before the real function is known: it is looked up at once; out of the lookup itself
// libc's own names are used (real.h). Called inside an intercepted routine: counted where the
// descriptor is known as a stream, and passes through.
#include <sys/eventfd.h>
#include <unistd.h>

#include "interpose/descriptors/fd_transfer.h"

extern "C" {
ssize_t __read(int, void*, size_t) __attribute__((weak));
ssize_t __write(int, const void*, size_t) __attribute__((weak));
ssize_t __pread64(int, void*, size_t, off64_t) __attribute__((weak));
ssize_t __pwrite64(int, const void*, size_t, off64_t) __attribute__((weak));
[[noreturn]] void __chk_fail();
}

namespace parallax {

FdRegions readRegions("read"), writeRegions("write");

namespace {

using ReadFunction = ssize_t(int, void*, size_t);
using WriteFunction = ssize_t(int, const void*, size_t);
using PreadFunction = ssize_t(int, void*, size_t, off64_t);
using PwriteFunction = ssize_t(int, const void*, size_t, off64_t);
using VectorFunction = ssize_t(int, const iovec*, int);
using PvectorFunction = ssize_t(int, const iovec*, int, off64_t);
using Pvector2Function = ssize_t(int, const iovec*, int, off64_t, int);

PARALLAX_REAL Real<ReadFunction> realRead("read", __read);
PARALLAX_REAL Real<WriteFunction> realWrite("write", __write);
PARALLAX_REAL Real<PreadFunction> realPread("pread64", __pread64);
PARALLAX_REAL Real<PwriteFunction> realPwrite("pwrite64", __pwrite64);
PARALLAX_REAL Real<VectorFunction> realReadv("readv"), realWritev("writev");
PARALLAX_REAL Real<PvectorFunction> realPreadv("preadv64"), realPwritev("pwritev64");
PARALLAX_REAL Real<Pvector2Function> realPreadv2("preadv64v2"), realPwritev2("pwritev64v2");

FdRegions preadRegions("pread"), pwriteRegions("pwrite"), readvRegions("readv"),
    writevRegions("writev"), preadvRegions("preadv"), pwritevRegions("pwritev");

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT ssize_t read(int fd, void* buffer, size_t size) {
  auto* real = realRead.get();
  Transfer what{fd, Way::kReceive, size};
  what.bytesAt = buffer;
  return transfer(readRegions, what, [=] { return real(fd, buffer, size); });
}

PARALLAX_EXPORT ssize_t write(int fd, const void* data, size_t size) {
  auto* real = realWrite.get();
  Transfer what{fd, Way::kSend, size};
  what.bytesAt = data;
  return transfer(writeRegions, what, [=] { return real(fd, data, size); });
}

PARALLAX_EXPORT ssize_t pread64(int fd, void* buffer, size_t size, off64_t offset) {
  auto* real = realPread.get();
  return transfer(preadRegions, {fd, Way::kReceive, size},
                  [=] { return real(fd, buffer, size, offset); });
}
PARALLAX_EXPORT ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  return pread64(fd, buffer, size, offset);
}

PARALLAX_EXPORT ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  auto* real = realPwrite.get();
  return transfer(pwriteRegions, {fd, Way::kSend, size},
                  [=] { return real(fd, data, size, offset); });
}
PARALLAX_EXPORT ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  return pwrite64(fd, data, size, offset);
}

PARALLAX_EXPORT ssize_t readv(int fd, const iovec* parts, int count) {
  auto* real = realReadv.get();
  return receiveParts(readvRegions, {fd, Way::kReceive, kMostBytes},
                      [=] { return real(fd, parts, count); },
                      [=] { return totalBytes(parts, count); });
}

PARALLAX_EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  auto* real = realWritev.get();
  return transfer(writevRegions, {fd, Way::kSend, kMostBytes},
                  [=] { return real(fd, parts, count); });
}

PARALLAX_EXPORT ssize_t preadv64(int fd, const iovec* parts, int count, off64_t offset) {
  auto* real = realPreadv.get();
  return receiveParts(preadvRegions, {fd, Way::kReceive, kMostBytes},
                      [=] { return real(fd, parts, count, offset); },
                      [=] { return totalBytes(parts, count); });
}
PARALLAX_EXPORT ssize_t preadv(int fd, const iovec* parts, int count, off_t offset) {
  return preadv64(fd, parts, count, offset);
}

PARALLAX_EXPORT ssize_t pwritev64(int fd, const iovec* parts, int count, off64_t offset) {
  auto* real = realPwritev.get();
  return transfer(pwritevRegions, {fd, Way::kSend, kMostBytes},
                  [=] { return real(fd, parts, count, offset); });
}
PARALLAX_EXPORT ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

PARALLAX_EXPORT ssize_t preadv64v2(int fd, const iovec* parts, int count, off64_t offset,
                                   int flags) {
  auto* real = realPreadv2.get();
  return receiveParts(preadvRegions, {fd, Way::kReceive, kMostBytes},
                      [=] { return real(fd, parts, count, offset, flags); },
                      [=] { return totalBytes(parts, count); });
}
PARALLAX_EXPORT ssize_t preadv2(int fd, const iovec* parts, int count, off_t offset, int flags) {
  return preadv64v2(fd, parts, count, offset, flags);
}

PARALLAX_EXPORT ssize_t pwritev64v2(int fd, const iovec* parts, int count, off64_t offset,
                                    int flags) {
  auto* real = realPwritev2.get();
  return transfer(pwritevRegions, {fd, Way::kSend, kMostBytes},
                  [=] { return real(fd, parts, count, offset, flags); });
}
PARALLAX_EXPORT ssize_t pwritev2(int fd, const iovec* parts, int count, off_t offset, int flags) {
  return pwritev64v2(fd, parts, count, offset, flags);
}

// What they are called when the program is compiled with _FORTIFY_SOURCE.
PARALLAX_EXPORT ssize_t __read_chk(int fd, void* buffer, size_t size, size_t capacity) {
  if (size > capacity) __chk_fail();
  return read(fd, buffer, size);
}
PARALLAX_EXPORT ssize_t __pread64_chk(int fd, void* buffer, size_t size, off64_t offset,
                                      size_t capacity) {
  if (size > capacity) __chk_fail();
  return pread64(fd, buffer, size, offset);
}
PARALLAX_EXPORT ssize_t __pread_chk(int fd, void* buffer, size_t size, off_t offset,
                                    size_t capacity) {
  if (size > capacity) __chk_fail();
  return pread64(fd, buffer, size, offset);
}

// libc makes these past the symbols.
PARALLAX_EXPORT int eventfd_read(int fd, eventfd_t* value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
PARALLAX_EXPORT int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
