#include "join.h"

namespace {

class Lock {
 public:
  PART_OF_CALLER explicit Lock(pthread_mutex_t* mutex) : mutex_(mutex) {
    pthread_mutex_lock(mutex);
  }
  PART_OF_CALLER ~Lock() { pthread_mutex_unlock(mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

}  // namespace

void openStations(Shared* shared, int buffersEach) {
  pthread_mutexattr_t mutexes;
  pthread_condattr_t conditions;
  pthread_mutexattr_init(&mutexes);
  pthread_mutexattr_setpshared(&mutexes, PTHREAD_PROCESS_SHARED);
  pthread_condattr_init(&conditions);
  pthread_condattr_setpshared(&conditions, PTHREAD_PROCESS_SHARED);
  for (int w = 0; w < shared->workers; w++) {
    Station& station = shared->stations[w];
    pthread_mutex_init(&station.mutex, &mutexes);
    pthread_cond_init(&station.changed, &conditions);
    auto* buffers = static_cast<Buffer*>(share(sizeof(Buffer) * static_cast<size_t>(buffersEach)));
    for (int i = 0; i < buffersEach; i++) {
      buffers[i].owner = w;
      buffers[i].next = station.empty;
      station.empty = &buffers[i];
    }
  }
  pthread_mutex_init(&shared->mutex, &mutexes);
}

void Exchange::open(File* file) {
  file_ = file;
  file_->count = 0;
  ended_ = 0;
}

Buffer* Exchange::get_output_buffers() {
  Station& own = shared_->stations[worker_];
  for (;;) {
    Buffer* received;
    {
      const Lock lock(&own.mutex);
      while (own.empty == nullptr && own.first == nullptr) {
        pthread_cond_wait(&own.changed, &own.mutex);
      }
      if (own.empty != nullptr) {
        Buffer* buffer = own.empty;
        own.empty = buffer->next;
        buffer->block.count = 0;
        buffer->last = false;
        return buffer;
      }
      received = own.first;
      own.first = nullptr;
    }
    take(received);
  }
}

void Exchange::exchange_buffers(int to, Buffer* full) {
  Station& other = shared_->stations[to];
  {
    const Lock lock(&other.mutex);
    full->next = nullptr;
    (other.first == nullptr ? other.first : other.end->next) = full;
    other.end = full;
    pthread_cond_signal(&other.changed);
  }
  Station& own = shared_->stations[worker_];
  Buffer* received;
  {
    const Lock lock(&own.mutex);
    received = own.first;
    own.first = nullptr;
  }
  take(received);
}

void Exchange::return_buffer(Buffer* buffer) {
  Station& owner = shared_->stations[buffer->owner];
  const Lock lock(&owner.mutex);
  buffer->next = owner.empty;
  owner.empty = buffer;
  pthread_cond_signal(&owner.changed);
}

void Exchange::take(Buffer* received) {
  while (received != nullptr) {
    Buffer* const next = received->next;
    if (received->block.count > 0) writeblk(file_, &received->block);
    ended_ += received->last ? 1 : 0;
    return_buffer(received);
    received = next;
  }
}

void Exchange::waitForMore() {
  Station& own = shared_->stations[worker_];
  Buffer* received;
  {
    const Lock lock(&own.mutex);
    while (own.first == nullptr) pthread_cond_wait(&own.changed, &own.mutex);
    received = own.first;
    own.first = nullptr;
  }
  take(received);
}

void Exchange::close() {
  while (ended_ < shared_->workers) waitForMore();
}
