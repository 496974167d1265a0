#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void waitFor(sem_t* semaphore) {
  while (sem_wait(semaphore) != 0 && errno == EINTR) {
  }
}

bool serve(int file, DiskRequest* request) {
  const auto offset = static_cast<off_t>(request->page) * static_cast<off_t>(kPageBytes);
  switch (request->kind) {
    case DiskRequest::kRead: {
      const ssize_t count = pread(file, request->bytes, kPageBytes, offset);
      if (count >= 0) memset(request->bytes + count, 0, kPageBytes - static_cast<size_t>(count));
      return count >= 0;
    }
    case DiskRequest::kWrite:
      return pwrite(file, request->bytes, kPageBytes, offset) == static_cast<ssize_t>(kPageBytes);
    case DiskRequest::kSync: return fdatasync(file) == 0;
    default: return true;
  }
}

// The disk process: until it is told to quit. Status 1: something that nobody waited for failed.
PROCEDURE int diskrw(const char* path, DiskQueue* queue) {
  close_range(3, ~0u, 0);  // connections of the server
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  bool failed = file < 0;
  for (bool quit = false; !quit;) {
    waitFor(&queue->requests);
    DiskRequest& request = queue->slots[queue->order[queue->next++ % DiskQueue::kSlots]];
    quit = request.kind == DiskRequest::kQuit;
    request.failed = !serve(file, &request);
    failed = failed || request.failed;
    if (request.awaited) {
      sem_post(&request.done);
    } else {
      request.taken.store(false, std::memory_order_release);
      sem_post(&queue->free);
    }
  }
  close(file);
  return failed ? 1 : 0;
}

}  // namespace

bool Volume::linkVolume(const char* file) {
  if (strlen(file) >= sizeof file_) return false;
  strcpy(file_, file);
  return true;
}

bool Volume::io_MountVolume(int number) {
  void* memory = mmap(nullptr, sizeof(DiskQueue), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* queue = static_cast<DiskQueue*>(memory);
  sem_init(&queue->requests, 1, 0);
  sem_init(&queue->free, 1, DiskQueue::kSlots);
  for (DiskRequest& slot : queue->slots) sem_init(&slot.done, 1, 0);
  process_ = fork();
  if (process_ < 0) return false;
  if (process_ == 0) {
    char name[16];
    snprintf(name, sizeof name, "diskrw[%d]", number);
    prctl(PR_SET_NAME, name);
    _exit(diskrw(file_, queue));
  }
  queue_ = queue;
  return true;
}

uint32_t Volume::takeSlot() {
  waitFor(&queue_->free);
  for (uint32_t i = 0;; i = (i + 1) % DiskQueue::kSlots) {
    if (!queue_->slots[i].taken.exchange(true, std::memory_order_acq_rel)) return i;
  }
}

void Volume::ask(uint32_t slot, DiskRequest::Kind kind, int64_t page, bool awaited) {
  DiskRequest& request = queue_->slots[slot];
  request.kind = kind;
  request.page = page;
  request.awaited = awaited;
  pthread_mutex_lock(&mutex_);
  queue_->order[last_++ % DiskQueue::kSlots] = slot;
  sem_post(&queue_->requests);
  pthread_mutex_unlock(&mutex_);
}

bool Volume::finish(uint32_t slot) {
  waitFor(&queue_->slots[slot].done);
  return !queue_->slots[slot].failed;
}

void Volume::giveBack(uint32_t slot) {
  queue_->slots[slot].taken.store(false, std::memory_order_release);
  sem_post(&queue_->free);
}

bool Volume::io_readPage(int64_t page, void* bytes) {
  const uint32_t slot = takeSlot();
  ask(slot, DiskRequest::kRead, page, true);
  const bool well = finish(slot);
  memcpy(bytes, queue_->slots[slot].bytes, kPageBytes);
  giveBack(slot);
  return well;
}

bool Volume::io_sync() {
  const uint32_t slot = takeSlot();
  ask(slot, DiskRequest::kSync, 0, true);
  const bool well = finish(slot);
  giveBack(slot);
  return well;
}

void Volume::io_writePage(int64_t page, const void* bytes) {
  const uint32_t slot = takeSlot();
  memcpy(queue_->slots[slot].bytes, bytes, kPageBytes);
  ask(slot, DiskRequest::kWrite, page, false);
}

bool Volume::dismount() {
  if (!isMounted()) return true;
  ask(takeSlot(), DiskRequest::kQuit, 0, false);
  int status = 0;
  waitpid(process_, &status, 0);
  munmap(queue_, sizeof *queue_);
  queue_ = nullptr;
  return status == 0;
}
