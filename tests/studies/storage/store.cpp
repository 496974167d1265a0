#include "store.h"

#include <string.h>

#include <algorithm>

bool Store::mount(const char* file) {
  return volume_.isMounted() || (volume_.linkVolume(file) && volume_.io_MountVolume(1));
}

uint64_t Store::beginTransaction() {
  pthread_mutex_lock(&mutex_);
  const uint64_t transaction = ++lastTransaction_;
  pthread_mutex_unlock(&mutex_);
  return transaction;
}

Store::Frame* Store::frameOf(int64_t page, bool read) {
  Frame* oldest = &pool_[0];
  for (Frame& frame : pool_) {
    if (frame.page == page) {
      frame.used = ++uses_;
      return &frame;
    }
    if (frame.used < oldest->used) oldest = &frame;
  }
  if (oldest->dirty) volume_.io_writePage(oldest->page, oldest->bytes);
  oldest->page = page;
  oldest->dirty = false;
  oldest->used = ++uses_;
  if (read && !volume_.io_readPage(page, oldest->bytes)) return nullptr;
  return oldest;
}

int64_t Store::createObject(uint64_t transaction, const void* bytes) {
  locks_.lockPage(transaction, kDirectory, LockManager::kExclusive);
  pthread_mutex_lock(&mutex_);
  const int64_t number = objects_++;
  creator_ = transaction;
  pthread_mutex_unlock(&mutex_);
  locks_.lockPage(transaction, pageOf(number), LockManager::kExclusive);
  log_->logWrite(transaction, number, bytes, kPageBytes);
  pthread_mutex_lock(&poolMutex_);
  Frame* frame = frameOf(pageOf(number), false);
  memcpy(frame->bytes, bytes, kPageBytes);
  frame->dirty = true;
  pthread_mutex_unlock(&poolMutex_);
  return number;
}

bool Store::readObject(uint64_t transaction, int64_t number, void* bytes) {
  locks_.lockPage(transaction, kDirectory, LockManager::kShared);
  if (number < 0 || number >= objects_) return false;
  locks_.lockPage(transaction, pageOf(number), LockManager::kShared);
  pthread_mutex_lock(&poolMutex_);
  const Frame* frame = frameOf(pageOf(number), true);
  if (frame != nullptr) memcpy(bytes, frame->bytes, kPageBytes);
  pthread_mutex_unlock(&poolMutex_);
  return frame != nullptr;
}

bool Store::commit(uint64_t transaction) {
  bool well = true;
  pthread_mutex_lock(&mutex_);
  const bool created = creator_ == transaction;
  pthread_mutex_unlock(&mutex_);
  if (created) {
    log_->logWrite(transaction, -1, nullptr, 0);
    well = log_->logForce();
    pthread_mutex_lock(&mutex_);
    committedObjects_ = objects_;
    pthread_cond_broadcast(&committed_);
    pthread_mutex_unlock(&mutex_);
  }
  locks_.releaseLocks(transaction);
  return well;
}

void Store::waitForObject(int64_t number) {
  pthread_mutex_lock(&mutex_);
  while (committedObjects_ <= number) pthread_cond_wait(&committed_, &mutex_);
  pthread_mutex_unlock(&mutex_);
}

bool Store::close() {
  for (const Frame& frame : pool_) {
    if (frame.dirty) volume_.io_writePage(frame.page, frame.bytes);
  }
  return volume_.dismount();
}
