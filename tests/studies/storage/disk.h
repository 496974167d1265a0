// Volumes. A disk process for each that is mounted reads and writes its pages, so that the server
// does not wait for them unless it wants to.
#ifndef PARALLAX_STUDIES_DISK_H
#define PARALLAX_STUDIES_DISK_H

#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

#include <atomic>

#include "protocol.h"

struct DiskRequest {
  enum Kind : uint32_t { kRead, kWrite, kSync, kQuit };
  Kind kind;
  int64_t page;
  sem_t done;
  std::atomic<bool> taken;
  bool awaited;  // who asked waits for `done`, and then gives the slot back
  bool failed;
  char bytes[kPageBytes];
};

// In memory shared with the disk process, which serves requests in their order.
struct DiskQueue {
  static constexpr uint32_t kSlots = 16;
  sem_t requests, free;
  uint32_t order[kSlots];
  uint32_t next;  // of the disk process
  DiskRequest slots[kSlots];
};

class Volume {
 public:
  // The file of the volume, in which it is found by linkVolume().
  PROCEDURE bool linkVolume(const char* file);
  // Forks its disk process, the `number`th.
  PROCEDURE bool io_MountVolume(int number);
  bool isMounted() const { return queue_ != nullptr; }

  // Waits for the disk process.
  PROCEDURE bool io_readPage(int64_t page, void* bytes);
  PROCEDURE bool io_sync();
  // Does not, unless all slots are taken.
  PROCEDURE void io_writePage(int64_t page, const void* bytes);
  // Waits until all is written and the disk process has ended. False: something failed.
  bool dismount();

 private:
  uint32_t takeSlot();
  void ask(uint32_t slot, DiskRequest::Kind kind, int64_t page, bool awaited);
  bool finish(uint32_t slot);
  void giveBack(uint32_t slot);

  char file_[256] = "";
  DiskQueue* queue_ = nullptr;
  pid_t process_ = -1;
  uint32_t last_ = 0;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // of the order
};

#endif
