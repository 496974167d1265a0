// The memory functions of what is loaded into programs. Those that a program has may be a
// sanitizer's, which would take what the agent reads of stacks, and hands from thread to thread in
// ways that it does not see, for errors of the program. Calls from inside the agent come here, as
// these are not exported; the compiler itself makes such calls. Signal handlers may call them.
//
// All in one instruction: what is short has been written out by the compiler where it is wanted.
#include <cstddef>

// By names of their own, as the compiler gives no visibility to functions that it knows.
#define OWN(name) __asm__(name) __attribute__((visibility("hidden")))
extern "C" {
void* ownCopy(void* to, const void* from, size_t sizeBytes) OWN("memcpy");
void* ownMove(void* to, const void* from, size_t sizeBytes) OWN("memmove");
void* ownSet(void* to, int byte, size_t sizeBytes) OWN("memset");
int ownCompare(const void* one, const void* other, size_t sizeBytes) OWN("memcmp");
}
#undef OWN

void* ownCopy(void* to, const void* from, size_t sizeBytes) {
  void* at = to;
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(sizeBytes) : : "memory");
  return to;
}

void* ownMove(void* to, const void* from, size_t sizeBytes) {
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  if (target <= source || target >= source + sizeBytes) return ownCopy(to, from, sizeBytes);
  target += sizeBytes - 1;
  source += sizeBytes - 1;
  asm volatile("std\n\trep movsb\n\tcld"
               : "+D"(target), "+S"(source), "+c"(sizeBytes) : : "memory");
  return to;
}

void* ownSet(void* to, int byte, size_t sizeBytes) {
  void* at = to;
  asm volatile("rep stosb" : "+D"(at), "+c"(sizeBytes) : "a"(byte) : "memory");
  return to;
}

int ownCompare(const void* one, const void* other, size_t sizeBytes) {
  const auto* a = static_cast<const unsigned char*>(one);
  const auto* b = static_cast<const unsigned char*>(other);
  for (size_t i = 0; i < sizeBytes; i++) {
    if (a[i] != b[i]) return a[i] - b[i];
  }
  return 0;
}

