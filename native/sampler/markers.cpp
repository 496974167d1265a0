#include "sampler/markers.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "base/settings.h"

extern "C" {
void caml_startup() __attribute__((weak));                  // OCaml finds frames by return addresses
void _ZN2v87Isolate10GetCurrentEv() __attribute__((weak));  // so does V8
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
void __msan_init() __attribute__((weak));
void __lsan_do_leak_check() __attribute__((weak));
}

namespace parallax {

MarkerEntry parallaxMarkerEntries[kMarkers] __attribute__((aligned(4096)));

namespace {

constexpr uint64_t kStubLoadBytes = 7;  // the first instruction of a stub

std::atomic<uint32_t> chunksTaken{0};
std::atomic<bool> forbidden{false};
std::atomic<bool> prepared{false};
bool allWanted = false;

// Whose code looks at return addresses: garbage collectors and exceptions of other languages,
// other tools that replace them, unwinders that trip over the call frame information of stubs.
constexpr const char* kForbiddenModules[] = {
    "libjvm.so",   "libcoreclr.so", "libmonosgen", "libmono-",   "libnode.so", "libv8",
    "libruby",     "libguile",      "libjulia",    "libgo.so",   "libmcount",  "libunwind.so",
    "libunwind-",  "libasan.so",    "libtsan.so",  "liblsan.so", "libmsan",    "libclang_rt.",
    "vgpreload_",  "libdynamorio",  "libasmrun",   "libcamlrun",
};

// Of runtimes that are linked into the program, or loaded with it, and export this. The dynamic linker
// looks for them when it loads the agent: a search of ours that finds nothing takes far longer.
bool hasForbiddenRuntime() {
  for (void (*const symbol)() : {caml_startup, _ZN2v87Isolate10GetCurrentEv, __asan_init, __tsan_init,
                                 __msan_init, __lsan_do_leak_check}) {
    if (symbol != nullptr) return true;
  }
  return false;
}

bool hasShadowStack() {
  uint64_t pointer = 0;
  asm volatile("rdsspq %0" : "+r"(pointer));  // does nothing where there is none
  return pointer != 0;
}

}  // namespace

uint64_t targetOfInterrupted(uint64_t pc, uint64_t r11) {
  // Once it is loaded, the entry may have been used again.
  return pc % kMarkerBytes >= kStubLoadBytes ? r11 : entryOf(markerAt(pc)).target;
}

bool MarkerPool::grow() {
  constexpr uint32_t kChunksOfPage = (kMarkersOfPage - 1) / kChunk;
  if (chunkCount_ == kMostChunks) return false;
  if (chunksTaken.load(std::memory_order_relaxed) >= kMarkerPages * kChunksOfPage) return false;
  const uint32_t chunk = chunksTaken.fetch_add(1, std::memory_order_relaxed);
  if (chunk >= kMarkerPages * kChunksOfPage) return false;
  chunks_[chunkCount_++] = static_cast<Marker>(chunk / kChunksOfPage * kMarkersOfPage + 1 +
                                               chunk % kChunksOfPage * kChunk);
  return true;
}

Marker MarkerPool::take() {
  // A deep stack stands in a row of them. When all were in vain, looking must not cost much.
  const int mostLooks = full_ ? 4 : 128;
  for (int looks = 0; looks < mostLooks; ++looks) {
    const uint32_t count = chunkCount_ * kChunk;
    if (misses_ >= count) {
      if (grow()) {
        next_ = count;  // all of the new chunk are free
      } else {
        full_ = true;
        if (count == 0) return 0;
      }
      misses_ = 0;
    }
    const Marker marker = static_cast<Marker>(chunks_[next_ / kChunk] + next_ % kChunk);
    next_ = next_ + 1 < chunkCount_ * kChunk ? next_ + 1 : 0;
    MarkerEntry& entry = entryOf(marker);
    if (entry.state == MarkerEntry::kFree) {
      misses_ = 0;
      full_ = false;
      return marker;
    }
    if (entry.state == MarkerEntry::kPassed) {
      entry.state = MarkerEntry::kFree;
      looks = 0;
    }
    ++misses_;
  }
  return 0;
}

bool allMarkersWanted() { return allWanted; }

bool markersAllowed() {
  return prepared.load(std::memory_order_relaxed) && !forbidden.load(std::memory_order_relaxed);
}

void forbidMarkers() { forbidden.store(true, std::memory_order_relaxed); }

void prepareMarkers() {
  if (prepared.load(std::memory_order_acquire)) return;
  bool allowed = setting(Setting::kMarkers) != "0" && !hasShadowStack() &&
                       !hasForbiddenRuntime();
  allWanted = setting(Setting::kVisits) == "1";
  if (!allowed) forbidMarkers();
  prepared.store(true, std::memory_order_release);
}

void markersMeetModule(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash != nullptr ? slash + 1 : path;
  for (const char* start : kForbiddenModules) {
    if (strncmp(name, start, strlen(start)) == 0) forbidMarkers();
  }
}

}  // namespace parallax

// -------------------------------------------------------------------- exceptions

using namespace parallax;

// Called by the unwinder of an exception, or of a thread that is cancelled, for the frame of a
// stub. In the phase that runs cleanups the stub will not be executed any more. What it is must
// be asked of the same unwinder: others have other contexts. Where that is not libgcc_s the
// marker is lost.
extern "C" __attribute__((visibility("hidden"), used)) int parallaxMarkerPersonality(
    int, int actions, uint64_t, void*, void* context) {
  constexpr int kCleanupPhase = 2, kContinueUnwind = 8;
  if ((actions & kCleanupPhase) == 0) return kContinueUnwind;
  using GetIp = uint64_t(void*);
  static std::atomic<GetIp*> getIp{nullptr};
  static std::atomic<const void*> base{nullptr};
  GetIp* get = getIp.load(std::memory_order_acquire);
  Dl_info info;
  if (get == nullptr) {
    get = reinterpret_cast<GetIp*>(dlsym(RTLD_DEFAULT, "_Unwind_GetIP"));
    if (get == nullptr || dladdr(reinterpret_cast<void*>(get), &info) == 0) return kContinueUnwind;
    base.store(info.dli_fbase, std::memory_order_relaxed);
    getIp.store(get, std::memory_order_release);
  }
  if (dladdr(__builtin_return_address(0), &info) == 0 ||
      info.dli_fbase != base.load(std::memory_order_relaxed)) {
    return kContinueUnwind;
  }
  const uint64_t pc = get(context);
  if (isMarker(pc)) {
    MarkerEntry& entry = entryOf(markerAt(pc));
    if (entry.state == MarkerEntry::kStanding) entry.state = MarkerEntry::kPassed;
  }
  return kContinueUnwind;
}

// ------------------------------------------------------------------------- stubs
//
// The call frame information: CFA = rsp, and the return address is
//   *((pc & -16) + *(uint32_t*)(pc & -4096)) - 1
// which is that of the caller's call instruction, because it counts as that of an interrupted one. The
// four bytes are the lower half of eight: valgrind, which reads this and prints what it does not know,
// does not know DW_OP_deref_size.
static_assert(kMarkerPages == 64 && kMarkersOfPage == 256, "the numbers below");
asm(R"(
  .pushsection .text.parallax_markers,"ax",@progbits
  .balign 4096
  .globl parallaxMarkers
  .hidden parallaxMarkers
  .hidden parallaxMarkerEntries
  .type parallaxMarkers, @function
parallaxMarkers:
  .cfi_startproc
  .cfi_signal_frame
  .cfi_personality 0x1b, parallaxMarkerPersonality
  .cfi_def_cfa rsp, 0
  .cfi_escape 0x16, 0x10, 23, 0x80, 0, 0x3c, 0x25, 0x3c, 0x24, 0x06, 0x08, 32, 0x24, 0x08, 32, 0x25, 0x80, 0, 0x34, 0x25, 0x34, 0x24, 0x22, 0x06, 0x31, 0x1c
  .set parallaxMarkerOffset, 0
  .rept 64
  .long parallaxMarkerEntries - parallaxMarkers
  .balign 16, 0xcc
  .set parallaxMarkerOffset, parallaxMarkerOffset + 16
  .rept 255
  mov parallaxMarkerEntries + parallaxMarkerOffset(%rip), %r11
  incb parallaxMarkerEntries + parallaxMarkerOffset + 8(%rip)
  jmp *%r11
  .balign 16, 0xcc
  .set parallaxMarkerOffset, parallaxMarkerOffset + 16
  .endr
  .endr
  .cfi_endproc
  .size parallaxMarkers, . - parallaxMarkers
  .popsection
)");
