#include "perturb/patch.h"

#include <cstring>

#include "base/sys.h"
#include "perturb/code_writer.h"

namespace parallax::perturb {
namespace {

constexpr uint8_t kShortJump = 0xeb;
constexpr uint32_t kShortBytes = 2;
constexpr uint64_t kWanted = 1;           // the place will get a trampoline, but has no address yet
constexpr uint64_t kArenaHeadBytes = 16;  // holds the address of the stub
constexpr uint64_t kLongestPlace = kMostOriginalBytes + 256;  // with padding on either side

struct Range {
  uint64_t begin, end;
  bool meets(uint64_t otherBegin, uint64_t otherEnd) const {
    return begin < otherEnd && otherBegin < end;
  }
};

// What a place replaces: its instructions, and the padding that a short jump needs.
int rangesOf(const PlanPoint& point, Range* ranges) {
  const uint64_t bytes = point.method == Method::kTrap ? 1 : point.original.size;
  ranges[0] = {point.offset, point.offset + bytes};
  if (point.method != Method::kShort) return 1;
  ranges[1] = {point.pad, point.pad + kJumpBytes};
  return 2;
}

bool overlaps(const PlanPoint& a, const PlanPoint& b) {
  Range ofA[2], ofB[2];
  const int countA = rangesOf(a, ofA), countB = rangesOf(b, ofB);
  for (int i = 0; i < countA; i++) {
    for (int k = 0; k < countB; k++) {
      if (ofA[i].meets(ofB[k].begin, ofB[k].end)) return true;
    }
  }
  return false;
}

const char* problemOf(const LoadedModule& module, const PlanPoint& point) {
  const uint64_t at = module.bias + point.offset;
  if (!module.holdsCode(at, point.original.size)) return "the place is not in the code of the module";
  if (memcmp(reinterpret_cast<const void*>(at), point.original.data, point.original.size) != 0) {
    return "the instructions at this place differ from those in the plan: the program was rebuilt, "
        "or another tool has changed it; make the plan again";
  }
  if (point.method == Method::kTrap && !module.trapsFollowed) {
    return "the place needs a trap, but SIGTRAP is not available (a debugger?)";
  }
  if (point.method == Method::kShort && !module.holdsCode(module.bias + point.pad, kJumpBytes)) {
    return "the padding of the place is outside of the module's code";
  }
  return nullptr;
}

void tell(const Place& place, const char* problem) {
  for (const Place* p = &place; p != nullptr; p = p->also) tellProblem(p->plan->id, problem);
}

// -------------------------------------------------------------- trampolines

constexpr uint64_t kFrameBytes = 8 + 5 + 6 + 1 + 1 + 8, kCallBytes = 10 + 6;

uint64_t trampolineBytes(const Place& place) {
  uint64_t bytes = kFrameBytes + place.plan->code.size;
  for (const Place* p = &place; p != nullptr; p = p->also) bytes += kCallBytes;
  return (bytes + 15) & ~uint64_t{15};
}

// `stub` holds the address of parallaxDelayStub.
bool writeTrampoline(Place* place, const LoadedModule& module, uint64_t at, uint64_t stub) {
  CodeWriter writer(at);
  const uint64_t address = module.bias + place->plan->offset;
  writer.word(address + 1);
  place->trampoline = writer.at();
  writer.code("\x48\x8d\x64\x24\x80");  // lea -128(%rsp), %rsp
  writer.code("\xff\x35");              // push of the word
  writer.relative(at);
  writer.code("\x57");                  // push %rdi
  for (const Place* p = place; p != nullptr; p = p->also) {
    writer.code("\x48\xbf");            // mov $point, %rdi
    writer.word(reinterpret_cast<uint64_t>(p->point));
    writer.code("\xff\x15");            // call *stub
    writer.relative(stub);
  }
  writer.code("\x5f");                  // pop %rdi
  writer.code("\x48\x8d\xa4\x24\x88\x00\x00\x00");  // lea 136(%rsp), %rsp
  const uint64_t code = writer.at();
  writer.bytes(place->plan->code.data, place->plan->code.size);
  const bool reached = reaches(code, address) &&
                       applyFixes(place->plan->fixes, place->plan->fixCount, module.bias, code);
  if (!reached) place->trampoline = 0;
  return reached;
}

// ---------------------------------------------------------------------- code

// The bytes that lead away from a place; as many as it replaces.
void leadAway(const LoadedModule& module, const Place& place, uint8_t* bytes) {
  const PlanPoint& point = *place.plan;
  memset(bytes, kInt3, point.original.size);
  if (point.method == Method::kJump) {
    bytes[0] = kJump;
    const auto distance =
        static_cast<int32_t>(place.trampoline - (module.bias + point.offset + kJumpBytes));
    memcpy(bytes + 1, &distance, sizeof distance);
  } else if (point.method == Method::kShort) {
    bytes[0] = kShortJump;
    bytes[1] = static_cast<uint8_t>(point.pad - (point.offset + kShortBytes));
  }
}

void writeTrap(const LoadedModule& module, const Place& place) {
  store(module.bias + place.plan->offset, kInt3);
}

void writePlace(const LoadedModule& module, const Place& place) {
  const PlanPoint& point = *place.plan;
  const uint64_t at = module.bias + point.offset;
  if (point.method == Method::kTrap) return writeTrap(module, place);
  uint8_t bytes[kMostOriginalBytes];
  if (point.method == Method::kShort) {
    // Padding is never executed, so it can hold the long jump.
    const auto distance = static_cast<int32_t>(place.trampoline - (module.bias + point.pad + 5));
    memcpy(bytes, &distance, sizeof distance);
    for (uint32_t i = 0; i < 4; i++) store(module.bias + point.pad + 1 + i, bytes[i]);
    store(module.bias + point.pad, kJump);
  }
  leadAway(module, place, bytes);
  for (uint32_t i = 0; i < point.original.size; i++) store(at + i, bytes[i]);
}

template <class F>
void forEachWanted(Place* places, uint32_t count, F f) {
  for (uint32_t i = 0; i < count; i++) {
    if (places[i].trampoline != 0) f(places[i]);
  }
}

void giveUp(Place* places, uint32_t count, const char* problem) {
  forEachWanted(places, count, [&](Place& place) {
    tell(place, problem);
    place.trampoline = 0;
  });
}

// If other threads run, a place must be a trap, not a jump. A jump replaces several instructions,
// and a thread may be between two of them, or may return there later from a signal handler or a
// saved context. The agent cannot find all saved contexts. A trap replaces only the first byte of
// the place, so all other instructions stay valid.
void writePlaces(const LoadedModule& module, Place* places, uint32_t count, bool othersRun) {
  forEachWanted(places, count, [&](Place& place) {
    othersRun ? writeTrap(module, place) : writePlace(module, place);
  });
  if (othersRun) synchroniseCores();
}

}  // namespace

uint32_t layTrampolines(const LoadedModule& module, Place* places, uint32_t count, Arena* arena) {
  uint64_t bytes = kArenaHeadBytes;
  for (uint32_t i = 0; i < count; i++) {
    Place& place = places[i];
    const char* problem = problemOf(module, *place.plan);
    for (uint32_t k = i; k-- > 0 && problem == nullptr;) {
      if (places[k].plan->offset + kLongestPlace < place.plan->offset) break;
      if (places[k].trampoline != 0 && overlaps(*places[k].plan, *place.plan)) {
        problem = "the place overlaps with another point of the plan; leave one of them out";
      }
    }
    place.trampoline = problem == nullptr ? kWanted : 0;
    if (problem != nullptr) {
      tell(place, problem);
    } else {
      bytes += trampolineBytes(place);
    }
  }
  if (bytes == kArenaHeadBytes) return 0;
  arena->bytes = (bytes + kPageMask) & ~kPageMask;
  arena->start = mapNear(module.start, module.end, arena->bytes);
  uint32_t laid = 0;
  uint64_t at = arena->start + kArenaHeadBytes;
  const auto stub = reinterpret_cast<uint64_t>(parallaxDelayStub);
  if (arena->start != 0) memcpy(reinterpret_cast<void*>(arena->start), &stub, sizeof stub);
  forEachWanted(places, count, [&](Place& place) {
    place.trampoline = 0;
    if (arena->start == 0) {
      tell(place, "the trampoline of the place needs free memory within 2 GiB, and there is none");
    } else if (!writeTrampoline(&place, module, at, arena->start)) {
      tell(place, "the trampoline of the place cannot reach an address that the code uses");
    } else {
      laid++;
      at += trampolineBytes(place);
    }
  });
  if (laid > 0 && !protect(arena->start, arena->start + arena->bytes, PROT_READ | PROT_EXEC)) {
    giveUp(places, count, "the place cannot be installed: the system forbids programs to create "
        "code");
    laid = 0;
  }
  if (laid == 0) releaseArena(arena);
  return laid;
}

void releaseArena(Arena* arena) {
  if (arena->start != 0) sys::munmap(reinterpret_cast<void*>(arena->start), arena->bytes);
  *arena = {};
}

bool leadToTrampolines(const LoadedModule& module, Place* places, uint32_t count, bool othersRun) {
  if (othersRun && !synchroniseCores()) {
    giveUp(places, count,
           "the place is not installed: its module was loaded while several threads were running, "
           "and the system cannot synchronise processors (membarrier)");
    return false;
  }
  // The pages must stay executable, because signal handlers and other threads may run there.
  if (!protect(module.codeStart, module.codeEnd, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    giveUp(places, count,
           "the place cannot be installed: the system forbids programs to change their code");
    return false;
  }
  writePlaces(module, places, count, othersRun);
  protect(module.codeStart, module.codeEnd, module.codeProtection);
  return true;
}

}  // namespace parallax::perturb
