// MPI-IO: files, and the reads and writes of them.
//
// A file is recorded as a communicator of the processes that opened it. Its collectives are collectives there, in which a
// process may wait for the others; opening it is one on the communicator of the call. Each read and write has a File event
// with the bytes that the library says it moved. The begin of a split collective posts it, and the end completes it. What
// the library calls inside is not recorded, so that nothing counts twice. Handles of files are pointers in all libraries.

#include "format/slots.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/mpi/mpi_completion.h"

namespace parallax::mpi {
namespace {

using format::Collective;
using format::FileOp;

Request collectiveOn(const Communicator& c, Collective op, uint64_t sequence) {
  Request r{};
  r.kind = RequestKind::kCollective;
  r.active = true;
  r.communicator = c.number;
  r.opAndRoot = format::opAndRoot(op, format::kNoRoot);
  r.sequence = sequence;
  return r;
}

void emitFile(Scope& scope, uint32_t file, FileOp op, uint64_t bytes) {
  scope.emit(Kind::kFile, file, {static_cast<uint64_t>(op), bytes});
}

// ---- what only changes the file

int open(Target target, Handle comm, const char* path, int mode, Handle info, void* handle) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  const uint64_t sequence = c != nullptr ? c->nextSequence() : 0;
  const int result = target.call(comm, path, mode, info, handle);
  scope.returned();
  if (c == nullptr) return result;
  if (result == 0) {
    Handle file;
    memcpy(&file, handle, sizeof file);
    const uint32_t number = fileNumber(path);
    defineFile(file, number, *c, sequence);
    emitFile(scope, number, FileOp::kOpen, 0);
  }
  emitCollective(scope, Kind::kCollective, collectiveOn(*c, Collective::kFileOpen, sequence));
  return result;
}

int close(Target target, void* handle) {
  Scope scope(target);
  Handle file;
  memcpy(&file, handle, sizeof file);
  Communicator* c = scope ? findFile(file) : nullptr;
  Request r{};
  uint32_t number = 0;
  if (c != nullptr) {
    r = collectiveOn(*c, Collective::kFileClose, c->nextSequence());
    number = c->file;
    forgetFile(file);
  }
  const int result = target.call(handle);
  scope.returned();
  if (c != nullptr) {
    emitFile(scope, number, FileOp::kClose, 0);
    emitCollective(scope, Kind::kCollective, r);
  }
  return result;
}

template <class... Args>
int change(Target target, Collective op, FileOp fileOp, Handle file, Args... args) {
  Scope scope(target);
  Communicator* c = scope ? findFile(file) : nullptr;
  const uint64_t sequence = c != nullptr ? c->nextSequence() : 0;
  const int result = target.call(file, args...);
  scope.returned();
  if (c != nullptr) {
    emitFile(scope, c->file, fileOp, 0);
    emitCollective(scope, Kind::kCollective, collectiveOn(*c, op, sequence));
  }
  return result;
}

// ---- reads and writes

constexpr bool kAlone = false, kTogether = true;

Collective collectiveOf(FileOp op) {
  return op == FileOp::kRead ? Collective::kFileRead : Collective::kFileWrite;
}

// `real` takes the status.
template <class Real>
int transfer(Target target, FileOp op, bool together, Handle file, void* status, Real real) {
  Scope scope(target);
  Communicator* c = scope ? findFile(file) : nullptr;
  if (c == nullptr) {
    const int result = real(status);
    scope.returned();
    return result;
  }
  const uint64_t sequence = together ? c->nextSequence() : 0;
  OwnStatus own(status);
  const int result = real(own.status());
  scope.returned();
  emitFile(scope, c->file, op, result == 0 ? abi().bytesOf(own.status()) : 0);
  if (together) emitCollective(scope, Kind::kCollective, collectiveOn(*c, collectiveOf(op), sequence));
  return result;
}

template <class C>
int move(Target target, FileOp op, bool together, Handle file, void* buffer, C count, Handle type, void* status) {
  return transfer(target, op, together, file, status,
                  [&](void* own) { return target.call(file, buffer, count, type, own); });
}

template <class C>
int moveAt(Target target, FileOp op, bool together, Handle file, int64_t at, void* buffer, C count, Handle type,
           void* status) {
  return transfer(target, op, together, file, status,
                  [&](void* own) { return target.call(file, at, buffer, count, type, own); });
}

template <class Real>
int begin(Target target, FileOp op, bool together, Handle file, void* handle, Real real) {
  Scope scope(target);
  Communicator* c = scope ? findFile(file) : nullptr;
  Request r{};
  r.kind = RequestKind::kFile;
  r.active = true;
  if (c != nullptr && together) {
    r = collectiveOn(*c, collectiveOf(op), c->nextSequence());
    emitCollective(scope, Kind::kCollectivePost, r);
  }
  const int result = real();
  scope.returned();
  if (c == nullptr || result != 0) return result;
  r.file = c->file;
  r.fileOp = op;
  addRequest(loadHandle(handle), handle, r);
  return result;
}

template <class C>
int moveLater(Target target, FileOp op, bool together, Handle file, void* buffer, C count, Handle type,
              void* handle) {
  return begin(target, op, together, file, handle, [&] { return target.call(file, buffer, count, type, handle); });
}

template <class C>
int moveAtLater(Target target, FileOp op, bool together, Handle file, int64_t at, void* buffer, C count, Handle type,
                void* handle) {
  return begin(target, op, together, file, handle,
               [&] { return target.call(file, at, buffer, count, type, handle); });
}

template <class... Args>
int beginSplit(Target target, FileOp op, Handle file, Args... args) {
  Scope scope(target);
  if (Communicator* c = scope ? findFile(file) : nullptr) {
    c->split = c->nextSequence();
    emitCollective(scope, Kind::kCollectivePost, collectiveOn(*c, collectiveOf(op), c->split));
  }
  const int result = target.call(file, args...);
  scope.returned();
  return result;
}

int endSplit(Target target, FileOp op, Handle file, void* buffer, void* status) {
  Scope scope(target);
  Communicator* c = scope ? findFile(file) : nullptr;
  if (c == nullptr) {
    const int result = target.call(file, buffer, status);
    scope.returned();
    return result;
  }
  OwnStatus own(status);
  const int result = target.call(file, buffer, own.status());
  scope.returned();
  emitFile(scope, c->file, op, result == 0 ? abi().bytesOf(own.status()) : 0);
  emitCollective(scope, Kind::kCollective, collectiveOn(*c, collectiveOf(op), c->split));
  return result;
}

}  // namespace

PARALLAX_MPI_ENTRY(File_open, (Handle comm, const char* path, int mode, Handle info, void* file), open, comm, path,
                   mode, info, file)
PARALLAX_MPI_ENTRY(File_close, (void* file), close, file)
PARALLAX_MPI_ENTRY(File_set_size, (Handle file, int64_t size), change, Collective::kFileSetSize, FileOp::kOther, file,
                   size)
PARALLAX_MPI_ENTRY(File_preallocate, (Handle file, int64_t size), change, Collective::kFileSetSize, FileOp::kOther,
                   file, size)
PARALLAX_MPI_ENTRY(File_set_view,
                   (Handle file, int64_t at, Handle element, Handle type, const char* form, Handle info), change,
                   Collective::kFileSetView, FileOp::kOther, file, at, element, type, form, info)
PARALLAX_MPI_ENTRY(File_sync, (Handle file), change, Collective::kFileSync, FileOp::kSync, file)
PARALLAX_MPI_ENTRY(File_seek_shared, (Handle file, int64_t at, int whence), change, Collective::kFileSeek,
                   FileOp::kSeek, file, at, whence)

#define PARALLAX_MOVE(Name, function, op, together, C)                                                \
  PARALLAX_MPI_ENTRY(Name, (Handle file, void* buffer, C count, Handle type, void* last), function, \
                     FileOp::op, together, file, buffer, count, type, last)
#define PARALLAX_MOVE_AT(Name, function, op, together, C)                                                   \
  PARALLAX_MPI_ENTRY(Name, (Handle file, int64_t at, void* buffer, C count, Handle type, void* last), \
                     function, FileOp::op, together, file, at, buffer, count, type, last)
#define PARALLAX_END(Name, op)                                                               \
  PARALLAX_MPI_ENTRY(Name##_end, (Handle file, void* buffer, void* status), endSplit, FileOp::op, \
                     file, buffer, status)

#define PARALLAX_BOTH(macro, Name, function, op, together) \
  macro(Name, function, op, together, int) macro(Name##_c, function, op, together, int64_t)
#define PARALLAX_WAYS(name, op)                                             \
  PARALLAX_BOTH(PARALLAX_MOVE, File_##name, move, op, kAlone)               \
  PARALLAX_BOTH(PARALLAX_MOVE, File_##name##_all, move, op, kTogether)      \
  PARALLAX_BOTH(PARALLAX_MOVE, File_##name##_shared, move, op, kAlone)      \
  PARALLAX_BOTH(PARALLAX_MOVE, File_##name##_ordered, move, op, kTogether)  \
  PARALLAX_BOTH(PARALLAX_MOVE_AT, File_##name##_at, moveAt, op, kAlone)     \
  PARALLAX_BOTH(PARALLAX_MOVE_AT, File_##name##_at_all, moveAt, op, kTogether) \
  PARALLAX_BOTH(PARALLAX_MOVE, File_i##name, moveLater, op, kAlone)         \
  PARALLAX_BOTH(PARALLAX_MOVE, File_i##name##_all, moveLater, op, kTogether) \
  PARALLAX_BOTH(PARALLAX_MOVE, File_i##name##_shared, moveLater, op, kAlone) \
  PARALLAX_BOTH(PARALLAX_MOVE_AT, File_i##name##_at, moveAtLater, op, kAlone) \
  PARALLAX_BOTH(PARALLAX_MOVE_AT, File_i##name##_at_all, moveAtLater, op, kTogether) \
  PARALLAX_END(File_##name##_all, op)                                       \
  PARALLAX_END(File_##name##_ordered, op)                                   \
  PARALLAX_END(File_##name##_at_all, op)
PARALLAX_WAYS(read, kRead)
PARALLAX_WAYS(write, kWrite)

#define PARALLAX_SPLIT(Name, op, c, C)                                                                  \
  PARALLAX_MPI_ENTRY(Name##_begin##c, (Handle file, void* buffer, C count, Handle type), beginSplit, \
                     FileOp::op, file, buffer, count, type)
#define PARALLAX_SPLIT_AT(Name, op, c, C)                                                                     \
  PARALLAX_MPI_ENTRY(Name##_begin##c, (Handle file, int64_t at, void* buffer, C count, Handle type), \
                     beginSplit, FileOp::op, file, at, buffer, count, type)
#define PARALLAX_SPLITS(name, op)                         \
  PARALLAX_SPLIT(File_##name##_all, op, , int)            \
  PARALLAX_SPLIT(File_##name##_all, op, _c, int64_t)      \
  PARALLAX_SPLIT(File_##name##_ordered, op, , int)        \
  PARALLAX_SPLIT(File_##name##_ordered, op, _c, int64_t)  \
  PARALLAX_SPLIT_AT(File_##name##_at_all, op, , int)      \
  PARALLAX_SPLIT_AT(File_##name##_at_all, op, _c, int64_t)
PARALLAX_SPLITS(read, kRead)
PARALLAX_SPLITS(write, kWrite)

}  // namespace parallax::mpi
