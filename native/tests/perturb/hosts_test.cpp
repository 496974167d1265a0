// A trial whose ranks are on several hosts: other host names, and other file systems.
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <fstream>

#include "tests/mpi/mpi_runner.h"
#include "tests/perturb/trial.h"

namespace parallax::tests {
namespace {

class PerturbHosts : public MpiTest {
 protected:
  void SetUp() override {
    MpiTest::SetUp();
    if (IsSkipped()) return;
    const Outcome outcome = run({"unshare", "--uts", "--mount", "hostname", "alpha"});
    if (outcome.status != 0) GTEST_SKIP() << "hosts cannot be simulated: " << outcome.errors;
    trial_.module(program("perturb-ring"));
    trial_.jump(0, 0);
    utsname names;
    uname(&names);
    trial_.line(std::string("host\t") + names.nodename);
    trial_.write();
  }

  // What the launcher takes for ssh: after `prepare` on the other host.
  Outcome runOn(const std::string& hosts, const std::string& prepare) {
    const std::string shell = launcher_ / "shell";
    std::ofstream(shell) << "#!/bin/sh\nwhile case $1 in -*) true;; *) false;; esac; do shift; done\n"
                            "host=$1; shift\n"
                            "exec unshare --uts --mount sh -c \"hostname $host; "
                         << prepare << "$*\"\n";
    chmod(shell.c_str(), 0755);
    Words words{"timeout", "60", recorder(), "--perturb", trial_.planPath(), "--no-trace", "--"};
    const Words launcher =
        isOpenMpi() ? Words{"mpirun.openmpi", "--mca", "plm_rsh_agent", shell, "--host", hosts}
                    : Words{"mpirun.mpich", "-launcher", "ssh", "-launcher-exec", shell, "-hosts", hosts};
    words.insert(words.end(), launcher.begin(), launcher.end());
    words.insert(words.end(), {"-n", "2", program("perturb-ring"), "100"});
    return run(words);
  }

  Trial trial_;
  TemporaryDirectory launcher_;
};

TEST_P(PerturbHosts, EachCountsInAFileOfItsOwn) {
  const Outcome outcome = runOn("alpha,beta", "");
  ASSERT_EQ(0, outcome.status) << outcome.output << outcome.errors;
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_TRUE(trial_.shards().empty()) << "nothing ran here";
  uint64_t count = 0;
  for (const char* host : {"@alpha", "@beta"}) {
    EXPECT_EQ("", contentsOf(trial_.resultPath() + host + ".problems"));
    const Counted own = trial_.sum(0, host);
    EXPECT_GE(own.count, 101u) << host;
    count += own.count;
  }
  EXPECT_GE(count, 253u);
  EXPECT_LE(count, 254u);
}

TEST_P(PerturbHosts, OneThatDoesNotSeeThePlanIsTold) {
  const std::string directory = trial_ / "";
  const Outcome outcome = runOn("alpha,beta", "[ $host = alpha ] || mount -t tmpfs none " + directory + "; ");
  EXPECT_EQ(0, outcome.status) << outcome.output << outcome.errors;
  EXPECT_NE(std::string::npos, outcome.errors.find("parallax: not perturbed on beta: the plan does not exist"))
      << outcome.errors;
  EXPECT_EQ(std::string::npos, outcome.errors.find("on alpha")) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(All, PerturbHosts, testing::Values("openmpi", "mpich"),
                         [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
