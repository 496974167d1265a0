#include "base/memory.h"

#include <atomic>

#include "base/scratch.h"
#include "base/sys.h"

namespace parallax {
namespace {

constexpr size_t kChunkBytes = 256 << 10;
constexpr size_t kAlign = 16;

// A chunk begins with the number of its bytes in use.
struct Chunk {
  std::atomic<size_t> used;
};

std::atomic<Chunk*> current{nullptr};
std::atomic<char*> spareScratch{nullptr};  // one is usually enough, and costs no system call

}  // namespace

void* allocatePages(size_t sizeBytes) { return sys::pages(sizeBytes); }

void releasePages(void* pages, size_t sizeBytes) { sys::munmap(pages, sizeBytes); }

void* allocate(size_t sizeBytes) {
  const size_t size = (sizeBytes + kAlign - 1) & ~(kAlign - 1);
  if (size > kChunkBytes / 4) return sys::pages(size);
  for (;;) {
    Chunk* chunk = current.load(std::memory_order_acquire);
    if (chunk != nullptr) {
      const size_t at = chunk->used.fetch_add(size, std::memory_order_relaxed);
      if (at + size <= kChunkBytes) return reinterpret_cast<char*>(chunk) + at;
    }
    auto* fresh = static_cast<Chunk*>(sys::pages(kChunkBytes));
    if (fresh == nullptr) return nullptr;
    fresh->used.store(kAlign > sizeof(Chunk) ? kAlign : sizeof(Chunk), std::memory_order_relaxed);
    // If another thread was faster, use its chunk.
    if (!current.compare_exchange_strong(chunk, fresh, std::memory_order_acq_rel)) {
      sys::munmap(fresh, kChunkBytes);
    }
  }
}

Scratch::Scratch() : bytes_(spareScratch.exchange(nullptr, std::memory_order_acquire)) {
  if (bytes_ == nullptr) bytes_ = static_cast<char*>(sys::pages(kBytes));
}

Scratch::~Scratch() {
  char* none = nullptr;
  if (bytes_ != nullptr &&
      !spareScratch.compare_exchange_strong(none, bytes_, std::memory_order_release)) {
    sys::munmap(bytes_, kBytes);
  }
}

}  // namespace parallax
