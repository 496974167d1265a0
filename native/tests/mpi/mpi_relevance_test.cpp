// Routines that are only counted, timed without their path, or measured in full.

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Kind;

struct Measured {
  uint64_t visits = 0;  // by Visits
  size_t enters = 0;
  size_t walked = 0;    // Enters whose path has a frame of the program
  bool operator==(const Measured& o) const {
    return visits == o.visits && enters == o.enters && walked == o.walked;
  }
};

std::ostream& operator<<(std::ostream& out, const Measured& m) {
  return out << m.visits << " visits, " << m.enters << " enters, " << m.walked << " walked";
}

// By routine.
std::map<std::string, Measured> measured(const TracedProcess& process) {
  std::map<std::string, Measured> sums;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kVisits) {
        sums[process.leafOf(event.operand)].visits += event.payload[0];
      } else if (event.kind == Kind::kEnter) {
        Measured& m = sums[process.leafOf(event.operand)];
        m.enters++;
        const auto parent =
            process.paths.find(process.paths.at(static_cast<uint32_t>(event.operand)).parent);
        if (parent != process.paths.end() &&
            parent->second.kind == format::PathKind::kReturnAddress) {
          m.walked++;
        }
      }
    }
  }
  return sums;
}

class MpiRelevance : public MpiTest {
 protected:
  // What rank 0 of `queries COUNT` says of each routine.
  std::map<std::string, Measured> measure(const std::string& count, const Words& options) {
    const Outcome outcome =
        run(recorded(scratch_ / "trace", onRanks(2, "queries", {count}), options));
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    trace_ = loadTrace(scratch_ / "trace");
    const auto ranks = ranksOf(trace_, scratch_ / "trace");
    EXPECT_EQ(2u, ranks.size());
    if (ranks.empty()) return {};
    process_ = ranks.begin()->second.process;
    return measured(*process_);
  }

  TemporaryDirectory scratch_;
  Trace trace_;
  const TracedProcess* process_ = nullptr;
};

TEST_P(MpiRelevance, LocalCallsAreCounted) {
  auto sums = measure("20000", {});
  EXPECT_EQ((Measured{40000, 0, 0}), sums["MPI_Comm_rank"]);
  EXPECT_EQ((Measured{20000, 0, 0}), sums["MPI_Cart_shift"]);
  EXPECT_EQ((Measured{20000, 0, 0}), sums["MPI_Type_size"]);
  EXPECT_EQ((Measured{20000, 0, 0}), sums["MPI_Wtime"]);
  EXPECT_EQ((Measured{1, 0, 0}), sums["MPI_Comm_size"]);
  EXPECT_EQ((Measured{1, 0, 0}), sums["MPI_Type_contiguous"]);
  EXPECT_EQ((Measured{0, 3, 3}), sums["MPI_Barrier"]);
  EXPECT_EQ((Measured{0, 1, 1}), sums["MPI_Cart_create"]);
  EXPECT_EQ("mpi-local,mpi-type,mpi-topology,mpi-group", process_->settings.at("count"));
  EXPECT_TRUE(process_->notes.empty()) << process_->notes[0];
}

TEST_P(MpiRelevance, AsAsked) {
  auto sums = measure("500", {"--full", "MPI_Comm_rank,MPI_W*", "--flat", "mpi-topology",
                              "--count", "MPI_Barrier"});
  EXPECT_EQ((Measured{0, 1000, 1000}), sums["MPI_Comm_rank"]);
  EXPECT_EQ((Measured{0, 500, 500}), sums["MPI_Wtime"]);
  EXPECT_EQ((Measured{0, 500, 0}), sums["MPI_Cart_shift"]);
  EXPECT_EQ((Measured{500, 0, 0}), sums["MPI_Type_size"]);
  EXPECT_EQ((Measured{3, 0, 0}), sums["MPI_Barrier"]);
  EXPECT_EQ("mpi-topology", process_->settings.at("flat"));
  EXPECT_EQ(1u, process_->notes.size());  // that barriers are missing
}

// Without MPI_Init nobody would know the ranks.
TEST_P(MpiRelevance, TheWholeOfMpi) {
  auto sums = measure("500", {"--count", "mpi"});
  EXPECT_EQ((Measured{0, 1, 0}), sums["MPI_Init"]);
  EXPECT_EQ((Measured{1, 0, 0}), sums["MPI_Cart_create"]);
}

TEST_P(MpiRelevance, NothingOfAnAdapterThatIsOff) {
  const Outcome outcome = run(
      recorded(scratch_ / "trace", onRanks(2, "queries", {"500"}), {"--adapters", "-mpi"}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  trace_ = loadTrace(scratch_ / "trace");
  EXPECT_EQ(2u, trace_.processes.size());
  for (const TracedProcess& process : trace_.processes) {
    for (const auto& [routine, m] : measured(process)) {
      EXPECT_NE(0u, routine.find("MPI_")) << routine;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, MpiRelevance, kDebians,
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
