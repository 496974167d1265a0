// The memory functions of the libraries that are loaded into programs. The program's functions may
// belong to a sanitizer. It would report the agent's reads of stacks, and its exchange of data
// between threads, as errors of the program. Calls inside the agent, including those that the
// compiler generates, bind to these functions, because they are not exported. Signal handlers may
// call them.
//
// A string instruction takes some 10 ns to start on many processors, as long as reading the clock. Short operations do
// without, by two groups of words that overlap in the middle. There are no loops, which the compiler would turn into calls of
// these functions, and no other registers than general ones, because code that preserves no others calls them, too.
#include <cstddef>
#include <cstdint>

// They are declared under other names, because the compiler ignores visibility for functions that
// it knows.
#if !defined(PARALLAX_OWN_PREFIX)  // of a test, which keeps those of its own libraries
#define PARALLAX_OWN_PREFIX ""
#endif
#define OWN(name) __asm__(PARALLAX_OWN_PREFIX name) __attribute__((visibility("hidden")))
extern "C" {
void* ownCopy(void* to, const void* from, size_t sizeBytes) OWN("memcpy");
void* ownMove(void* to, const void* from, size_t sizeBytes) OWN("memmove");
void* ownSet(void* to, int byte, size_t sizeBytes) OWN("memset");
int ownCompare(const void* one, const void* other, size_t sizeBytes) OWN("memcmp");
}
#undef OWN

namespace {

constexpr size_t kShortBytes = 64;

// At any address, of data of any type.
typedef uint16_t Short __attribute__((may_alias, aligned(1)));
typedef uint32_t Half __attribute__((may_alias, aligned(1)));
typedef uint64_t Word __attribute__((may_alias, aligned(1)));

template <class T>
const T* partAt(const void* data, size_t offset) {
  return reinterpret_cast<const T*>(static_cast<const char*>(data) + offset);
}
template <class T>
T* partAt(void* data, size_t offset) {
  return reinterpret_cast<T*>(static_cast<char*>(data) + offset);
}

// The first `kParts` parts of such a size, and the last ones. All are read before one is written.
template <class T, size_t kParts>
void copyEnds(void* to, const void* from, size_t sizeBytes) {
  const size_t end = sizeBytes - kParts * sizeof(T);
  T first[kParts], last[kParts];
#pragma GCC unroll 8
  for (size_t i = 0; i < kParts; i++) {
    first[i] = *partAt<T>(from, i * sizeof(T));
    last[i] = *partAt<T>(from, end + i * sizeof(T));
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kParts; i++) {
    *partAt<T>(to, i * sizeof(T)) = first[i];
    *partAt<T>(to, end + i * sizeof(T)) = last[i];
  }
}

// At most kShortBytes, which may overlap.
void copyShort(void* to, const void* from, size_t sizeBytes) {
  if (sizeBytes > 32) return copyEnds<Word, 4>(to, from, sizeBytes);
  if (sizeBytes > 16) return copyEnds<Word, 2>(to, from, sizeBytes);
  if (sizeBytes >= 8) return copyEnds<Word, 1>(to, from, sizeBytes);
  if (sizeBytes >= 4) return copyEnds<Half, 1>(to, from, sizeBytes);
  if (sizeBytes >= 2) return copyEnds<Short, 1>(to, from, sizeBytes);
  if (sizeBytes == 1) *partAt<char>(to, 0) = *partAt<char>(from, 0);
}

template <class T, size_t kParts>
void setEnds(void* to, uint64_t word, size_t sizeBytes) {
  const size_t end = sizeBytes - kParts * sizeof(T);
#pragma GCC unroll 8
  for (size_t i = 0; i < kParts; i++) {
    *partAt<T>(to, i * sizeof(T)) = static_cast<T>(word);
    *partAt<T>(to, end + i * sizeof(T)) = static_cast<T>(word);
  }
}

void setShort(void* to, uint64_t word, size_t sizeBytes) {
  if (sizeBytes > 32) return setEnds<Word, 4>(to, word, sizeBytes);
  if (sizeBytes > 16) return setEnds<Word, 2>(to, word, sizeBytes);
  if (sizeBytes >= 8) return setEnds<Word, 1>(to, word, sizeBytes);
  if (sizeBytes >= 4) return setEnds<Half, 1>(to, word, sizeBytes);
  if (sizeBytes >= 2) return setEnds<Short, 1>(to, word, sizeBytes);
  if (sizeBytes == 1) *partAt<char>(to, 0) = static_cast<char>(word);
}

}  // namespace

void* ownCopy(void* to, const void* from, size_t sizeBytes) {
  if (sizeBytes <= kShortBytes) {
    copyShort(to, from, sizeBytes);
    return to;
  }
  void* at = to;
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(sizeBytes) : : "memory");
  return to;
}

void* ownMove(void* to, const void* from, size_t sizeBytes) {
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  if (sizeBytes <= kShortBytes || target <= source || target >= source + sizeBytes) return ownCopy(to, from, sizeBytes);
  target += sizeBytes - 1;
  source += sizeBytes - 1;
  asm volatile("std\n\trep movsb\n\tcld"
               : "+D"(target), "+S"(source), "+c"(sizeBytes) : : "memory");
  return to;
}

void* ownSet(void* to, int byte, size_t sizeBytes) {
  if (sizeBytes <= kShortBytes) {
    setShort(to, static_cast<unsigned char>(byte) * 0x0101010101010101u, sizeBytes);
    return to;
  }
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
