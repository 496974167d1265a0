// The plan of a trial as the agent reads it.
#include "perturb/plan.h"

#include <gtest/gtest.h>

#include <list>
#include <random>
#include <string>

namespace parallax::perturb {
namespace {

const std::string kHead = "parallax-perturb\t1\nresult\t/tmp/counts\n";
const std::string kModule = "module\t0\tab12\t/bin/x\n";
const std::string kPoint = "point\t0\t0\t0\t1000\tjump\t0\t5589e5834d\t5589e5e900000000\t4:rel32:1005\n";

PlanProblem parse(const std::string& text, Plan* plan) {
  static std::list<std::string> texts;  // must last
  texts.push_back(text);
  return parsePlan(texts.back().data(), text.size(), plan);
}

TEST(PerturbPlan, HasEveryRecord) {
  Plan plan;
  const PlanProblem problem = parse(
      kHead +
          "module\t0\tab12\t/bin/x\nmodule\t1\t-\t/lib/y.so\n"
          "point\t3\t1\t1\t1a2b\tshort\t1a30\t9090\te9aabbccdd\t1:rel32:ff0,1:hi32:10\n"
          "point\t0\t0\t0\t7f\ttrap\t0\tc3\tC3\t-\n"
          "macro\t7\t2\tstep one\n"
          "range\t5\t1\t10\t2f\n"
          "factor\t0\tdelay\tauto\t999999\nfactor\t1\tdelay\tauto\t1000000\n"
          "factor\t2\tlock\t1\tbeef\nfactor\t3\tmessage\t64\nfactor\t4\tbuffer\t4096\n"
          "factor\t5\tspeedup\texclusive\t250\nfactor\t6\tdelay\twork\t5\nfactor\t8\tnone",
      &plan);
  ASSERT_FALSE(problem) << problem.what << " in line " << problem.line;
  EXPECT_STREQ("/tmp/counts", plan.result);
  ASSERT_EQ(2u, plan.modules.count);
  EXPECT_STREQ("ab12", plan.modules[0].buildId);
  EXPECT_STREQ("", plan.modules[1].buildId);
  EXPECT_STREQ("/lib/y.so", plan.modules[1].path);
  ASSERT_EQ(2u, plan.points.count);
  const PlanPoint& point = plan.points[0];
  EXPECT_EQ(3u, point.id);
  EXPECT_EQ(1u, point.factor);
  EXPECT_EQ(1u, point.module);
  EXPECT_EQ(0x1a2bu, point.offset);
  EXPECT_EQ(Method::kShort, point.method);
  EXPECT_EQ(0x1a30u, point.pad);
  ASSERT_EQ(2u, point.original.size);
  EXPECT_EQ(0x90, point.original.data[1]);
  ASSERT_EQ(5u, point.code.size);
  EXPECT_EQ(0xdd, point.code.data[4]);
  ASSERT_EQ(2u, point.fixCount);
  EXPECT_EQ(1u, point.fixes[0].at);
  EXPECT_EQ(0xff0u, point.fixes[0].target);
  EXPECT_EQ(FixKind::kHi32, point.fixes[1].kind);
  EXPECT_EQ(0u, plan.points[1].fixCount);
  ASSERT_EQ(1u, plan.macros.count);
  EXPECT_STREQ("step one", plan.macros[0].name);
  ASSERT_EQ(1u, plan.ranges.count);
  EXPECT_EQ(0x2fu, plan.ranges[0].end);
  EXPECT_EQ(8u, plan.ids);
  ASSERT_EQ(9u, plan.factors.count);
  EXPECT_EQ(DelayKind::kTime, plan.factors[0].delay);
  EXPECT_EQ(DelayKind::kSleep, plan.factors[1].delay);
  EXPECT_EQ(0xbeefu, plan.factors[2].amount);
  EXPECT_EQ(1u, plan.factors[2].module);
  EXPECT_EQ(Action::kSpeedup, plan.factors[5].action);
  EXPECT_EQ(250u, plan.factors[5].amount);
  EXPECT_EQ(Action::kNone, plan.factors[7].action);
  EXPECT_TRUE(plan.wants(Action::kLock));
  Plan plain;
  EXPECT_FALSE(parse(kHead + kModule + kPoint, &plain));
  EXPECT_FALSE(plain.wants(Action::kDelay));
}

TEST(PerturbPlan, IsRefusedWithItsLine) {
  struct {
    std::string text;
    uint32_t line;
  } const cases[] = {
      {"", 0},
      {"hello\n", 1},
      {"parallax-perturb\t2\n", 1},
      {"parallax-perturb\t1\n", 0},  // no result
      {kHead + "what\t1\n", 3},
      {kHead + kPoint, 0},  // no such module
      {kHead + "module\t1\tab\t/bin/x\n", 3},
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e583\t55\t-\n", 4},    // 4 bytes
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e5834\t55\t-\n", 4},   // half a byte
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e5834x\t55\t-\n", 4},
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e58340\t55\t0:rel32:1\n", 4},
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e58340\t55555555\t0:rel:1\n", 4},
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e58340\t55555555\t0:rel32\n", 4},
      {kHead + kModule + "point\t0\t0\t0\t1000\tjump\t0\t5589e58340\t55555555\n", 4},
      {kHead + kModule + "point\t0\t0\t0\t1000\tshort\t2000\t5589\t55\t-\n", 4},    // too far
      {kHead + kModule + "point\t99999999\t0\t0\t1000\ttrap\t0\t55\t55\t-\n", 4},
      {kHead + "factor\t0\tdelay\ttime\n", 3},
      {kHead + "factor\t0\tdelay\ttime\t-1\n", 3},
      {kHead + "factor\t0\tdelay\ttime\t1\t2\n", 3},
      {kHead + "factor\t0\tlock\t0\t10\n", 0},
      {kHead + "factor\t0\tmessage\t1\nfactor\t0\tbuffer\t1\n", 4},
      {kHead + "range\t0\t0\t20\t20\n", 3},
  };
  for (const auto& c : cases) {
    Plan plan;
    const PlanProblem problem = parse(c.text, &plan);
    EXPECT_TRUE(problem) << c.text;
    EXPECT_EQ(c.line, problem.line) << c.text << problem.what;
  }
}

TEST(PerturbPlan, TakesNoDamageFromAnyBytes) {
  const std::string whole = kHead + kModule + kPoint + "macro\t1\t0\tm\nfactor\t0\tdelay\ttime\t5\n";
  const char bytes[] = "\t\n0f,:-gj\xff";
  std::minstd_rand random(1);
  int refused = 0;
  for (int i = 0; i < 20000; i++) {
    std::string text = whole.substr(0, i % 3 == 0 ? random() % whole.size() : whole.size());
    for (uint32_t k = random() % 4; k > 0 && !text.empty(); k--) {
      text[random() % text.size()] = bytes[random() % (sizeof bytes - 1)];
    }
    Plan plan;
    std::string copy = text;  // so that a sanitizer sees its end
    refused += bool(parsePlan(copy.data(), copy.size(), &plan));
  }
  EXPECT_GT(refused, 5000);
  EXPECT_LT(refused, 20000);
}

TEST(PerturbPlan, ThatCannotBeRead) {
  Plan plan;
  EXPECT_STREQ("does not exist", readPlan("/does/not/exist", &plan).what);
  EXPECT_STREQ("cannot be read", readPlan("/", &plan).what);
}

}  // namespace
}  // namespace parallax::perturb
