// POSIX AIO of glibc: requests that threads of libc's own carry out, of which nothing is recorded. With its first
// thread, libc installs its own handler for the signal of the sampling timers, which must be undone.
//
// What aio_read and its kin ask for is written down by the address of the control block. Its end is recorded by the
// first call of the program that sees it: aio_suspend, aio_error, aio_return, or lio_listio that waits.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine:
// nothing is recorded, and the bytes of streams are not counted.
#include <aio.h>
#include <errno.h>

#include "interpose/async/async_request.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(aiocb*)> realAioRead("aio_read"), realAioWrite("aio_write");
PARALLAX_REAL Real<int(int, aiocb*)> realAioFsync("aio_fsync");
PARALLAX_REAL Real<int(int, aiocb* const*, int, sigevent*)> realLioListio("lio_listio");
PARALLAX_REAL Real<int(const aiocb* const*, int, const timespec*)> realAioSuspend("aio_suspend");
PARALLAX_REAL Real<int(const aiocb*)> realAioError("aio_error");
PARALLAX_REAL Real<ssize_t(aiocb*)> realAioReturn("aio_return");

FdRegions aioReadRegions("aio_read"), aioWriteRegions("aio_write"), fsyncRegions("aio_fsync"),
    listRegions("lio_listio"), suspendRegions("aio_suspend"), errorRegions("aio_error"),
    returnRegions("aio_return");

BriefLock lock;
AsyncRequests requests;

constexpr uint32_t kMostRequests = 4096;

Region& of(FdRegions& regions) {
  return adapterEnabled(Adapter::kStream) ? regions.stream : regions.file;
}

uint64_t keyOf(const aiocb* block) { return reinterpret_cast<uintptr_t>(block); }

// Before it is asked for.
void begin(FdCall& call, AsyncOp op, const aiocb* block) {
  if (block == nullptr) return;
  AsyncRequest request;
  request.key = keyOf(block);
  request.op = op;
  request.fd = block->aio_fildes;
  request.bytes = op == AsyncOp::kSync ? 0 : block->aio_nbytes;
  beginRequest(call, request);
  if (request.op == AsyncOp::kNone) return;
  if (!lock.lock()) return distrustRequest(request);
  const bool isOpen = requests.isOpen() || requests.open(kMostRequests);
  if (isOpen) {
    // A block that is used anew without a look at how it ended.
    if (AsyncRequest* former = requests.find(request.key)) {
      distrustRequest(*former);
      requests.remove(former);
    }
  }
  if (!isOpen || !requests.add(request)) distrustRequest(request);
  lock.unlock();
}

// Takes the request of a block out of those under way.
bool take(const aiocb* block, AsyncRequest* request) {
  if (!requests.isOpen() || !lock.lock()) return false;
  AsyncRequest* found = requests.find(keyOf(block));
  if (found != nullptr) {
    *request = *found;
    requests.remove(found);
  }
  lock.unlock();
  return found != nullptr;
}

// It could not be asked for.
void refuse(FdCall& call, const aiocb* block, int error) {
  AsyncRequest request;
  if (take(block, &request)) endRequest(call, request, -error);
}

// The program sees a block: tells of its end if it has come.
void see(FdCall& call, const aiocb* block) {
  if (block == nullptr) return;
  const int error = realAioError.get()(block);
  AsyncRequest request;
  if (error != EINPROGRESS && error >= 0 && take(block, &request)) {
    endRequest(call, request, error == 0 ? block->__return_value : -error);
  }
}

template <class Real>
int submit(FdRegions& regions, AsyncOp op, aiocb* block, Real real) {
  if (!fdCallsWanted()) return real();
  FdCall call;
  if (!call) return real();
  call.begin(of(regions), false);
  begin(call, op, block);
  const int result = real();
  const int error = errno;
  call.returned();
  if (result != 0) refuse(call, block, error);
  if (call.duration() > FdCall::shortTicks()) call.keep();
  errno = error;
  return result;
}

int submitList(int mode, aiocb* const* list, int count, sigevent* event) {
  auto* real = realLioListio.get();
  if (!fdCallsWanted() || list == nullptr) return real(mode, list, count, event);
  FdCall call;
  if (!call) return real(mode, list, count, event);
  call.begin(of(listRegions), mode == LIO_WAIT);
  for (int i = 0; i < count; i++) {
    if (list[i] == nullptr || list[i]->aio_lio_opcode == LIO_NOP) continue;
    begin(call, list[i]->aio_lio_opcode == LIO_WRITE ? AsyncOp::kSend : AsyncOp::kReceive, list[i]);
  }
  const int result = call.run([=] { return real(mode, list, count, event); });
  const int error = errno;
  call.returned();
  // Where some could not be asked for, their blocks tell so.
  if (mode == LIO_WAIT || result != 0) {
    for (int i = 0; i < count; i++) see(call, list[i]);
  }
  if (call.duration() > FdCall::shortTicks()) call.keep();
  errno = error;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

// errno stays: keepSignal() does not touch it.
PARALLAX_EXPORT int aio_read(aiocb* block) {
  const int result =
      submit(aioReadRegions, AsyncOp::kReceive, block, [=] { return realAioRead.get()(block); });
  sampler::keepSignal();
  return result;
}

PARALLAX_EXPORT int aio_write(aiocb* block) {
  const int result =
      submit(aioWriteRegions, AsyncOp::kSend, block, [=] { return realAioWrite.get()(block); });
  sampler::keepSignal();
  return result;
}

PARALLAX_EXPORT int aio_fsync(int operation, aiocb* block) {
  const int result = submit(fsyncRegions, AsyncOp::kSync, block,
                            [=] { return realAioFsync.get()(operation, block); });
  sampler::keepSignal();
  return result;
}

PARALLAX_EXPORT int lio_listio(int mode, aiocb* const* list, int count, sigevent* event) {
  const int result = submitList(mode, list, count, event);
  sampler::keepSignal();
  return result;
}

PARALLAX_EXPORT int aio_suspend(const aiocb* const* list, int count, const timespec* timeout) {
  auto* real = realAioSuspend.get();
  if (!fdCallsWanted()) return real(list, count, timeout);
  FdCall call;
  if (!call) return real(list, count, timeout);
  call.begin(of(suspendRegions), timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_nsec != 0);
  const int result = call.run([=] { return real(list, count, timeout); });
  const int error = errno;
  call.returned();
  for (int i = 0; i < count; i++) see(call, list[i]);
  if (call.duration() > FdCall::shortTicks()) call.keep();
  errno = error;
  return result;
}

PARALLAX_EXPORT int aio_error(const aiocb* block) {
  const int result = realAioError.get()(block);
  if (result == EINPROGRESS || requests.count() == 0 || !fdCallsWanted()) return result;
  const int error = errno;
  FdCall call;
  if (call) {
    call.begin(of(errorRegions), false);
    call.returned();
    see(call, block);
  }
  errno = error;
  return result;
}

PARALLAX_EXPORT ssize_t aio_return(aiocb* block) {
  if (requests.count() > 0 && fdCallsWanted()) {
    const int error = errno;
    FdCall call;
    if (call) {
      call.begin(of(returnRegions), false);
      call.returned();
      see(call, block);
    }
    errno = error;
  }
  return realAioReturn.get()(block);
}

// The same on this machine.
PARALLAX_EXPORT int aio_read64(aiocb64* block) { return aio_read(reinterpret_cast<aiocb*>(block)); }
PARALLAX_EXPORT int aio_write64(aiocb64* block) { return aio_write(reinterpret_cast<aiocb*>(block)); }
PARALLAX_EXPORT int aio_fsync64(int operation, aiocb64* block) {
  return aio_fsync(operation, reinterpret_cast<aiocb*>(block));
}
PARALLAX_EXPORT int lio_listio64(int mode, aiocb64* const* list, int count, sigevent* event) {
  return lio_listio(mode, reinterpret_cast<aiocb* const*>(list), count, event);
}
PARALLAX_EXPORT int aio_suspend64(const aiocb64* const* list, int count, const timespec* timeout) {
  return aio_suspend(reinterpret_cast<const aiocb* const*>(list), count, timeout);
}
PARALLAX_EXPORT int aio_error64(const aiocb64* block) {
  return aio_error(reinterpret_cast<const aiocb*>(block));
}
PARALLAX_EXPORT ssize_t aio_return64(aiocb64* block) {
  return aio_return(reinterpret_cast<aiocb*>(block));
}
