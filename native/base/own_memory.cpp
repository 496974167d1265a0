// The memory functions of the libraries that are loaded into programs. The program's functions may
// belong to a sanitizer. It would report the agent's reads of stacks, and its exchange of data
// between threads, as errors of the program. Calls inside the agent, including those that the
// compiler generates, bind to these functions, because they are not exported. Signal handlers may
// call them.
//
// Each is one instruction, because the compiler already expands short operations inline.
#include <cstddef>

// They are declared under other names, because the compiler ignores visibility for functions that
// it knows.
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

