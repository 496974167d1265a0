#include "interpose/tuning/actions.h"

#include <cstring>

#include "base/memory.h"
#include "interpose/tuning/library_actions.h"
#include "interpose/tuning/program_symbols.h"
#include "live/live_tunables.h"
#include "perturb/patch_actions.h"

namespace parallax::tuning {
namespace {

using live::ArgumentType;
using live::ReturnType;
using live::ValueType;

uint64_t bytesOf(ValueType type) {
  return type == ValueType::kI32 || type == ValueType::kU32 || type == ValueType::kF32 ? 4 : 8;
}

// Who is called may keep the text.
const char* copyOf(const char* text) {
  const size_t size = strlen(text) + 1;
  auto* copy = static_cast<char*>(allocate(size));
  if (copy != nullptr) memcpy(copy, text, size);
  return copy;
}

// Integers and doubles are passed in registers of their own, each in their order, so that where they stand among each other does
// not matter. The type with dots also sets the register that tells functions with any number of arguments how many are doubles.
using Integers = uint64_t[live::kMostArguments];
using Doubles = double[live::kMostArguments];

template <class Result>
Result callWith(void* function, const Integers& i, const Doubles& d) {
  auto* typed = reinterpret_cast<Result (*)(uint64_t, ...)>(function);
  return typed(i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2], d[3], d[4], d[5]);
}

bool sortArguments(const live::Action& action, Integers& integers, Doubles& doubles) {
  size_t integerCount = 0, doubleCount = 0;
  for (uint32_t i = 0; i < action.argumentCount && i < live::kMostArguments; i++) {
    switch (static_cast<ArgumentType>(action.argumentTypes[i])) {
      case ArgumentType::kInteger:
        integers[integerCount++] = action.arguments[i];
        break;
      case ArgumentType::kDouble:
        memcpy(&doubles[doubleCount++], &action.arguments[i], sizeof(double));
        break;
      case ArgumentType::kString: {
        if (action.arguments[i] >= sizeof action.text) return false;
        const char* text = copyOf(action.text + action.arguments[i]);
        if (text == nullptr) return false;
        integers[integerCount++] = reinterpret_cast<uint64_t>(text);
        break;
      }
    }
  }
  return true;
}

void sayName(const live::Action& action, Answer& answer) {
  if (action.name[0] != '\0') {
    answer.say("\"").say(action.name).say("\"");
  } else {
    answer.say("the address ").say(static_cast<int64_t>(action.address));
  }
  if (action.module[0] != '\0') answer.say(" in ").say(action.module);
}

}  // namespace

bool callFunction(const live::Action& action, Answer& answer) {
  void* function = findSymbol(action).address;
  if (function == nullptr) {
    answer.say("no loaded object exports a function ");
    sayName(action, answer);
    return answer.refuse();
  }
  if (!isExecutable(function)) {
    sayName(action, answer);
    return answer.say(" is not code").refuse();
  }
  Integers integers = {};
  Doubles doubles = {};
  if (!sortArguments(action, integers, doubles)) return answer.say("the arguments cannot be read").refuse();
  switch (static_cast<ReturnType>(action.returns)) {
    case ReturnType::kInt:
      answer.setResult(static_cast<uint64_t>(int64_t{callWith<int>(function, integers, doubles)}));
      break;
    case ReturnType::kLong:
      answer.setResult(callWith<uint64_t>(function, integers, doubles));
      break;
    case ReturnType::kDouble: {
      const double result = callWith<double>(function, integers, doubles);
      uint64_t bits;
      memcpy(&bits, &result, sizeof bits);
      answer.setResult(bits);
      break;
    }
  }
  return true;
}

bool setVariable(const live::Action& action, Answer& answer, DoneAction& done) {
  const ProgramSymbol variable = findSymbol(action);
  const auto type = static_cast<ValueType>(action.valueType);
  const uint64_t bytes = bytesOf(type);
  if (variable.address == nullptr) {
    answer.say("no loaded object exports a variable ");
    sayName(action, answer);
    return answer.refuse();
  }
  if (variable.sizeBytes != 0 && variable.sizeBytes % bytes != 0) {
    sayName(action, answer);
    return answer.say(" has ").say(static_cast<int64_t>(variable.sizeBytes)).say(" bytes, and the type that is asked for ")
        .say(static_cast<int64_t>(bytes)).refuse();
  }
  if (reinterpret_cast<uintptr_t>(variable.address) % bytes != 0 || !isWritable(variable.address, bytes)) {
    sayName(action, answer);
    return answer.say(" is no variable that can be written").refuse();
  }
  done.address = variable.address;
  done.object = objectAt(variable.address);
  done.type = type;
  done.old = live::loadValue(variable.address, type);
  answer.setOld(done.old);
  live::storeValue(variable.address, type, action.arguments[0]);
  answer.setResult(live::loadValue(variable.address, type));
  return true;
}

bool setTunable(const live::Action& action, Answer& answer, DoneAction& done) {
  live::DeclaredTunable* variable = live::findTunable(action.name);
  if (variable == nullptr) {
    return answer.say("the program has declared no tunable variable \"").say(action.name).say("\"").refuse();
  }
  if (!live::isWithin(*variable, action.arguments[0])) {
    return answer.say("the value is outside of the limits that the program has declared for \"").say(action.name).say("\"").refuse();
  }
  done.address = variable->address.load(std::memory_order_acquire);
  if (library::isOpenMpThreads(done.address) && !library::useOpenMpThreads(static_cast<int64_t>(action.arguments[0]), answer)) return false;
  done.type = variable->type;
  if (!isWritable(done.address, bytesOf(done.type))) return answer.say("the variable is not there any more").refuse();
  done.object = objectAt(done.address);
  done.old = live::loadValue(done.address, done.type);
  answer.setOld(done.old);
  live::storeValue(done.address, done.type, action.arguments[0]);
  const uint64_t now = live::loadValue(done.address, done.type);
  answer.setResult(now);
  live::tellTunable(*variable, now);
  return true;
}

bool restoreVariable(const DoneAction& done, Answer& answer) {
  // In its place there may be another object.
  const bool isThere = !done.isGone && isStillThere(done.object, done.address);
  if (!isThere || !isWritable(done.address, bytesOf(done.type))) return answer.say("the variable is not there any more").refuse();
  if (library::isOpenMpThreads(done.address) && !library::useOpenMpThreads(static_cast<int64_t>(done.old), answer)) return false;
  answer.setOld(live::loadValue(done.address, done.type));
  live::storeValue(done.address, done.type, done.old);
  answer.setResult(live::loadValue(done.address, done.type));
  if (done.kind == live::ActionKind::kTunable) {
    if (const live::DeclaredTunable* variable = live::findTunable(done.name)) live::tellTunable(*variable, done.old);
  }
  return true;
}

// The text has room for a NUL, but is written by another process.
bool changeCode(const live::Action& action, Answer& answer, DoneAction& done) {
  char path[sizeof action.text];
  memcpy(path, action.text, sizeof path);
  path[sizeof path - 1] = '\0';
  const perturb::PatchAnswer change = perturb::applyActionFile(path);
  if (change.id == 0) return answer.say(change.problem).refuse();
  done.old = change.id;
  return true;
}

bool giveBackCode(const DoneAction& done, Answer& answer) {
  const char* problem = perturb::undoPatch(static_cast<uint32_t>(done.old));
  return problem == nullptr || answer.say(problem).refuse();
}

}  // namespace parallax::tuning
