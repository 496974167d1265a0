// The event files that a writer of transports has open.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "transport/trace_directory.h"

namespace parallax::record {

// A file server gets what was written at the latest when a file is closed, and whoever closes it waits. So files stay open from
// block to block: as many as the limit of open files allows, of which the one that was used longest ago makes room.
//
// A write that seemed to succeed can turn out to have failed when the file is written again, or closed. What was written
// last is then read, and what is not there is told.
class EventFiles {
 public:
  // `lost`: so many events, which were written into this file, are not in it, for this errno.
  using Lost = std::function<void(const std::string& name, uint32_t events, int error)>;
  // Leaves `others` of the descriptors that the process may have to others.
  EventFiles(const TraceDirectory& directory, size_t others, Lost lost);
  ~EventFiles() { closeAll(); }
  EventFiles(const EventFiles&) = delete;
  EventFiles& operator=(const EventFiles&) = delete;

  // A descriptor of the file that has this name now, valid until the next call of any function; or a negative reason. With
  // `makes`, the file is made if there is none.
  int open(const std::string& name, bool makes = false);
  // Records events written at this place. No slot of them is 0. After `open` of the same file.
  void wrote(const std::string& name, uint64_t offset, uint64_t bytes, uint32_t events);
  // A write at this place has failed for this errno, which can be that of an earlier write: a server tells it once.
  void failed(const std::string& name, uint64_t offset, int error);
  void close(const std::string& name);
  void closeAll();

 private:
  struct Piece {
    uint64_t offset, bytes;  // of slots
    uint32_t events;
  };
  struct File {
    std::string name;
    int fd;
    dev_t device;
    ino_t inode;
    std::vector<Piece> pieces;  // the last ones, around and around
    size_t lastPiece = 0;
  };
  using Place = std::list<File>::iterator;
  static constexpr size_t kMostFiles = 1024, kMostPieces = 256;

  bool hasStill(const File& file) const;
  // Reads what was written if the close, or what was done before for this errno, has failed; 0: it has not.
  void close(Place place, int before = 0);
  uint32_t eventsMissing(const File& file) const;

  const TraceDirectory& directory_;
  const Lost lost_;
  size_t most_;
  std::list<File> files_;  // the one used last is the first
  std::map<std::string, Place> places_;
};

}  // namespace parallax::record
