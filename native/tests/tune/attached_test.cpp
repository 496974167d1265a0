// Ranks of MPI that ran before they are tuned, by the recorder that attaches to them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/mpi/mpi_runner.h"
#include "tests/running_program.h"
#include "tests/tune/session.h"

namespace parallax::tests {
namespace {

const Json kBroadcasts = Json::array({{{"name", "calls"}, {"routines", {"MPI_Bcast"}}}});
constexpr int64_t kAll = 1 << 20;

class TuneAttachedMpi : public MpiTest {
 protected:
  void SetUp() override { setUpYielding("tuned_buffered"); }
  static bool isThere(const std::string& path) {
    for (int i = 0; i < 2000 && access(path.c_str(), F_OK) != 0; i++) usleep(10000);
    return access(path.c_str(), F_OK) == 0;
  }
  // The processes of a program with this name below another one, separated by commas.
  static std::string processesOf(const std::string& program, int ancestor) {
    std::string found;
    for (const auto& each : std::filesystem::directory_iterator("/proc")) {
      std::error_code error;
      if (std::filesystem::read_symlink(each.path() / "exe", error) != program || !isBelow(ancestor, each.path().filename())) continue;
      found += (found.empty() ? "" : ",") + each.path().filename().string();
    }
    return found;
  }

 private:
  static bool isBelow(int ancestor, const std::string& pid) {
    for (int at = atoi(pid.c_str()); at > 1;) {
      if (at == ancestor) return true;
      std::ifstream file("/proc/" + std::to_string(at) + "/stat");
      std::string line;
      if (!std::getline(file, line)) return false;
      at = atoi(line.c_str() + line.rfind(')') + 4);
    }
    return false;
  }
};

INSTANTIATE_TEST_SUITE_P(All, TuneAttachedMpi, kAllMpis, [](const auto& mpi) { return std::string(mpi.param); });

// The sender goes on before the receiver is there, which only a changed MPI_Send does.
TEST_P(TuneAttachedMpi, RankAndLibraryAreKnownAndASendIsChanged) {
  const TemporaryDirectory scratch;
  Running job(onRanks(4, "tuned_buffered", {scratch.path(), "attached"}));
  std::ofstream(scratch / "go");
  for (int rank = 0; rank < 4; rank++) ASSERT_TRUE(isThere(scratch / ("ready" + std::to_string(rank))));
  const std::string processes = processesOf(program("tuned_buffered"), job.pid());
  TuneSession session({recorder(), "--no-calibration", "--quiet", "-o", scratch / "trace", "--attach", processes}, kBroadcasts);
  int sender = 0;
  for (int rank = 0; rank < 4; rank++) {
    const Json known = session.await([&](const Json& line) { return line["type"] == "process" && line.value("rank", -1) == rank; });
    ASSERT_TRUE(known.is_object()) << processes;
    EXPECT_NE("", known.value("library", ""));
    if (rank == 0) sender = known["pid"];
    EXPECT_TRUE(session.await("tunables", "pid", known["pid"]).is_object());
  }
  session.send({{"type", "act"}, {"id", 1}, {"pid", sender}, {"kind", "tunable"}, {"at", "mpi:*"}, {"name", "mpi_buffered_send"}, {"value", kAll}});
  EXPECT_TRUE(session.await("action", "state", "done").is_object());
  std::ofstream(scratch / "tuned");
  for (const char* result : {"result0", "result1"}) {
    ASSERT_TRUE(isThere(scratch / result));
    std::string text;
    std::getline(std::ifstream(scratch / result), text);
    EXPECT_EQ("0 wrong", text.substr(0, 7));
  }
  EXPECT_EQ("", job.end());
  EXPECT_EQ(0, session.end());
}

// MPI ends a program that asks after MPI_Finalize which thread is the main one.
TEST_P(TuneAttachedMpi, AProgramThatHasFinalisedMpiGoesOn) {
  const TemporaryDirectory scratch;
  Running job(onRanks(1, "tuned_buffered", {scratch.path(), "ended"}));
  std::ofstream(scratch / "go");
  ASSERT_TRUE(isThere(scratch / "ended"));
  const std::string process = processesOf(program("tuned_buffered"), job.pid());
  TuneSession session({recorder(), "--no-calibration", "--quiet", "-o", scratch / "trace", "--attach", process}, kBroadcasts);
  ASSERT_TRUE(session.await("process", "event", "started").is_object()) << process;
  session.send({{"type", "act"}, {"id", 1}, {"pid", atoi(process.c_str())}, {"kind", "mpi_variable"}, {"at", "mpi:*"}, {"name", "any"}, {"value", "1"}});
  const Json refused = session.await("action", "state", "refused");
  EXPECT_TRUE(refused.is_object() && refused["text"] == "MPI has ended") << refused;
  std::ofstream(scratch / "over");
  EXPECT_EQ("", job.end());
  EXPECT_EQ(0, session.end());
}

}  // namespace
}  // namespace parallax::tests
