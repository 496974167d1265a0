// A marker is a return address on the program's stack that is replaced by the address of a stub,
// which jumps to the original address. While the marker is in its place, its frame has not
// returned, and all frames beyond it are unchanged: a walk that reaches a marker can stop there.
// (Szebenyi et al. 2011, II.A.4; Froyd et al. 2005.)
//
//   the stack            stubs, in the agent's code       entries, at the same distance each
//   | ...           |    | distance | 0               |   | not used                    |
//   | return address| -> | load, free, jump | 1 (page)|   | target | state | frame      |
//   | ...           |    | ...              | 255     |   | ...                         |
//
// What keeps a program safe that has them: - A stub changes only the flags and r11, which no caller
// expects to be preserved. It can be interrupted at any instruction, because it loads its target
// before it frees its entry. - An entry is reused only after its own stub was executed, or after an
// exception has passed the stub's frame and called its personality routine. If a frame ends
// otherwise (by longjmp, by a stack that is copied away and back, by the end of the thread), at
// most the entry is lost. - Stubs have call frame information that all unwinders understand: a stub
// is a frame without size between the callee and the caller. - A marker is set only if all of this
// holds: callee and caller have plain call frame information in loaded modules, the return address
// follows a call instruction, and the walk that found it began in an intercepted call and crossed
// no signal frame (unwinder_marks.cpp). - A process for which markersAllowed() is false has no
// markers.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) const char parallaxMarkers[];

namespace parallax {

// Number of a marker. 0 is none, and so are the multiples of kMarkersOfPage.
using Marker = uint16_t;

constexpr size_t kMarkerBytes = 16;
constexpr size_t kMarkersOfPage = 4096 / kMarkerBytes;
constexpr size_t kMarkerPages = 64;
constexpr size_t kMarkers = kMarkerPages * kMarkersOfPage;

struct MarkerEntry {
  enum State : uint8_t {
    kFree = 0,
    kPassed = 1,     // by an exception; free when it is seen so for the second time
    kStanding = 255  // its stub adds 1
  };
  uint64_t target;  // the real return address
  volatile uint8_t state;
  uint16_t frame;  // of the walk that its unwinder keeps
};
static_assert(sizeof(MarkerEntry) == kMarkerBytes);

extern "C" __attribute__((visibility("hidden"))) MarkerEntry parallaxMarkerEntries[kMarkers];

inline bool isMarker(uint64_t pc) {
  return pc - reinterpret_cast<uint64_t>(parallaxMarkers) < kMarkers * kMarkerBytes;
}
inline Marker markerAt(uint64_t pc) {
  return static_cast<Marker>((pc - reinterpret_cast<uint64_t>(parallaxMarkers)) / kMarkerBytes);
}
inline uint64_t addressOf(Marker marker) {
  return reinterpret_cast<uint64_t>(parallaxMarkers) + marker * kMarkerBytes;
}
inline MarkerEntry& entryOf(Marker marker) { return parallaxMarkerEntries[marker]; }

// The address at which a thread will continue that was interrupted at `pc` in a stub, with this
// value in r11.
uint64_t targetOfInterrupted(uint64_t pc, uint64_t r11);

// The markers of one unwinder, taken from all in small chunks that it keeps for good.
class MarkerPool {
 public:
  // A free marker, or 0 if none was found. It stays free until its state is kStanding.
  Marker take();

 private:
  static constexpr size_t kChunk = 85;  // three in a page
  static constexpr size_t kMostChunks = 16;

  bool grow();

  Marker chunks_[kMostChunks];
  uint32_t chunkCount_;
  uint32_t next_;        // which of all its markers to look at next
  uint32_t misses_;      // looked at in vain since the last that was free
  bool full_;            // all were in vain
};

// Whether return addresses may be replaced in this process. False if other code is known to read or
// check them (runtimes that walk their own stacks, shadow stacks), and with PARALLAX_MARKERS=0.
// Signal handlers may call it.
bool markersAllowed();
// Whether all frames are to be marked, not just some: PARALLAX_VISITS=1.
bool allMarkersWanted();
// Looks at the environment, the processor's state and the program; once. Not for signal handlers.
void prepareMarkers();
// A module has been loaded. `path` is that of its file.
void markersMeetModule(const char* path);
void forbidMarkers();

}  // namespace parallax
