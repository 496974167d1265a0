package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.RunMode;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.LaunchPlan.PlannedApplication;

/** What a saved launch says, as what is done. */
class LaunchPlanTest {
  @TempDir Path directory;

  private static ApplicationSettings solver() {
    return Launches.application("bin/solver", "-i 'a b' 3");
  }

  private String failure(Launches launch) {
    return assertThrows(RecordException.class, () -> launch.plan(directory)).getMessage();
  }

  @Test
  void anApplicationRunsInTheDirectoryOfItsProgram() throws Exception {
    LaunchPlan plan = Launches.of(solver()).plan(directory);
    PlannedApplication application = plan.applications().get(0);
    assertEquals(List.of(directory.resolve("bin/solver").toString(), "-i", "a b", "3"),
        application.command());
    assertEquals(directory.resolve("bin"), application.directory());
    assertEquals("solver", application.name());
    assertEquals(RunMode.ACTIVE, application.mode());
    assertEquals(directory.resolve("bin/traces"), plan.output());
    assertEquals(1, plan.repetitions());
    assertEquals(List.of(), plan.options());
  }

  @Test
  void aLauncherGetsProcessesAndHosts() throws Exception {
    ApplicationSettings alone = solver().with(Field.LAUNCHER, "mpirun.openmpi")
        .with(Field.PROCESSES, "4").with(Field.LAUNCHER_ARGUMENTS, "--bind-to none");
    String program = directory.resolve("bin/solver").toString();
    assertEquals(List.of("mpirun.openmpi", "-n", "4", "--bind-to", "none", program, "-i", "a b", "3"),
        Launches.of(alone).plan(directory).applications().get(0).command());
    ApplicationSettings spread = alone.with(Field.HOSTS, "one, two").with(Field.LAUNCHER_ARGUMENTS, "")
        .with(Field.ARGUMENTS, "");
    Launches launch = Launches.of(spread).with(LaunchAttributes.ADAPTERS, "mpi");
    assertEquals(List.of("mpirun.openmpi", "-n", "4", "--host", "one,two", "-x", "LD_PRELOAD", "-x",
        "PARALLAX_TRACE", "-x", "PARALLAX_SAMPLE_HZ", "-x", "PARALLAX_TICK_HZ", "-x",
        "PARALLAX_ADAPTERS", program), launch.plan(directory).applications().get(0).command());
    assertEquals(List.of("mpirun.mpich", "-n", "4", "-hosts", "one,two", program),
        Launches.of(spread.with(Field.LAUNCHER, "mpirun.mpich")).plan(directory).applications().get(0)
            .command());
    assertTrue(failure(Launches.of(spread.with(Field.LAUNCHER, ""))).contains("hosts but no launcher"));
  }

  @Test
  void whatIsMeasuredBecomesOptionsOfTheRecorder() throws Exception {
    Launches launch = Launches.of(solver()).with(LaunchAttributes.SAMPLE_HZ, "500")
        .with(LaunchAttributes.SAMPLE_CLOCK, "wall").with(LaunchAttributes.ADAPTERS, "-file")
        .with(LaunchAttributes.FILTER, "some.filter").with(LaunchAttributes.MONITOR_HZ, "5")
        .with(LaunchAttributes.EXTERNALS, "./sensors.sh\n\ncat fifo\n")
        .with(LaunchAttributes.END_ALL, "true").with(LaunchAttributes.OPTIONS, "--flat mpi-test");
    assertEquals(List.of("--sample-hz", "500", "--sample-clock", "wall", "--adapters", "-file",
        "--filter", directory.resolve("some.filter").toString(), "--monitor=5", "--external",
        "./sensors.sh", "--external", "cat fifo", "--end-all", "--flat", "mpi-test"),
        launch.plan(directory).options());
  }

  @Test
  void theEnvironmentAndTheNamesOfSeveralAreKeptApart() throws Exception {
    LaunchPlan plan = Launches.of(solver().with(Field.ENVIRONMENT, "A=1\nB=x=y\n"), solver())
        .plan(directory);
    assertEquals(Map.of("A", "1", "B", "x=y"), plan.applications().get(0).environment());
    assertEquals(List.of("solver", "solver-2"),
        plan.applications().stream().map(PlannedApplication::name).toList());
  }

  @Test
  void whatIsWrongIsToldWithWhatIsRight() {
    assertTrue(failure(Launches.of()).contains("has no application"));
    assertTrue(failure(Launches.of(ApplicationSettings.EMPTY)).contains("has no program"));
    assertTrue(failure(Launches.of(solver().with(Field.MODE, "passive")))
        .contains("the modes are active, replay and comparison"));
    assertTrue(failure(Launches.of(solver().with(Field.MODE, "replay"))).contains("has no trace"));
    assertTrue(failure(Launches.of(solver().with(Field.LAUNCHER, "mpirun")
        .with(Field.PROCESSES, "four"))).contains("must be a number from 1"));
    assertTrue(failure(Launches.of(solver()).with(LaunchAttributes.REPETITIONS, "0"))
        .contains("the number of repetitions is \"0\""));
    assertTrue(failure(Launches.of(solver().with(Field.ENVIRONMENT, "novalue")))
        .contains("write NAME=VALUE"));
  }

  @Test
  void settingsAreReadAsTheyWereWritten() {
    List<ApplicationSettings> written = List.of(solver().with(Field.HOSTS, "a"),
        ApplicationSettings.EMPTY.with(Field.MODE, "comparison").with(Field.TRACE, "old/run-1"));
    List<ApplicationSettings> read =
        ApplicationSettings.read(ApplicationSettings.write(written));
    assertEquals(written, read);
    assertEquals("run-1", read.get(1).name());
    assertEquals("heat", ApplicationSettings.EMPTY
        .with(Field.PROGRAM, "${workspace_loc:/project/heat}").name());
  }

  /** A person has deleted the trace test-8, but not the session of tuning beside it. */
  @Test
  void aNumberIsFreeForAllThatStandsBesideALaunch() throws Exception {
    LaunchPlan plan = Launches.of(solver()).with(LaunchAttributes.OUTPUT, "out").plan(directory);
    for (String there : List.of("test-7", "test-8.tuning", "test-x.tuning", "other-20.tuning", "test-9x")) {
      Files.createDirectories(directory.resolve("out").resolve(there));
    }
    assertEquals(directory.resolve("out/test-9"), plan.makeDirectory());
  }

  @Test
  void noTwoLaunchesGetOneDirectory() throws Exception {
    LaunchPlan plan = Launches.of(solver()).with(LaunchAttributes.OUTPUT, "out").plan(directory);
    Files.createDirectories(directory.resolve("out/test-7"));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Path> make = plan::makeDirectory;
      Set<Path> made = new HashSet<>();
      for (Future<Path> each : threads.invokeAll(java.util.Collections.nCopies(40, make))) {
        made.add(each.get());
      }
      assertEquals(40, made.size());
      assertTrue(made.contains(directory.resolve("out/test-8")), made::toString);
    } finally {
      threads.shutdown();
    }
  }
}
