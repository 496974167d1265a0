// Compiled for general registers only, because the stub saves no others: code here must not call functions that
// are compiled otherwise.
#include "perturb/code_place.h"
#include "perturb/delay.h"
#include "perturb/inserted_call.h"

namespace parallax::perturb {
namespace {

// The mark of the inserted call that runs in this thread; null: none. While it runs, no further calls are inserted.
__thread volatile uint64_t* insertedCall __attribute__((tls_model("initial-exec")));

// An unlikely value. A call that is left in a way that the agent does not see leaves its mark on the stack. The call has ended once the
// thread stands further out on the stack, or other frames have overwritten the mark.
inline uint64_t markOf(const volatile uint64_t* mark) { return reinterpret_cast<uint64_t>(mark) ^ 0x5AFE9A4A11A40004; }
inline bool isInInsertedCall(const void* frame) {
  const volatile uint64_t* mark = insertedCall;
  if (mark == nullptr || reinterpret_cast<uint64_t>(frame) >= reinterpret_cast<uint64_t>(mark)) return false;
  Word word{mark, 0};  // the stack of a coroutine that was left can be gone
  parallaxKeepState(readWord, &word);
  return word.value == markOf(mark);
}

inline int64_t extended(ValueType type, uint64_t value) {
  switch (type) {
    case ValueType::kI32: return static_cast<int32_t>(value);
    case ValueType::kU32: return static_cast<uint32_t>(value);
    default: return static_cast<int64_t>(value);
  }
}

inline bool isLess(ValueType type, int64_t a, int64_t b) {
  return type == ValueType::kU64 ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
}

inline bool isWanted(const ArgumentChange& change, const uint64_t* arguments) {
  if (change.comparison == Comparison::kAlways) return true;
  const ValueType type = change.conditionType;
  const int64_t is = extended(type, arguments[change.conditionArgument]);
  const int64_t limit = extended(type, change.conditionValue);
  switch (change.comparison) {
    case Comparison::kEqual: return is == limit;
    case Comparison::kNotEqual: return is != limit;
    case Comparison::kLess: return isLess(type, is, limit);
    case Comparison::kLessOrEqual: return !isLess(type, limit, is);
    case Comparison::kGreater: return isLess(type, limit, is);
    case Comparison::kGreaterOrEqual: return !isLess(type, is, limit);
    default: return true;
  }
}

inline void apply(const ArgumentChange& change, const uint64_t* passed, uint64_t* arguments) {
  if (!isWanted(change, passed)) return;
  uint64_t* argument = &arguments[change.argument];
  const int64_t is = extended(change.type, *argument), value = extended(change.type, change.value);
  const bool takes = change.change == Change::kSet ||
                     (change.change == Change::kAtLeast ? isLess(change.type, is, value)
                                                        : isLess(change.type, value, is));
  if (takes) *argument = static_cast<uint64_t>(value);
}

// Words, without the library's functions.
inline void copyWords(uint64_t* to, const uint64_t* from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
    asm volatile("");  // otherwise a call of memcpy
  }
}

}  // namespace

void leaveInsertedCall(uint64_t stackPointer) {
  if (stackPointer > reinterpret_cast<uint64_t>(insertedCall)) insertedCall = nullptr;
}

extern "C" void parallaxEnterPlace(PlaceFrame* frame) {
  const auto& place = *reinterpret_cast<const CodePlace*>(frame->placeOrNext);
  constexpr uint32_t kCallWords = sizeof(InsertedCall) / sizeof(uint64_t);
  uint64_t arguments[kArguments], next;
  uint64_t calls[kMostCalls][kCallWords];
  uint32_t callCount;
  for (;;) {
    const uint32_t version = place.version.load(std::memory_order_acquire);
    const PlaceActions& actions = place.versions[version & 1];
    copyWords(arguments, frame->arguments, kArguments);
    for (uint32_t i = 0; i < actions.changeCount && i < kMostChanges; i++) {
      apply(actions.changes[i].what, frame->arguments, arguments);
    }
    callCount = isInInsertedCall(frame) ? 0 : actions.callCount;
    if (callCount > kMostCalls) callCount = kMostCalls;
    for (uint32_t i = 0; i < callCount; i++) {
      copyWords(calls[i], reinterpret_cast<const uint64_t*>(&actions.calls[i].what), kCallWords);
    }
    const Replacement& other = actions.replacement;
    const bool isOfOther = frame->caller - other.begin < other.end - other.begin;
    next = actions.replacementId != 0 && !isOfOther ? other.begin : place.code;
    // The loads above come before this one.
    if (place.version.load(std::memory_order_acquire) == version) break;
  }
  copyWords(frame->arguments, arguments, kArguments);
  if (callCount > 0) {
    volatile uint64_t mark = markOf(&mark);
    insertedCall = &mark;
    for (uint32_t i = 0; i < callCount; i++) parallaxKeepState(runInsertedCall, calls[i]);
    insertedCall = nullptr;
    mark = 0;
  }
  frame->placeOrNext = next;
}

}  // namespace parallax::perturb
