// Changes of the functions of patched.h in this process.
#pragma once

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <atomic>
#include <string>
#include <vector>

#include "perturb/code_place.h"
#include "perturb/patch_actions.h"
#include "tests/perturb/patched.h"
#include "tools/points/points_prepare.h"

namespace parallax::perturb {

using Function = long(long, long);

struct Planted {
  const char* name;
  Function* call;
  bool jumps;  // else a trap
};
// All are 3 a + b.
inline const std::vector<Planted> kPlanted = {
    {"patched_frame", patched_frame, true},       {"patched_pushes", patched_pushes, true},
    {"patched_two", patched_two, true},           {"patched_relative", patched_relative, true},
    {"patched_marked", patched_marked, true},     {"patched_jump", patched_jump, true},
    {"patched_call", patched_call, true},         {"patched_inner", patched_inner, false},
    {"patched_compiled", patched_compiled, true}, {"patched_behind", patched_behind, true},
    {"patched_returns", patched_returns, true},   {"patched_throws", patched_throws, true}};

inline std::string libraryOf(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 ? info.dli_fname : "";
}
inline std::string library() { return libraryOf(reinterpret_cast<void*>(patched_frame)); }

inline points::PatchPreparer& preparer() {
  static points::PatchPreparer one;
  return one;
}

inline PreparedPatch prepared(const std::string& name, const std::string& module = library()) {
  PreparedPatch patch;
  EXPECT_EQ("", preparer().prepare(module, name, &patch));
  return patch;
}

inline Replacement found(const std::string& name) {
  PreparedFunction function;
  EXPECT_EQ("", preparer().find(library(), name, &function));
  return findFunction(function);
}

inline std::string bytesAt(const void* code, size_t count = 64) { return {static_cast<const char*>(code), count}; }
template <class R, class... A>
std::string bytesOf(R (*f)(A...)) {
  return bytesAt(reinterpret_cast<const void*>(f));
}

inline ArgumentChange setTo(uint8_t argument, long value) {
  ArgumentChange change;
  change.argument = argument;
  change.value = static_cast<uint64_t>(value);
  return change;
}

inline uint32_t done(const PatchAnswer& answer) {
  EXPECT_EQ(nullptr, answer.problem) << answer.problem;
  EXPECT_NE(0u, answer.id);
  return answer.id;
}
inline void undone(uint32_t id) {
  const char* problem = undoPatch(id);
  EXPECT_EQ(nullptr, problem) << problem;
}

inline const CodePlace* placeOf(const PreparedPatch& patch) {
  const Replacement function = findFunction(patch.function);
  const uint64_t address = function.begin + patch.places[0].offset - patch.function.begin;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    if (codePlaceAt(i)->address.load() == address) return codePlaceAt(i);
  }
  return nullptr;
}

// What inserted calls do.
inline std::atomic<long> calls{0};
inline void countCall() { calls.fetch_add(1, std::memory_order_relaxed); }
inline InsertedCall callOf(void (*f)()) {
  InsertedCall call;
  call.function = reinterpret_cast<uint64_t>(f);
  return call;
}

class PatchTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* problem = startPatching();
    ASSERT_EQ(nullptr, problem) << problem;
  }
  void SetUp() override { calls = 0; }
  void TearDown() override { EXPECT_EQ(nullptr, undoPatches()); }
};

}  // namespace parallax::perturb
