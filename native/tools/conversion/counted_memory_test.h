// Counts the bytes that a test program has allocated: what readers may take is stated. For one source file of a program.
#pragma once

#include <stdlib.h>

#include <new>

namespace {

// Bytes that are allocated now, and the most of them: what parsers may take is stated.
size_t allocatedBytes = 0, mostBytes = 0;

struct alignas(16) Header {
  size_t bytes;
};

void* allocate(size_t bytes) {
  auto* header = static_cast<Header*>(malloc(bytes + sizeof(Header)));
  if (header == nullptr) abort();
  header->bytes = bytes;
  allocatedBytes += bytes;
  if (allocatedBytes > mostBytes) mostBytes = allocatedBytes;
  return header + 1;
}

void release(void* memory) {
  if (memory == nullptr) return;
  Header* header = static_cast<Header*>(memory) - 1;
  allocatedBytes -= header->bytes;
  free(header);
}

}  // namespace

void* operator new(size_t bytes) { return allocate(bytes); }
void* operator new[](size_t bytes) { return allocate(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
