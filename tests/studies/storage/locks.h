// Locks of pages by transactions: shared, or exclusive until the transaction ends.
#ifndef PARALLAX_STUDIES_LOCKS_H
#define PARALLAX_STUDIES_LOCKS_H

#include <pthread.h>

#include <map>
#include <vector>

#include "protocol.h"

class LockManager {
 public:
  enum Mode { kShared, kExclusive };
  LockManager();
  // Waits while another transaction has the page in a mode that forbids this one.
  PROCEDURE void lockPage(uint64_t transaction, int64_t page, Mode mode);
  PROCEDURE void releaseLocks(uint64_t transaction);

 private:
  struct PageLock {
    uint64_t exclusive = 0;        // the transaction, or 0
    std::vector<uint64_t> shared;  // transactions
  };
  struct Bucket {
    pthread_mutex_t mutex;
    pthread_cond_t released;
    std::map<int64_t, PageLock> pages;
  };
  static constexpr size_t kBuckets = 64;

  Bucket& bucketOf(int64_t page) { return buckets_[static_cast<size_t>(page) % kBuckets]; }
  static bool isFree(const PageLock& lock, uint64_t transaction, Mode mode);

  Bucket buckets_[kBuckets];
};

#endif
