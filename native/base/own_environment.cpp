#include "base/own_environment.h"

#include <cstring>

#include "base/memory.h"
#include "base/text.h"

namespace parallax {
namespace {

constexpr char kPreload[] = "LD_PRELOAD=", kSanitizer[] = "ASAN_OPTIONS=", kPvm[] = "PVM_EXPORT=",
               kTrace[] = "PARALLAX_TRACE=", kPlan[] = "PARALLAX_PERTURB=", kTune[] = "PARALLAX_TUNE=", kOwn[] = "PARALLAX_";
constexpr char kSeparators[] = ": ";  // of LD_PRELOAD
// A program with the address sanitizer's library refuses to start when anything is preloaded before
// that. The agent's routines call those of the sanitizer.
constexpr char kAnyOrder[] = "verify_asan_link_order=0";

OwnEnvironment kept;

bool beginsWith(const char* text, const char* beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

const char* findIn(char* const* environment, const char* name) {
  for (; environment != nullptr && *environment != nullptr; environment++) {
    if (beginsWith(*environment, name)) return *environment;
  }
  return nullptr;
}

const char* valueOf(const char* variable) {
  return variable == nullptr ? "" : strchr(variable, '=') + 1;
}

// visit(part, length) for each part of a list.
template <class Visit>
void visitParts(const char* list, const char* separators, Visit visit) {
  while (*list != '\0') {
    const size_t length = lengthBefore(list, separators);
    if (length > 0) visit(list, length);
    list += length;
    if (*list != '\0') list++;
  }
}

bool isSame(const char* part, size_t length, const char* text) {
  return strncmp(part, text, length) == 0 && text[length] == '\0';
}

bool hasPart(const char* list, const char* separators, const char* text) {
  bool found = false;
  visitParts(list, separators, [&](const char* part, size_t length) {
    found |= isSame(part, length, text);
  });
  return found;
}

char* copyOf(const char* text, size_t length) {
  auto* copy = static_cast<char*>(allocate(length + 1));  // zeroed
  if (copy != nullptr) memcpy(copy, text, length);
  return copy;
}

size_t nameLength(const char* variable) { return lengthBefore(variable, "="); }

}  // namespace

const OwnEnvironment& ownEnvironment() { return kept; }

void keepOwnEnvironment(char* const* environment, const char* agentName) {
  const char* agent = nullptr;
  visitParts(valueOf(findIn(environment, kPreload)), kSeparators,
             [&](const char* part, size_t length) {
               const size_t name = strlen(agentName);
               if (length < name || strncmp(part + length - name, agentName, name) != 0) return;
               if (length == name || part[length - name - 1] == '/') agent = copyOf(part, length);
             });
  const bool wanted = *valueOf(findIn(environment, kTrace)) != '\0' ||
                      *valueOf(findIn(environment, kPlan)) != '\0';
  if (agent == nullptr || !wanted) return;
  size_t count = 0;
  for (char* const* variable = environment; *variable != nullptr; variable++) {
    count += beginsWith(*variable, kOwn);
  }
  auto* variables = static_cast<const char**>(allocate((count + 1) * sizeof(char*)));
  if (variables == nullptr) return;
  size_t at = 0;
  for (char* const* variable = environment; *variable != nullptr && at < count; variable++) {
    if (!beginsWith(*variable, kOwn)) continue;
    variables[at] = copyOf(*variable, strlen(*variable));
    if (variables[at] == nullptr) return;
    at++;
  }
  kept = {agent, variables};
}

FittedEnvironment::FittedEnvironment(const OwnEnvironment& own, char* const* environment,
                                     const ProgramFile& program)
    : own_(own), environment_(environment),
      // What is static needs nothing, but may execute what does; what gains rights is given nothing
      // by the dynamic linker.
      fits_(program.fit == ProgramFit::kFits || program.fit == ProgramFit::kStatic ||
            program.fit == ProgramFit::kGainsRights),
      preload_{kPreload, find(kPreload), false}, sanitizer_{kSanitizer, find(kSanitizer), false},
      pvm_{kPvm, find(kPvm), false} {
  if (own.agent == nullptr) return;
  const bool hasAgent = hasPart(valueOf(preload_.before), kSeparators, own.agent);
  size_t added = 0;
  if (fits_ ? !hasAgent && mayAdd() : hasAgent) {
    preload_.changes = true;
    added += sizeof kPreload + strlen(valueOf(preload_.before)) + 1 + strlen(own.agent);
  }
  const bool has = fits_ && (hasAgent || preload_.changes);
  if (has && mayAdd()) {
    for (const char* const* variable = own.variables; *variable != nullptr; variable++) {
      if (lacks(*variable)) added += sizeof(char*);
    }
  }
  if (has && program.needsSanitizer && !hasPart(valueOf(sanitizer_.before), ":", kAnyOrder)) {
    sanitizer_.changes = true;
    added += sizeof kSanitizer + strlen(valueOf(sanitizer_.before)) + 1 + strlen(kAnyOrder);
  }
  if (has && program.needsPvm && !hasPart(valueOf(pvm_.before), ":", "LD_PRELOAD")) {
    pvm_.changes = true;
    added += writePvm(nullptr, 0) + 1;
  }
  if (added == 0) return;
  for (; environment != nullptr && environment[count_] != nullptr;) count_++;
  constexpr size_t kOthers = 4;  // the three changes, and the null
  bytes_ = (count_ + kOthers) * sizeof(char*) + added;
}

const char* FittedEnvironment::find(const char* name) const { return findIn(environment_, name); }

bool FittedEnvironment::mayAdd() const {
  const char* trace = find(kTrace);
  return trace == nullptr || *valueOf(trace) != '\0' || *valueOf(find(kPlan)) != '\0' || *valueOf(find(kTune)) != '\0';
}

bool FittedEnvironment::lacks(const char* variable) const {
  const size_t length = nameLength(variable) + 1;
  for (char* const* at = environment_; at != nullptr && *at != nullptr; at++) {
    if (strncmp(*at, variable, length) == 0) return false;
  }
  return true;
}

size_t FittedEnvironment::writePreload(char* text, size_t capacity) const {
  size_t at = appendText(text, 0, capacity, kPreload);
  const size_t begin = at;
  visitParts(valueOf(preload_.before), kSeparators, [&](const char* part, size_t length) {
    if (isSame(part, length, own_.agent)) return;
    if (at > begin) text[at++] = ':';
    memcpy(text + at, part, length);
    at += length;
  });
  if (fits_) {
    if (at > begin) text[at++] = ':';
    at = appendText(text, at, capacity, own_.agent);
  }
  return at == begin ? 0 : at;  // nothing is left of it
}

size_t FittedEnvironment::writeSanitizer(char* text, size_t capacity) const {
  size_t at = appendText(text, 0, capacity, kSanitizer);
  at = appendText(text, at, capacity, valueOf(sanitizer_.before));
  if (*valueOf(sanitizer_.before) != '\0') text[at++] = ':';
  return appendText(text, at, capacity, kAnyOrder);
}

// PVM's daemon gives to the tasks it starts the variables that are named here, this one too. Without
// memory only the size is given.
size_t FittedEnvironment::writePvm(char* text, size_t capacity) const {
  size_t at = 0;
  const auto add = [&](const char* part, size_t length) {
    for (size_t i = 0; i < length; i++, at++) {
      if (at < capacity) text[at] = part[i];
    }
  };
  add(kPvm, sizeof kPvm - 1);
  const char* before = valueOf(pvm_.before);
  add(before, strlen(before));
  if (*before != '\0') add(":", 1);
  constexpr char kUsual[] = "PVM_EXPORT:LD_PRELOAD";
  add(kUsual, sizeof kUsual - 1);
  const auto name = [&](const char* variable) {
    add(":", 1);
    add(variable, nameLength(variable));
  };
  for (char* const* variable = environment_; variable != nullptr && *variable != nullptr; variable++) {
    if (beginsWith(*variable, kOwn)) name(*variable);
  }
  for (const char* const* variable = own_.variables; *variable != nullptr; variable++) {
    if (lacks(*variable)) name(*variable);
  }
  return at;
}

char** FittedEnvironment::write(void* memory) const {
  auto** result = static_cast<char**>(memory);
  size_t added = 0;
  const bool has = fits_ && mayAdd();
  if (has) {
    for (const char* const* variable = own_.variables; *variable != nullptr; variable++) {
      added += lacks(*variable);
    }
  }
  constexpr size_t kOthers = 4;
  char* text = reinterpret_cast<char*>(result + count_ + added + kOthers);
  const char* const end = static_cast<char*>(memory) + bytes_;
  size_t at = 0;
  for (size_t i = 0; i < count_; i++) {
    const bool isReplaced = (preload_.changes && environment_[i] == preload_.before) ||
                            (sanitizer_.changes && environment_[i] == sanitizer_.before) ||
                            (pvm_.changes && environment_[i] == pvm_.before);
    if (!isReplaced) result[at++] = environment_[i];
  }
  if (has) {
    for (const char* const* variable = own_.variables; *variable != nullptr; variable++) {
      if (lacks(*variable)) result[at++] = const_cast<char*>(*variable);
    }
  }
  const auto addText = [&](size_t length) {
    if (length == 0) return;
    text[length] = '\0';
    result[at++] = text;
    text += length + 1;
  };
  const auto room = [&] { return static_cast<size_t>(end - text); };
  if (preload_.changes) addText(writePreload(text, room()));
  if (sanitizer_.changes) addText(writeSanitizer(text, room()));
  if (pvm_.changes) addText(writePvm(text, room()));
  result[at] = nullptr;
  return result;
}

}  // namespace parallax
