// Which functions are to be measured, by their names.
#include <cstring>
#include <new>

#include "base/scratch.h"
#include "base/settings.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/filter_rules.h"
#include "core/own_stack.h"
#include "core/routine_sets.h"
#include "interpose/user/instrument_names.h"

// Of libstdc++, which is linked statically: demangles without malloc, with 72 bytes of stack for
// each character of the name and more for what is nested: up to 350 KB for the 1024 that it takes.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled,
                                             void (*callback)(const char*, size_t, void*),
                                             void* opaque);

namespace parallax {
namespace {

constexpr size_t kMostFilterBytes = 16 << 20;

// The text of the filter; empty when there is none.
std::string_view readFilter() {
  const std::string_view path = setting(Setting::kFilter);
  if (path.empty()) return {};
  const int fd = sys::openat(AT_FDCWD, path.data(), O_RDONLY);
  const long size = fd < 0 ? fd : sys::call(SYS_lseek, fd, 0, 2 /* SEEK_END */);
  char* text = nullptr;
  if (size > 0 && static_cast<size_t>(size) <= kMostFilterBytes) {
    text = static_cast<char*>(allocatePages(static_cast<size_t>(size)));
    sys::call(SYS_lseek, fd, 0, 0);
    if (text != nullptr && sys::read(fd, text, static_cast<size_t>(size)) != size) text = nullptr;
  }
  if (fd >= 0) sys::close(fd);
  if (text == nullptr) {
    if (size != 0) note("The filter of functions cannot be read: all functions are measured.");
    return {};
  }
  const std::string_view rules(text, static_cast<size_t>(size));
  if (forEachRule(rules, [](const FilterRule&) {}) != 0) {
    note("Some lines of the filter of functions are not rules and were ignored.");
  }
  return rules;
}

std::string_view filter() {
  static std::atomic<const char*> text{nullptr};
  static std::atomic<size_t> size{0};
  static std::atomic<bool> read{false};
  if (!read.load(std::memory_order_acquire)) {
    const std::string_view found = readFilter();
    text.store(found.data(), std::memory_order_relaxed);
    size.store(found.size(), std::memory_order_relaxed);
    read.store(true, std::memory_order_release);
  }
  return {text.load(std::memory_order_relaxed), size.load(std::memory_order_relaxed)};
}

// The names by which a rule may know a function.
struct Names {
  char demangled[2048];
  char plain[1024];  // the mangled one without the ending of a clone
  size_t length = 0;
  std::string_view all[4];
  size_t count = 0;

  void add(std::string_view name) { all[count++] = name; }
  bool match(std::string_view glob) const {
    for (size_t i = 0; i < count; i++) {
      if (matchesGlob(glob, all[i])) return true;
    }
    return false;
  }
};

void addNames(const char* mangled, Names* names) {
  names->add(mangled);
  char* const plain = names->plain;
  const size_t length = strcspn(mangled, ".");
  if (length == 0 || length >= sizeof names->plain) return;
  memcpy(plain, mangled, length);
  plain[length] = '\0';
  auto append = [](const char* text, size_t size, void* opaque) {
    auto* n = static_cast<Names*>(opaque);
    if (size > sizeof n->demangled - n->length) size = sizeof n->demangled - n->length;
    memcpy(n->demangled + n->length, text, size);
    n->length += size;
  };
  if (strncmp(plain, "_Z", 2) != 0 || __gcclibcxx_demangle_callback(plain, append, names) != 0) {
    if (mangled[length] != '\0') names->add(std::string_view(mangled, length));
    return;
  }
  const std::string_view full(names->demangled, names->length);
  names->add(full);
  names->add(withoutParameters(full));
  names->add(bareName(full));
}

struct Question {
  const char* mangled;
  std::string_view rules;
  bool wanted;
};

void decide(void* opaque) {
  auto* question = static_cast<Question*>(opaque);
  const Scratch scratch;
  if (!scratch) return;
  static_assert(sizeof(Names) <= Scratch::kBytes);
  auto* names = new (scratch.bytes()) Names;
  addNames(question->mangled, names);
  forEachRule(question->rules, [&](const FilterRule& rule) {
    if (!rule.file && names->match(rule.glob)) question->wanted = rule.include;
  });
}

// The look-up of the name takes the lock of the dynamic linker. Its holder may wait until all threads have handled a
// signal. Signals must therefore not be blocked here: otherwise both threads would wait forever. This takes little stack.
bool isWanted(uintptr_t function) {
  Question question{nullptr, filter(), true};
  if (question.rules.empty()) return true;
  useFunctionName(
      function,
      [](const char* mangled, void* opaque) {
        static_cast<Question*>(opaque)->mangled = mangled;
        callOnOwnStack(decide, opaque);
      },
      &question);
  return question.wanted;
}

}  // namespace

const FunctionFilter functionFilter{isWanted, forgetFunctionNames};

}  // namespace parallax
