#include "tests/openmp_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

namespace parallax::tests {

using format::Kind;
using format::SyncKind;

void OpenMpPrograms::SetUp() {
  if (access(program("cases").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no programs for " << ending() << ": its compiler is not installed";
  }
  // Threads that wait give the processor away, so that a busy machine can tell the time.
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("OMP_CANCELLATION", "true", 1);
}

void OpenMpPrograms::TearDown() {
  unsetenv("OMP_WAIT_POLICY");
  unsetenv("OMP_CANCELLATION");
}

std::string OpenMpPrograms::program(const std::string& name) const {
  return std::string(PARALLAX_PROGRAMS_DIR "/openmp_") + name + "." + ending();
}

TracedProcess OpenMpPrograms::traceOf(const std::string& name, const Words& arguments, const Words& options) {
  Words command{"timeout", "60", program(name)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome plain = run(command);
  Words all{"--quiet"};
  all.insert(all.end(), options.begin(), options.end());
  const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
  const Outcome traced = run(recorded(directory, command, all));
  EXPECT_EQ(plain.status, traced.status);
  EXPECT_EQ(plain.output, traced.output);
  EXPECT_EQ(plain.errors, traced.errors);
  const Trace trace = loadTrace(directory);
  const TracedProcess* process = trace.ofExecutable(baseName(program(name)));
  EXPECT_NE(nullptr, process);
  return process != nullptr ? *process : TracedProcess{};
}

INSTANTIATE_TEST_SUITE_P(Runtimes, OpenMp, testing::Values("gnu", "llvm", "gnu_on_llvm"),
                         [](const auto& info) { return std::string(info.param); });

bool isOfOmpLock(const TracedProcess& process, const TracedEvent& event) {
  const auto object = process.objects.find(static_cast<uint32_t>(event.operand));
  return object != process.objects.end() && object->second.kind == SyncKind::kOpenMpLock;
}

bool acquiresOmp(const TracedProcess& process, const TracedEvent& event) {
  return event.kind == Kind::kAcquire && isOfOmpLock(process, event);
}

void expectTeamsConsistent(const TracedProcess& process) {
  struct Passing {
    uint64_t participants, count, lastEnter, firstLeave;
  };
  std::map<std::pair<uint64_t, uint64_t>, Passing> barriers;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> signals;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSignal) continue;
      const bool isNew = signals.emplace(std::pair(event.operand, event.payload[0]), event.ticks)
                             .second;
      EXPECT_TRUE(isNew) << "signal " << event.payload[0] << " of object " << event.operand;
    }
  }
  for (const auto& [number, thread] : process.threads) {
    EXPECT_EQ(thread.count(Kind::kEnter), thread.count(Kind::kLeave)) << "thread " << number;
    // Threads of other libraries end with the process.
    if (number == 0 || thread.count(Kind::kBarrier) > 0) {
      EXPECT_EQ(1u, thread.count(Kind::kThreadEnd)) << "thread " << number;
    }
    EXPECT_EQ(0u, thread.lost);
    uint64_t enter = 0;  // of the barrier, after the last task that was executed within it
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kEnter) enter = event.ticks;
      if (event.kind == Kind::kWake && event.payload[0] != 0) {
        const auto signal = signals.find(std::pair(event.operand, event.payload[0]));
        ASSERT_NE(signals.end(), signal) << "thread " << number;
        EXPECT_LE(signal->second, event.ticks);
      }
      if (event.kind != Kind::kBarrier) continue;
      Passing& passing = barriers[{event.operand, event.payload[0]}];
      passing.participants = event.payload[1];
      passing.lastEnter = std::max(passing.lastEnter, enter);
      passing.firstLeave =
          passing.count++ == 0 ? event.ticks : std::min(passing.firstLeave, event.ticks);
    }
  }
  for (const auto& [key, passing] : barriers) {
    EXPECT_EQ(passing.participants, passing.count) << "generation " << std::hex << key.second;
    EXPECT_LE(passing.lastEnter, passing.firstLeave) << "generation " << std::hex << key.second;
  }
  expectLocksConsistent(process);
}

}  // namespace parallax::tests
