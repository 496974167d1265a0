#include "tools/record_event_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/sys.h"
#include "format/format.h"

namespace parallax::record {
namespace {

// Whether there is an event in each slot. What a server has lost is 0.
bool isThere(int fd, uint64_t offset, uint64_t bytes) {
  uint64_t slots[format::kBlockSlots];
  while (bytes > 0) {
    const size_t part = std::min<uint64_t>(bytes, sizeof slots);
    if (pread(fd, slots, part, static_cast<off_t>(offset)) != static_cast<ssize_t>(part)) return false;
    if (std::find(slots, slots + part / sizeof(uint64_t), 0) != slots + part / sizeof(uint64_t)) return false;
    offset += part;
    bytes -= part;
  }
  return true;
}

}  // namespace

EventFiles::EventFiles(const TraceDirectory& directory, size_t others, Lost lost)
    : directory_(directory), lost_(std::move(lost)) {
  rlimit limit{};
  const bool isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0;
  const size_t all = isKnown ? static_cast<size_t>(std::min<rlim_t>(limit.rlim_cur, kMostFiles + others)) : 0;
  most_ = all > others ? all - others : 1;
}

// The program, or a person, may have removed the file, or put another one in its place.
bool EventFiles::hasStill(const File& file) const {
  struct statx status {};
  // Without asking a file server how long the file is by now.
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC;
  return statx(directory_.descriptor(), file.name.c_str(), kFlags, STATX_INO, &status) == 0 && status.stx_ino == file.inode &&
         makedev(status.stx_dev_major, status.stx_dev_minor) == file.device;
}

int EventFiles::open(const std::string& name, bool makes) {
  if (const auto found = places_.find(name); found != places_.end()) {
    if (hasStill(*found->second)) {
      files_.splice(files_.begin(), files_, found->second);
      return found->second->fd;
    }
    close(found->second);
  }
  if (name.find('/') != std::string::npos) return -EINVAL;
  while (files_.size() >= most_) close(std::prev(files_.end()));
  const auto openNow = [&] {
    return makes ? directory_.openShared(name.c_str()) : directory_.openFile(name.c_str(), O_RDWR);
  };
  int fd = openNow();
  while ((fd == -EMFILE || fd == -ENFILE) && !files_.empty()) {
    close(std::prev(files_.end()));
    fd = openNow();
  }
  if (fd < 0) return fd;
  struct stat status {};
  fstat(fd, &status);
  files_.push_front({name, fd, status.st_dev, status.st_ino, {}});
  places_[name] = files_.begin();
  return fd;
}

void EventFiles::wrote(const std::string& name, uint64_t offset, uint64_t bytes, uint32_t events) {
  const auto found = places_.find(name);
  if (found == places_.end()) return;
  File& file = *found->second;
  const Piece piece{offset, bytes, events};
  if (!file.pieces.empty() && file.pieces[file.lastPiece].offset == offset) {  // a block that was open
    file.pieces[file.lastPiece] = piece;
  } else if (file.pieces.size() < kMostPieces) {
    file.lastPiece = file.pieces.size();
    file.pieces.push_back(piece);
  } else {
    file.lastPiece = (file.lastPiece + 1) % kMostPieces;
    file.pieces[file.lastPiece] = piece;
  }
}

void EventFiles::close(const std::string& name) {
  if (const auto found = places_.find(name); found != places_.end()) close(found->second);
}

void EventFiles::failed(const std::string& name, uint64_t offset, int error) {
  const auto found = places_.find(name);
  if (found == places_.end()) return;
  std::vector<Piece>& pieces = found->second->pieces;  // whoever writes counts those of this one
  pieces.erase(std::remove_if(pieces.begin(), pieces.end(), [offset](const Piece& piece) { return piece.offset == offset; }),
               pieces.end());
  close(found->second, error);
}

void EventFiles::closeAll() {
  while (!files_.empty()) close(files_.begin());
}

void EventFiles::close(Place place, int before) {
  const File file = std::move(*place);
  places_.erase(file.name);
  files_.erase(place);
  const int closing = sys::close(file.fd);
  const int error = before != 0 ? before : closing != -EINTR ? -closing : 0;
  if (error == 0) return;
  if (const uint32_t events = eventsMissing(file)) lost_(file.name, events, error);
}

uint32_t EventFiles::eventsMissing(const File& file) const {
  const int fd = directory_.openFile(file.name.c_str(), O_RDONLY);
  uint32_t events = 0;
  for (const Piece& piece : file.pieces) {
    if (fd < 0 || !isThere(fd, piece.offset, piece.bytes)) events += piece.events;
  }
  if (fd >= 0) sys::close(fd);
  return events;
}

}  // namespace parallax::record
