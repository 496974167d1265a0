// Changes of code in a running process: results, back to the same bytes, and refusals.
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "tests/perturb/patch_fixture.h"
#include "tests/temporary_directory.h"

namespace parallax::perturb {
namespace {

using PatchActions = PatchTest;

long lastWords[6];
extern "C" void takeWords(long a, long b, long c, long d, long e, long f) {
  const long words[] = {a, b, c, d, e, f};
  memcpy(lastWords, words, sizeof words);
  countCall();
}
// Leaves nothing as it was that a function may change.
extern "C" void destroyRegisters() {
  countCall();
  errno = EXDEV;
  asm volatile(
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm7, %%xmm7\n\tpxor %%xmm15, %%xmm15\n\tfninit\n\t"
      "xor %%eax, %%eax\n\txor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\t"
      "xor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\txor %%r11d, %%r11d"
      ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm7", "xmm15", "memory", "cc");
}
// ------------------------------------------------------------------ results

TEST_F(PatchActions, ChangeAnArgumentAndBack) {
  for (const Planted& planted : kPlanted) {
    SCOPED_TRACE(planted.name);
    const std::string before = bytesOf(planted.call);
    const PreparedPatch patch = prepared(planted.name);
    EXPECT_EQ(planted.jumps, patch.places[0].canJump != 0);
    for (int round = 0; round < 3; round++) {
      const uint32_t id = done(changeArgument(patch, setTo(1, 100 + round)));
      EXPECT_NE(before, bytesOf(planted.call));
      EXPECT_EQ(6 + 100 + round, planted.call(2, 5));
      undone(id);
      EXPECT_EQ(before, bytesOf(planted.call));
      EXPECT_EQ(11, planted.call(2, 5));
    }
    EXPECT_STREQ("there is no such change, or the module of the function is gone", undoPatch(4711));
  }
}

TEST_F(PatchActions, LeadByAJumpWhereTheFirstBytesAreFree) {
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const uint32_t id = done(changeArgument(patch, setTo(1, 1)));
    const CodePlace* place = placeOf(patch);
    ASSERT_NE(nullptr, place);
    const auto* code = reinterpret_cast<const uint8_t*>(place->address.load());
    EXPECT_EQ(planted.jumps ? 0xe9 : 0xcc, code[0]) << planted.name;
    for (uint32_t i = 1; planted.jumps && i < place->startCount; i++) {
      if (place->starts[i].at >= 5) continue;
      EXPECT_EQ(0xcc, code[place->starts[i].at]) << planted.name;
    }
    undone(id);
  }
}

TEST_F(PatchActions, LeadAwayInFrontOfAReturn) {
  for (const char* name : {"patched_frame", "patched_two", "patched_relative"}) {
    const PreparedPatch patch = prepared(name);
    ASSERT_EQ(2u, patch.placeCount) << name;
    const PreparedPlace& place = patch.places[1];
    EXPECT_NE(0, place.canJump) << name;
    EXPECT_GT(place.wayAt, 0) << name;
    EXPECT_EQ(place.starts[place.startCount - 1].copy, place.wayAt) << name;
  }
}

TEST_F(PatchActions, KeepLimitsAndConditions) {
  const PreparedPatch patch = prepared("patched_frame");
  ArgumentChange change = setTo(0, 10);
  change.change = Change::kAtLeast;
  uint32_t id = done(changeArgument(patch, change));
  EXPECT_EQ(30, patched_frame(-3, 0));
  EXPECT_EQ(36, patched_frame(12, 0));
  undone(id);
  change.change = Change::kAtMost;
  id = done(changeArgument(patch, change));
  EXPECT_EQ(-9, patched_frame(-3, 0));
  EXPECT_EQ(30, patched_frame(12, 0));
  undone(id);
  change.type = ValueType::kU64;
  id = done(changeArgument(patch, change));
  EXPECT_EQ(30, patched_frame(-3, 0));
  undone(id);
  const struct {
    Comparison comparison;
    bool below, same, above;
  } kCases[] = {{Comparison::kEqual, false, true, false},      {Comparison::kNotEqual, true, false, true},
                {Comparison::kLess, true, false, false},       {Comparison::kLessOrEqual, true, true, false},
                {Comparison::kGreater, false, false, true},    {Comparison::kGreaterOrEqual, false, true, true}};
  for (const auto& each : kCases) {
    change = setTo(0, 100);
    change.comparison = each.comparison;
    change.conditionArgument = 1;
    change.conditionValue = 7;
    id = done(changeArgument(patch, change));
    EXPECT_EQ(each.below ? 306 : 9, patched_frame(1, 6));
    EXPECT_EQ(each.same ? 307 : 10, patched_frame(1, 7));
    EXPECT_EQ(each.above ? 308 : 11, patched_frame(1, 8));
    undone(id);
  }
}

TEST_F(PatchActions, ConditionsSeeWhatTheCallerPassed) {
  const PreparedPatch patch = prepared("patched_frame");
  const uint32_t first = done(changeArgument(patch, setTo(1, 50)));
  ArgumentChange change = setTo(0, 9);
  change.comparison = Comparison::kEqual;
  change.conditionArgument = 1;
  change.conditionValue = 5;
  const uint32_t second = done(changeArgument(patch, change));
  EXPECT_EQ(77, patched_frame(1, 5));
  EXPECT_EQ(53, patched_frame(1, 50));
  undone(first);
  EXPECT_EQ(32, patched_frame(1, 5));
  undone(second);
  EXPECT_EQ(8, patched_frame(1, 5));
}

TEST_F(PatchActions, KnowTheSizeOfAnArgument) {
  ArgumentChange change = setTo(0, -5);
  change.type = ValueType::kI32;
  change.change = Change::kAtLeast;
  done(changeArgument(prepared("patched_int"), change));
  auto* wide = reinterpret_cast<int (*)(long, long)>(reinterpret_cast<void*>(patched_int));
  EXPECT_EQ(-5, wide(0x1fffffff0, 100));  // -16
  EXPECT_EQ(-3, wide(0x1fffffffd, 100));
}

TEST_F(PatchActions, InsertCallsBefore) {
  const PreparedPatch patch = prepared("patched_frame");
  InsertedCall call;
  call.function = reinterpret_cast<uint64_t>(takeWords);
  for (uint64_t i = 0; i < 6; i++) call.arguments[i] = 10 + i;
  const uint32_t id = done(insertCallBefore(patch, call));
  done(insertCallBefore(patch, callOf(countCall)));
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(2, calls);
  for (long i = 0; i < 6; i++) EXPECT_EQ(10 + i, lastWords[i]);
  undone(id);
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(3, calls);
}

TEST_F(PatchActions, InsertCallsBehindEachReturn) {
  for (const char* name : {"patched_returns", "patched_frame", "patched_inner"}) {
    SCOPED_TRACE(name);
    calls = 0;
    auto* f = reinterpret_cast<Function*>(found(name).begin);
    const std::string before = bytesOf(f);
    const PreparedPatch patch = prepared(name);
    const uint32_t id = done(insertCallAfter(patch, callOf(destroyRegisters)));
    errno = 7;
    EXPECT_EQ(11, f(2, 5));
    EXPECT_EQ(6, f(2, 0));
    EXPECT_EQ(7, errno);
    EXPECT_EQ(2, calls);
    undone(id);
    EXPECT_EQ(before, bytesOf(f));
  }
  const PreparedPatch tail = prepared("patched_tail");
  EXPECT_NE(nullptr, strstr(tail.noReturnsBecause, "tail call")) << tail.noReturnsBecause;
  EXPECT_EQ(0u, insertCallAfter(tail, callOf(countCall)).id);
}

TEST_F(PatchActions, LeaveAllRegistersAsTheyAre) {
  EXPECT_EQ(0, patched_state(0, 0));
  done(insertCallBefore(prepared("patched_vector"), callOf(destroyRegisters)));
  errno = 7;
  EXPECT_EQ(0, patched_state(0, 0));
  EXPECT_EQ(7, errno);
  EXPECT_EQ(1, calls);
}

extern "C" void callPatchedFrame() {
  countCall();
  EXPECT_EQ(11, patched_frame(2, 5));
}

TEST_F(PatchActions, InsertNoCallInAnInsertedCall) {
  done(insertCallBefore(prepared("patched_frame"), callOf(callPatchedFrame)));
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(1, calls);
}

TEST_F(PatchActions, ReplaceAFunction) {
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const uint32_t id = done(replaceFunction(patch, found("patched_other")));
    EXPECT_EQ(-7, planted.call(2, 5)) << planted.name;
    EXPECT_EQ(0u, replaceFunction(patch, found("patched_other")).id);
    undone(id);
    EXPECT_EQ(11, planted.call(2, 5)) << planted.name;
  }
}

TEST_F(PatchActions, GiveTheOriginalToItsReplacement) {
  const uint32_t id = done(replaceFunction(prepared("patched_frame"), found("patched_wrapper")));
  EXPECT_EQ(1000011, patched_frame(2, 5));
  undone(id);
  EXPECT_EQ(11, patched_frame(2, 5));
}

TEST_F(PatchActions, LetExceptionsPass) {
  done(changeArgument(prepared("patched_throws"), setTo(0, 2000)));
  done(insertCallBefore(prepared("patched_throws"), callOf(countCall)));
  for (int i = 0; i < 100; i++) EXPECT_THROW(patched_throws(1, 2), std::runtime_error);
  EXPECT_EQ(100, calls);
}

// ----------------------------------------------------------------- refusals

TEST_F(PatchActions, AreRefusedWithAReason) {
  EXPECT_STREQ("the function would come in its own place", replaceFunction(prepared("patched_frame"), found("patched_frame")).problem);
  PreparedPatch patch;
  EXPECT_EQ("the first instruction of patched_loop is also the start of a loop, and nothing tells a call from a "
            "further round", preparer().prepare(library(), "patched_loop", &patch));
  EXPECT_NE(std::string::npos, preparer().prepare(library(), "patched_frames", &patch).find("did you mean"));
  EXPECT_NE("", preparer().prepare("/nonexistent", "f", &patch));
  EXPECT_NE("", preparer().prepare(library(), "0x1", &patch));
  // Also one byte takes a change.
  undone(done(insertCallBefore(prepared("patched_nothing"), callOf(countCall))));
  undone(done(insertCallBefore(prepared("patched_tiny"), callOf(countCall))));

  patch = prepared("patched_vector");
  EXPECT_NE(nullptr, changeArgument(patch, setTo(6, 1)).problem);
  EXPECT_NE(nullptr, replaceFunction(patch, {}).problem);
  PreparedPatch other = patch;
  other.places[0].original[1] ^= 1;
  other.places[0].offset += 4;
  EXPECT_NE(nullptr, strstr(changeArgument(other, setTo(0, 1)).problem, "differ from those in the file"));
  other = patch;
  other.function.buildId[0] = other.function.buildId[0] == 'a' ? 'b' : 'a';
  EXPECT_STREQ("the module of the function is not loaded in this process", changeArgument(other, setTo(0, 1)).problem);
  for (uint32_t i = 0; i < kMostCalls; i++) done(insertCallBefore(patch, callOf(countCall)));
  EXPECT_NE(nullptr, insertCallBefore(patch, callOf(countCall)).problem);
  patched_vector(1, 1);
  EXPECT_EQ(static_cast<long>(kMostCalls), calls);
}

TEST_F(PatchActions, AreWholeInAFile) {
  const TemporaryDirectory directory;
  const std::string path = directory / "action";
  const auto apply = [&](const points::ActionRequest& request) {
    PreparedAction action;
    EXPECT_EQ("", preparer().prepareAction(request, &action));
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&action), sizeof action);
    return applyActionFile(path.c_str());
  };
  points::ActionRequest request;
  request.kind = "argument";
  request.module = request.otherModule = library();
  request.function = "patched_frame";
  request.change = "at_least";
  request.argument = 1;
  request.value = 100;
  request.comparison = ">";
  request.conditionType = "i32";
  request.conditionValue = 2;
  uint32_t id = done(apply(request));
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(109, patched_frame(3, 5));
  EXPECT_EQ(209, patched_frame(3, 200));
  undone(id);
  request.kind = "replace";
  request.otherFunction = "patched_other";
  id = done(apply(request));
  EXPECT_EQ(-7, patched_frame(2, 5));
  undone(id);
  request.otherFunction = "patched_add";
  request.words[0] = 7;
  for (const char* kind : {"insert_before", "insert_after"}) {
    request.kind = kind;
    patchedTotal = 0;
    id = done(apply(request));
    for (int i = 0; i < 3; i++) EXPECT_EQ(11, patched_frame(2, 5));
    EXPECT_EQ(21, patchedTotal) << kind;
    undone(id);
    EXPECT_EQ(11, patched_frame(2, 5));
    EXPECT_EQ(21, patchedTotal) << kind;
  }
  PreparedAction action;
  request.kind = "insert_behind";
  EXPECT_EQ("the kind of the action is \"insert_behind\", but is one of \"argument\", \"insert_before\", "
            "\"insert_after\" and \"replace\"", preparer().prepareAction(request, &action));
  request.kind = "insert_after";
  request.function = "patched_tail";
  EXPECT_NE(std::string::npos, preparer().prepareAction(request, &action).find("tail call"));
}

TEST_F(PatchActions, ReadOnlySoundFiles) {
  const TemporaryDirectory directory;
  const std::string path = directory / "action";
  PreparedAction whole{};
  whole.patch = prepared("patched_frame");
  whole.kind = static_cast<uint32_t>(PreparedKind::kArgument);
  const auto problem = [&](const PreparedAction& what, size_t size = sizeof(PreparedAction)) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&what), static_cast<long>(size));
    const PatchAnswer answer = applyActionFile(path.c_str());
    if (answer.id != 0) undone(answer.id);
    return std::string(answer.problem != nullptr ? answer.problem : "");
  };
  EXPECT_EQ("the file with the prepared change cannot be opened",
            std::string(applyActionFile((path + "2").c_str()).problem));
  EXPECT_EQ("", problem(whole));
  EXPECT_EQ("the file with the prepared change is incomplete", problem(whole, 1000));
  ASSERT_EQ(0, chmod(path.c_str(), 0666));
  EXPECT_EQ("the file with the prepared change is not of this user, or others can write it", problem(whole));
  ASSERT_EQ(0, chmod(path.c_str(), 0600));
  PreparedAction wrong = whole;
  wrong.kind = 9;
  wrong.other = whole.patch.function;
  EXPECT_EQ("the prepared change is of an unknown kind", problem(wrong));
  wrong = whole;
  wrong.type = 4;
  EXPECT_EQ("the prepared change is not of this version, or damaged", problem(wrong));
  wrong.kind = static_cast<uint32_t>(PreparedKind::kCallBefore);
  wrong.other.path[0] = '\0';
  EXPECT_EQ("the function that shall be called is not loaded in this process", problem(wrong));
  // Whatever a byte is, it is refused or within its bounds.
  const PreparedPatch& patch = whole.patch;
  srand(1);
  for (int i = 0; i < 2000; i++) {
    PreparedPatch damaged = patch;
    auto* bytes = reinterpret_cast<unsigned char*>(&damaged);
    const size_t at = static_cast<size_t>(rand()) % (offsetof(PreparedPatch, places) + 2 * sizeof(PreparedPlace));
    bytes[at] = static_cast<unsigned char>(rand());
    if (checkPatch(damaged) != nullptr) continue;
    for (uint32_t k = 0; k < damaged.placeCount; k++) {
      const PreparedPlace& place = damaged.places[k];
      ASSERT_LE(place.originalBytes, kMostPreparedBytes);
      ASSERT_LE(place.codeBytes, kMostPreparedCode);
      for (uint32_t n = 0; n < place.fixCount; n++) ASSERT_LE(place.fixes[n].at + 4, place.codeBytes);
    }
  }
}

}  // namespace
}  // namespace parallax::perturb
