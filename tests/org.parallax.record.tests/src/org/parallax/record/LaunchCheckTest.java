package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.Problem.Severity;
import org.parallax.record.Problem.Topic;

/** What is missing is told before anything runs, with what to do. */
class LaunchCheckTest {
  @TempDir Path directory;

  private List<Problem> check(Launches launch) throws Exception {
    return LaunchCheck.of(launch.with(LaunchAttributes.OUTPUT, directory + "/out").plan(directory),
        Launches.AGENT);
  }

  /** The only problem. */
  private Problem problem(Severity severity, Topic topic, Launches launch) throws Exception {
    List<Problem> problems = check(launch);
    assertEquals(1, problems.size(), problems::toString);
    assertEquals(severity, problems.get(0).severity());
    assertEquals(topic, problems.get(0).topic());
    assertFalse(problems.get(0).remedy().isBlank());
    return problems.get(0);
  }

  private static ApplicationSettings queue() {
    return Launches.application(Launches.program("mutex_queue"), "");
  }

  private Path program(String compiler, String... options) throws Exception {
    Path source = Files.writeString(directory.resolve("a.c"), "int main(void) { return 0; }\n");
    Path program = directory.resolve("a.out");
    List<String> command = new java.util.ArrayList<>(List.of(compiler, "-o", program.toString(),
        source.toString()));
    command.addAll(List.of(options));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    return program;
  }

  @Test
  void nothingIsMissingForWhatCanRun() throws Exception {
    assertEquals(List.of(), check(Launches.of(Launches.heat(""))));
    assertEquals(List.of(), check(Launches.of(queue())));
  }

  @Test
  void theAgentIsLookedFor() throws Exception {
    LaunchPlan plan = Launches.of(queue()).with(LaunchAttributes.OUTPUT, directory + "/out")
        .plan(directory);
    List<Problem> none = LaunchCheck.of(plan, Agent.in(directory));
    assertEquals(Topic.AGENT, none.get(0).topic());
    assertTrue(none.get(0).text().contains("./parallax setup"), none::toString);
    Path copy = Files.copy(Launches.AGENT.recorder(), directory.resolve("parallax-record"));
    assertTrue(copy.toFile().setExecutable(true));
    assertTrue(LaunchCheck.of(plan, Agent.in(directory)).get(0).fact()
        .contains("libparallax-agent.so is neither beside"));
    Files.writeString(directory.resolve("libparallax-agent.so"), "no library");
    assertTrue(LaunchCheck.of(plan, Agent.in(directory)).get(0).fact().contains("cannot be loaded"));
  }

  @Test
  void theLauncherOfMpiIsLookedFor() throws Exception {
    Problem missing = problem(Severity.ERROR, Topic.MPI, Launches.of(
        Launches.heat("").with(Field.ENVIRONMENT, "PATH=" + directory)));
    assertEquals("the launcher mpirun.openmpi does not exist, not even in PATH; install an MPI "
        + "library (on Debian and Ubuntu the package openmpi-bin), or correct the path of the "
        + "launcher",
        missing.text());
    Problem alone = problem(Severity.WARNING, Topic.MPI,
        Launches.of(Launches.heat("").with(Field.LAUNCHER, "")));
    assertTrue(alone.text().contains("set a launcher, such as mpirun.openmpi"), alone::text);
    List<Problem> many = check(Launches.of(Launches.heat("").with(Field.PROCESSES, "4000")
        .with(Field.ENVIRONMENT,
            "OMPI_ALLOW_RUN_AS_ROOT=1\nOMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")));
    boolean isAllowed = System.getenv("OMPI_MCA_rmaps_base_oversubscribe") != null;
    assertEquals(isAllowed ? 0 : 1, many.size(), many::toString);
  }

  @Test
  void thePvmDaemonIsLookedFor() throws Exception {
    Path library = directory.resolve("libpvm3.so");
    Path source = Files.writeString(directory.resolve("l.c"), "int pvm(void) { return 0; }\n");
    assertEquals(0, new ProcessBuilder("gcc", "-shared", "-fPIC", "-Wl,-soname,libpvm3.so", "-o",
        library.toString(), source.toString()).inheritIO().start().waitFor());
    Path program = program("gcc", "-g", "-Wl,--no-as-needed", library.toString());
    Launches launch = Launches.of(Launches.application(program.toString(), "")
        .with(Field.ENVIRONMENT, "PVM_TMP=" + directory));
    Problem missing = problem(Severity.ERROR, Topic.PVM, launch);
    assertTrue(missing.text().contains("start one with: echo quit | pvm"), missing::text);
    Object user = Files.getAttribute(directory, "unix:uid");
    Files.createFile(directory.resolve("pvmd." + user));
    // What looks like the daemon, besides one that may run here.
    boolean isThere = ProcessHandle.allProcesses().anyMatch(
        each -> each.info().command().orElse("").contains("/pvmd"));
    if (!isThere) {
      assertTrue(problem(Severity.ERROR, Topic.PVM, launch).fact().endsWith("has ended"));
    }
    Path daemon = Files.copy(Path.of("/bin/sleep").toRealPath(), directory.resolve("pvmd3"));
    Process sleeping = new ProcessBuilder(daemon.toString(), "60").start();
    try {
      assertEquals(List.of(), check(launch));
    } finally {
      sleeping.destroyForcibly().waitFor();
    }
  }

  @Test
  void programsThatCannotBeRecordedAreToldApart() throws Exception {
    assertTrue(problem(Severity.ERROR, Topic.PROGRAM,
        Launches.of(Launches.application("bin/none", "").with(Field.DIRECTORY, ".")))
        .text().contains("bin/none does not exist"));
    assertTrue(problem(Severity.ERROR, Topic.PROGRAM,
        Launches.of(queue().with(Field.DIRECTORY, "nowhere"))).fact().contains("working directory"));
    Path linked = program("gcc", "-g", "-static");
    assertTrue(problem(Severity.ERROR, Topic.PROGRAM,
        Launches.of(Launches.application(linked.toString(), ""))).text().contains("without -static"));
    Path plain = program("gcc");
    assertTrue(problem(Severity.WARNING, Topic.SYMBOLS,
        Launches.of(Launches.application(plain.toString(), ""))).text()
        .contains("no debug information"));
    Path stripped = program("gcc", "-s");
    assertTrue(problem(Severity.WARNING, Topic.SYMBOLS,
        Launches.of(Launches.application(stripped.toString(), ""))).text().contains("has no symbols"));
    assertTrue(stripped.toFile().setExecutable(false, false));
    assertTrue(check(Launches.of(Launches.application(stripped.toString(), ""))).get(0).text()
        .contains("chmod +x"));
  }

  @Test
  void theOutputMustBeADirectory() throws Exception {
    Files.writeString(directory.resolve("out"), "a file");
    assertTrue(problem(Severity.ERROR, Topic.OUTPUT, Launches.of(queue())).text()
        .contains("is a file; choose another directory"));
  }

  @Test
  void tracesThatAreReplayedMustBeThere() throws Exception {
    Launches launch = Launches.of(ApplicationSettings.EMPTY.with(Field.MODE, "replay")
        .with(Field.TRACE, "old"));
    assertTrue(problem(Severity.ERROR, Topic.TRACE, launch).fact().contains("no trace in"));
  }
}
