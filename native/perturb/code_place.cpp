#include "perturb/code_place.h"

#include <cstring>

#include "base/memory.h"
#include "base/sys.h"
#include "perturb/code_writer.h"
#include "perturb/patch.h"

namespace parallax::perturb {
namespace {

constexpr uint32_t kMostPlaces = 256;
constexpr uint64_t kHeadBytes = 24, kWayBytes = 18;  // of a trampoline: its words, its three instructions
constexpr uint64_t kGone = 1;                        // address of a place whose module is gone

std::atomic<CodePlace*> places[kMostPlaces];
std::atomic<uint32_t> placeCount{0};

// ------------------------------------------------------------- trampolines

// Which bits of the jump's distance are given: bytes at which instructions begin, and low ones, which align
// the trampoline where they are free.
void distancesFor(const PreparedPlace& prepared, uint64_t address, uint32_t* mask, uint32_t* pattern) {
  *mask = *pattern = 0;
  for (uint32_t i = 1; i < prepared.startCount; i++) {
    const uint32_t at = prepared.starts[i].at;
    if (at >= kJumpBytes) continue;
    *mask |= uint32_t{0xff} << (at - 1) * 8;
    *pattern |= uint32_t{kInt3} << (at - 1) * 8;
  }
  if ((*mask & 0xff) != 0) return;
  *mask |= 15;
  *pattern |= static_cast<uint32_t>(0 - (address + kJumpBytes)) & 15;
}

// Finds memory for the trampoline. Returns where it begins, or 0.
uint64_t mapTrampoline(const LoadedModule& module, const PreparedPlace& prepared, uint64_t address, bool* jumps) {
  const uint64_t bytes = kWayBytes + prepared.codeBytes;
  if (prepared.canJump != 0) {
    uint32_t mask, pattern;
    distancesFor(prepared, address, &mask, &pattern);
    *jumps = true;
    const uint64_t begin = mapForJump(module.start, module.end, kHeadBytes, bytes, address, mask, pattern);
    if (begin != 0) return begin;
  }
  *jumps = false;
  const uint64_t start = mapNear(module.start, module.end, kPageMask + 1);
  return start == 0 ? 0 : start + kHeadBytes;
}

void unmapTrampoline(uint64_t begin, uint64_t bytes) {
  const uint64_t start = (begin - kHeadBytes) & ~kPageMask;
  sys::munmap(reinterpret_cast<void*>(start), ((begin + bytes + kPageMask) & ~kPageMask) - start);
}

bool writeTrampoline(const LoadedModule& module, const PreparedPlace& prepared, CodePlace* place) {
  const uint64_t head = place->begin - kHeadBytes;
  CodeWriter writer(head);
  writer.word(reinterpret_cast<uint64_t>(parallaxPlaceStub));
  writer.word(place->instruction + 1);
  writer.word(reinterpret_cast<uint64_t>(place));
  writer.bytes(prepared.code, prepared.wayAt);
  place->way = writer.at();
  writer.code("\xff\x35");  // push
  writer.relative(head + 8);
  writer.code("\xff\x35");
  writer.relative(head + 16);
  writer.code("\xff\x25");  // jmp
  writer.relative(head);
  place->code = writer.at();
  writer.bytes(prepared.code + prepared.wayAt, prepared.codeBytes - prepared.wayAt);
  for (uint32_t i = 0; i < prepared.fixCount; i++) {
    const PreparedFix& fix = prepared.fixes[i];
    const bool isBefore = fix.at < prepared.wayAt;
    const Fix own = {isBefore ? fix.at : fix.at - prepared.wayAt, static_cast<FixKind>(fix.kind), fix.target};
    if (!applyFixes(&own, 1, module.bias, isBefore ? place->begin : place->code)) return false;
  }
  const uint64_t start = head & ~kPageMask, end = (writer.at() + kPageMask) & ~kPageMask;
  return protect(start, end, PROT_READ | PROT_EXEC);
}

// ---------------------------------------------------------------- changes

bool isStart(const CodePlace& place, uint32_t at) {
  for (uint32_t i = 0; i < place.startCount; i++) {
    if (place.starts[i].at == at) return true;
  }
  return false;
}

// Stores bytes 1 to 4 of the place at which instructions begin (or do not), and makes all threads see them.
bool storeBehind(uint64_t address, const CodePlace& place, const uint8_t* bytes, bool starts) {
  bool any = false;
  for (uint32_t at = 1; at < kJumpBytes; at++) {
    if (isStart(place, at) != starts) continue;
    store(address + at, bytes[at]);
    any = true;
  }
  return !any || synchroniseCores();
}

bool storeFirst(uint64_t address, uint8_t byte) {
  store(address, byte);
  return synchroniseCores();
}

// The steps of code_place.h. If processors cannot be synchronised any more (a filter of system calls), the
// place stays at the step before, at which it works.
bool lead(uint64_t address, const CodePlace& place) {
  if (!storeFirst(address, kInt3)) return false;
  return !place.jumps || (storeBehind(address, place, place.jump, true) &&
                          storeBehind(address, place, place.jump, false) && storeFirst(address, kJump));
}

bool giveBack(uint64_t address, const CodePlace& place) {
  if (place.jumps && !(storeFirst(address, kInt3) && storeBehind(address, place, place.original, false) &&
                       storeBehind(address, place, place.original, true))) {
    return false;
  }
  return storeFirst(address, place.original[0]);
}

// Calls f() while the code of the module can be written. Its pages stay executable.
template <class F>
const char* whileWritable(const LoadedModule& module, uint64_t address, F f) {
  if (!synchroniseCores()) return "the system cannot synchronise processors (membarrier)";
  if (!module.holdsCode(address, 1)) return "the place is not in the code of the module";
  if (!protect(module.codeStart, module.codeEnd, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    return "the system forbids programs to change their code";
  }
  const bool done = f();
  protect(module.codeStart, module.codeEnd, module.codeProtection);
  return done ? nullptr : "the system no longer synchronises processors (membarrier); the code is left in between";
}

}  // namespace

void CodePlace::publish(const PlaceActions& actions) {
  const uint32_t next = version.load(std::memory_order_relaxed) + 1;
  versions[next & 1] = actions;
  version.store(next, std::memory_order_release);
}

uint32_t codePlaceCount() { return placeCount.load(std::memory_order_acquire); }
CodePlace* codePlaceAt(uint32_t index) { return places[index].load(std::memory_order_acquire); }

// Also what a change leaves that was interrupted, by a fork or a filter of system calls.
bool holdsOwnCode(const CodePlace& place) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(place.address.load(std::memory_order_relaxed));
  if (bytes[0] != kInt3 && !(place.jumps && bytes[0] == kJump)) return false;
  for (uint32_t at = 1; at < kJumpBytes && at < place.originalBytes; at++) {
    if (bytes[at] != place.original[at] && !(place.jumps && bytes[at] == place.jump[at])) return false;
  }
  return true;
}

void forgetPlace(CodePlace* place) {
  place->address.store(kGone, std::memory_order_release);
  place->isInstalled = false;
  place->publish({});
}

CodePlace* codePlace(const LoadedModule& module, const PreparedPlace& prepared, const char** problem) {
  const uint64_t address = module.bias + prepared.offset;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    CodePlace* known = codePlaceAt(i);
    if (known->address.load(std::memory_order_relaxed) == address) return known;
  }
  *problem = nullptr;
  const uint32_t index = codePlaceCount();
  if (index == kMostPlaces) {
    *problem = "too many functions have been changed in this process";
  } else if (!module.holdsCode(address, prepared.originalBytes)) {
    *problem = "the place is not in the code of the module";
  } else if (memcmp(reinterpret_cast<const void*>(address), prepared.original, prepared.originalBytes) != 0) {
    *problem = "the instructions in memory differ from those in the file: another tool has changed them, or "
        "another change stands in their way";
  }
  if (*problem != nullptr) return nullptr;
  auto* place = static_cast<CodePlace*>(allocate(sizeof(CodePlace)));
  bool jumps = false;
  const uint64_t begin = place == nullptr ? 0 : mapTrampoline(module, prepared, address, &jumps);
  if (begin == 0) {
    *problem = "there is no free memory within 2 GiB of the function";
    return nullptr;
  }
  place->begin = begin;
  place->jumps = jumps;
  place->moduleStart = module.start;
  place->originalBytes = prepared.originalBytes;
  place->startCount = prepared.startCount;
  place->backAt = prepared.backAt;
  place->backCopy = prepared.backCopy;
  place->wayAt = prepared.wayAt;
  place->instruction = address;
  for (uint32_t i = 0; i < prepared.startCount; i++) {
    if (prepared.starts[i].copy == prepared.wayAt) place->instruction = address + prepared.starts[i].at;
  }
  memcpy(place->original, prepared.original, sizeof place->original);
  memcpy(place->starts, prepared.starts, sizeof place->starts);
  place->jump[0] = kJump;
  const auto distance = static_cast<uint32_t>(begin - (address + kJumpBytes));
  memcpy(place->jump + 1, &distance, sizeof distance);
  if (!writeTrampoline(module, prepared, place)) {
    *problem = "the displaced instructions cannot run elsewhere: an address is out of reach, or the system "
        "forbids programs to create code";
    unmapTrampoline(begin, kWayBytes + prepared.codeBytes);
    return nullptr;
  }
  place->address.store(address, std::memory_order_release);
  places[index].store(place, std::memory_order_release);
  placeCount.store(index + 1, std::memory_order_release);  // before any thread can reach a trap
  return place;
}

const char* installPlace(const LoadedModule& module, CodePlace* place) {
  const uint64_t address = place->address.load(std::memory_order_relaxed);
  if (place->isInstalled) return nullptr;
  if (memcmp(reinterpret_cast<const void*>(address), place->original, place->originalBytes) != 0) {
    return "the instructions in memory are not those that were there before: another tool has changed them, or "
           "another change stands in their way";
  }
  place->isInstalled = true;  // in a child that is forked now
  const char* problem = whileWritable(module, address, [&] { return lead(address, *place); });
  // What is left in between works, and so is there.
  place->isInstalled = *reinterpret_cast<const uint8_t*>(address) != place->original[0];
  return problem;
}

const char* removePlace(const LoadedModule& module, CodePlace* place) {
  const uint64_t address = place->address.load(std::memory_order_relaxed);
  if (!place->isInstalled) return nullptr;
  if (!holdsOwnCode(*place)) {
    return "another tool has changed the code after us; the change has no effect any more, but the code stays";
  }
  const char* problem = whileWritable(module, address, [&] { return giveBack(address, *place); });
  place->isInstalled = *reinterpret_cast<const uint8_t*>(address) != place->original[0];
  return problem;
}

bool followPlaceTrap(siginfo_t* info, ucontext_t* context) {
  if (info->si_code != SI_KERNEL) return false;  // the kernel's code for an int3
  auto& rip = context->uc_mcontext.gregs[REG_RIP];
  const uint64_t at = static_cast<uint64_t>(rip) - 1;
  const uint32_t count = codePlaceCount();
  for (uint32_t i = 0; i < count; i++) {
    const CodePlace& place = *codePlaceAt(i);
    const uint64_t behind = at - place.address.load(std::memory_order_acquire);
    if (behind >= kJumpBytes) continue;
    for (uint32_t k = 0; k < place.startCount; k++) {
      if (place.starts[k].at != behind) continue;
      rip = static_cast<greg_t>(place.copyAt(place.starts[k].copy));
      return true;
    }
  }
  return false;
}

bool originalOf(uint64_t* pc, uint64_t* rsp) {
  // Here the frame has no size, which walks refuse.
  if (*pc == reinterpret_cast<uint64_t>(parallaxPlaceStubEnd)) {
    *pc = reinterpret_cast<const uint64_t*>(*rsp)[-1] - 1;
    return true;
  }
  const uint32_t count = codePlaceCount();
  for (uint32_t i = 0; i < count; i++) {
    const CodePlace& place = *codePlaceAt(i);
    if (*pc - place.begin >= kWayBytes + kMostPreparedCode) continue;
    if (*pc >= place.way && *pc < place.code) {
      constexpr uint64_t kPushBytes = 6;
      *rsp += (*pc - place.way) / kPushBytes * 8;
      *pc = place.instruction;
      return true;
    }
    const uint64_t address = place.address.load(std::memory_order_acquire);
    for (uint32_t k = 0; k < place.startCount; k++) {
      const uint32_t copy = place.starts[k].copy;
      if (*pc != (copy == place.wayAt ? place.code : place.copyAt(copy))) continue;
      *pc = address + place.starts[k].at;
      return true;
    }
    if (place.backCopy == 0 || *pc != place.copyAt(place.backCopy)) return false;
    *pc = address + place.backAt;
    return true;
  }
  return false;
}

}  // namespace parallax::perturb
