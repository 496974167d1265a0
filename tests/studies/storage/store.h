// Objects of a page each on the data volume, with a pool of pages in the server.
#ifndef PARALLAX_STUDIES_STORE_H
#define PARALLAX_STUDIES_STORE_H

#include <vector>

#include "locks.h"
#include "log.h"

class Store {
 public:
  static constexpr int64_t kDirectory = 0;  // the page that tells how many objects there are

  explicit Store(Log* log) : log_(log), pool_(kFrames) {}
  // Mounts the data volume, if this is not done; called by one thread.
  PROCEDURE bool mount(const char* file);
  uint64_t beginTransaction();
  PROCEDURE int64_t createObject(uint64_t transaction, const void* bytes);
  PROCEDURE bool readObject(uint64_t transaction, int64_t number, void* bytes);
  PROCEDURE bool commit(uint64_t transaction);
  // Returns when the object is there, and its transaction has committed.
  PROCEDURE void waitForObject(int64_t number);
  int64_t objects() const { return committedObjects_; }  // when nobody is at work
  // Writes what the pool still holds; when nobody is at work.
  PROCEDURE bool close();

 private:
  static constexpr size_t kFrames = 24;
  struct Frame {
    int64_t page = -1;
    bool dirty = false;
    uint64_t used = 0;
    char bytes[kPageBytes];
  };

  static int64_t pageOf(int64_t number) { return 1 + number; }
  // With the pool's mutex: the frame of a page, which is read from the disk if it is to be.
  PROCEDURE Frame* frameOf(int64_t page, bool read);

  Log* log_;
  Volume volume_;
  LockManager locks_;
  pthread_mutex_t poolMutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::vector<Frame> pool_;
  uint64_t uses_ = 0;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // of what follows
  pthread_cond_t committed_ = PTHREAD_COND_INITIALIZER;
  uint64_t lastTransaction_ = 0;
  // Changed by who has locked the directory: those that are there, and who made the last one.
  int64_t objects_ = 0;
  uint64_t creator_ = 0;
  int64_t committedObjects_ = 0;
};

#endif
