// Moving bytes from one descriptor to another in the kernel.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: passes through, and streams that it uses are no longer trusted.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "interpose/descriptors/fd_transfer.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<ssize_t(int, int, off64_t*, size_t)> realSendfile("sendfile64");
PARALLAX_REAL Real<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>
    realCopy("copy_file_range");
PARALLAX_REAL Real<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)> realSplice("splice");
PARALLAX_REAL Real<ssize_t(int, int, size_t, unsigned)> realTee("tee");
PARALLAX_REAL Real<ssize_t(int, const iovec*, size_t, unsigned)> realVmsplice("vmsplice");

FdRegions sendfileRegions("sendfile"), copyRegions("copy_file_range"), spliceRegions("splice"),
    teeRegions("tee"), vmspliceRegions("vmsplice");

bool mayWait(const Descriptor& descriptor) {
  return !descriptor.regular && !descriptor.nonBlocking && descriptor.kind != FdKind::kQuiet;
}

void recordEnd(FdCall& call, const Transfer& transfer, const Descriptor& descriptor,
               ssize_t result, int error) {
  if (descriptor.kind != FdKind::kQuiet && descriptor.kind != FdKind::kUnknown &&
      transfer.counts) {
    transferred(call, transfer, descriptor, result, error);
  }
}

// From `from` to `to`. With takes = false the bytes stay where they were, too.
template <class Real>
ssize_t move(FdRegions& regions, int from, int to, size_t size, bool takes, Real real) {
  if (!fdCallsWanted()) return real();
  FdCall call;
  Descriptor source, target;
  Transfer read{from, Way::kReceive, size}, write{to, Way::kSend, size};
  read.counts = takes;
  // Sizes stand for "all"; sums of them must not overflow.
  constexpr uint64_t kMostBytes = uint64_t{1} << 40;
  if (write.bytes > kMostBytes) write.bytes = kMostBytes;
  if (!call) return transferNested(read, [&] { return transferNested(write, real); });
  const bool known = describe(from, &source) & describe(to, &target);
  if (!known || (source.kind == FdKind::kQuiet && target.kind == FdKind::kQuiet)) {
    call.release();
    return real();
  }
  const bool files = source.kind == FdKind::kFile && target.kind == FdKind::kFile;
  announceTransfer(write, target);
  call.begin(files ? regions.file : regions.stream, mayWait(source) || mayWait(target));
  const ssize_t result = call.run(real);
  const int error = errno;
  call.returned();
  recordEnd(call, read, source, result, error);
  recordEnd(call, write, target, result, error);
  if (call.duration() > FdCall::shortTicks()) call.keep();
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) noexcept {
  auto* real = realSendfile.get();
  return move(sendfileRegions, from, to, size, true, [=] { return real(to, from, offset, size); });
}
PARALLAX_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t size) noexcept {
  return sendfile64(to, from, offset, size);
}

PARALLAX_EXPORT ssize_t copy_file_range(int from, off64_t* fromOffset, int to, off64_t* toOffset,
                                        size_t size, unsigned flags) {
  auto* real = realCopy.get();
  return move(copyRegions, from, to, size, true,
              [=] { return real(from, fromOffset, to, toOffset, size, flags); });
}

PARALLAX_EXPORT ssize_t splice(int from, off64_t* fromOffset, int to, off64_t* toOffset,
                               size_t size, unsigned flags) {
  auto* real = realSplice.get();
  return move(spliceRegions, from, to, size, true,
              [=] { return real(from, fromOffset, to, toOffset, size, flags); });
}

PARALLAX_EXPORT ssize_t tee(int from, int to, size_t size, unsigned flags) {
  auto* real = realTee.get();
  return move(teeRegions, from, to, size, false, [=] { return real(from, to, size, flags); });
}

// To a pipe where it can be written to, else from it.
PARALLAX_EXPORT ssize_t vmsplice(int fd, const iovec* parts, size_t count, unsigned flags) {
  auto* real = realVmsplice.get();
  Descriptor descriptor;
  Way way = Way::kSend;
  if (fdCallsWanted()) {
    Guard guard;
    if (guard && describe(fd, &descriptor) && descriptor.send.id == 0) way = Way::kReceive;
  }
  return transfer(vmspliceRegions, {fd, way, totalBytes(parts, static_cast<int64_t>(count))},
                  [=] { return real(fd, parts, count, flags); });
}
