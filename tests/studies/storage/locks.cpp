#include "locks.h"

#include <algorithm>

LockManager::LockManager() {
  for (Bucket& bucket : buckets_) {
    pthread_mutex_init(&bucket.mutex, nullptr);
    pthread_cond_init(&bucket.released, nullptr);
  }
}

bool LockManager::isFree(const PageLock& lock, uint64_t transaction, Mode mode) {
  if (lock.exclusive != 0 && lock.exclusive != transaction) return false;
  return mode == kShared || std::all_of(lock.shared.begin(), lock.shared.end(), [&](uint64_t t) {
    return t == transaction;
  });
}

void LockManager::lockPage(uint64_t transaction, int64_t page, Mode mode) {
  Bucket& bucket = bucketOf(page);
  pthread_mutex_lock(&bucket.mutex);
  while (!isFree(bucket.pages[page], transaction, mode)) {
    pthread_cond_wait(&bucket.released, &bucket.mutex);
  }
  PageLock& lock = bucket.pages[page];
  if (mode == kExclusive) {
    lock.exclusive = transaction;
  } else {
    lock.shared.push_back(transaction);
  }
  pthread_mutex_unlock(&bucket.mutex);
}

void LockManager::releaseLocks(uint64_t transaction) {
  for (Bucket& bucket : buckets_) {
    pthread_mutex_lock(&bucket.mutex);
    bool released = false;
    for (auto at = bucket.pages.begin(); at != bucket.pages.end();) {
      PageLock& lock = at->second;
      const size_t before = lock.shared.size();
      lock.shared.erase(std::remove(lock.shared.begin(), lock.shared.end(), transaction),
                        lock.shared.end());
      released = released || lock.exclusive == transaction || lock.shared.size() != before;
      if (lock.exclusive == transaction) lock.exclusive = 0;
      at = lock.exclusive == 0 && lock.shared.empty() ? bucket.pages.erase(at) : std::next(at);
    }
    if (released) pthread_cond_broadcast(&bucket.released);
    pthread_mutex_unlock(&bucket.mutex);
  }
}
