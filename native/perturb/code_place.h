// Places of loaded modules whose code is changed and given back while threads execute it, any number of
// times. A place is the first instruction of a function, or a return with some instructions in front of it.
//
// The trampoline of a place is
//
//          parallaxPlaceStub                 8 bytes
//          1 + address of the instruction    8 bytes
//          its CodePlace                     8 bytes
//   begin: displaced instructions in front of a return, made to run here; none at an entry
//   way:   push of 1 + address               for unwinders, who then see the instruction as the caller
//          push of the CodePlace
//          jmp *parallaxPlaceStub
//   code:  the displaced instructions from the first one, or the return, on, with the jump back
//
// and the stub goes on at `code`, or in another function. A jump of 5 bytes leads from the place to
// `begin`. Why this is safe, whatever the threads are doing:
//
// - They may be anywhere, also between two of the instructions that the jump replaces, or on the way back
//   there from a signal handler or a saved context; nobody can find all of these. So each byte of the
//   jump at which one of the displaced instructions begins is 0xCC (int3): `begin` lies where the distance
//   has these bytes. A thread that comes to such a byte takes the trap, whose handler lets it go on at the
//   copy of the instruction. No other byte can be reached: no branch, table, exception or pointer leads
//   there (points_targets.h), and no call in front of one returns to it.
// - The first byte is an int3 whenever the bytes behind it are in transition. It leads to `begin` too, and
//   so a change that is interrupted for long (or forever, in a child that was forked meanwhile) works.
//   Between two steps, membarrier makes all processors forget instructions that they fetched before. Only
//   single bytes of instructions that may be executing are stored.
// - On the way back, the order is the reverse: int3 first, then the bytes at which no instruction begins,
//   then those at which one does, then the first one.
// - A trampoline is never freed, nor changed once a thread can come to it. What it does is data
//   (PlaceActions), of which readers take one whole version.
// - Where no memory is at a fitting distance, and where fewer than 5 bytes are free, only the first byte
//   changes, into an int3, which costs some 2.5 us at each visit.
//
// All of this needs a SIGTRAP that no thread blocks; see patch_actions.cpp.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>

#include "perturb/loaded_module.h"
#include "perturb/patch_actions.h"
#include "perturb/prepared_patch.h"

namespace parallax::perturb {

constexpr uint32_t kMostChanges = 8, kMostCalls = 4;

struct PlacedChange {
  uint32_t id;
  ArgumentChange what;
};
struct PlacedCall {
  uint32_t id;
  InsertedCall what;
};

// What happens at a place, in the order in which it was asked for.
struct PlaceActions {
  uint32_t changeCount = 0, callCount = 0;
  uint32_t replacementId = 0;
  Replacement replacement;
  PlacedChange changes[kMostChanges];
  PlacedCall calls[kMostCalls];

  bool isEmpty() const { return changeCount == 0 && callCount == 0 && replacementId == 0; }
};

struct CodePlace {
  // Constant until the module is gone.
  std::atomic<uint64_t> address;
  uint64_t begin, way, code;  // of the trampoline
  uint64_t instruction;       // the first one, or the return
  uint64_t moduleStart;
  uint8_t original[kMostPreparedBytes], originalBytes;
  PreparedStart starts[kMostPreparedStarts];
  uint8_t startCount;
  uint8_t backAt, backCopy, wayAt;
  bool jumps;
  uint8_t jump[5];

  // The version of what to do is versions[version & 1]. It is valid if `version` is the same after it was read.
  std::atomic<uint32_t> version;
  PlaceActions versions[2];
  bool isInstalled;  // the code leads to the trampoline

  const PlaceActions& actions() const { return versions[version.load(std::memory_order_acquire) & 1]; }
  void publish(const PlaceActions& actions);
  // Where the trampoline has the instruction that is at this offset in the displaced code.
  uint64_t copyAt(uint32_t offset) const {
    return offset < wayAt ? begin + offset : offset == wayAt ? way : code + offset - wayAt;
  }
};

// The functions below are called by one thread at a time.

// The place of this process that a prepared place is; it is made if there is none, and stays. Null, and why,
// if it cannot be.
CodePlace* codePlace(const LoadedModule& module, const PreparedPlace& prepared, const char** problem);
// Makes the code lead to the trampoline, and gives it back. Return what is wrong, or null.
const char* installPlace(const LoadedModule& module, CodePlace* place);
const char* removePlace(const LoadedModule& module, CodePlace* place);
// Whether the memory at the place is what it should be.
bool holdsOwnCode(const CodePlace& place);
// The module of the place is gone: its number stays, its address is free.
void forgetPlace(CodePlace* place);
// All places so far, also those that are forgotten. Signal handlers may call both.
uint32_t codePlaceCount();
CodePlace* codePlaceAt(uint32_t index);

// A TrapClaim of the sampler, called in signal context.
bool followPlaceTrap(siginfo_t* info, ucontext_t* context);
// The address that an instruction of a trampoline stands for, with the stack pointer there, for walks of
// the stack. False if it is none. Signal handlers may call it.
bool originalOf(uint64_t* pc, uint64_t* rsp);

// The way from trampolines to parallaxEnterPlace (place_stub.cpp).
extern "C" void parallaxPlaceStub() __attribute__((visibility("hidden")));
extern "C" const char parallaxPlaceStubEnd[] __attribute__((visibility("hidden")));  // its last instruction

// The registers at a place, as the stub saves them.
struct PlaceFrame {
  uint64_t padding, flags, r11, r10;
  uint64_t arguments[6];  // rdi, rsi, rdx, rcx, r8, r9
  uint64_t rax;
  uint64_t placeOrNext;  // the CodePlace; on the way back where to go on
  uint64_t address;
  uint64_t caller;       // the return address of the function
};
// Does what is to be done at a place (place_entry.cpp).
extern "C" void parallaxEnterPlace(PlaceFrame* frame) __attribute__((visibility("hidden")));

}  // namespace parallax::perturb
