package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.testing.QuietMachine;

/** What ./parallax answers, wherever it is called from. */
@Tag("alone")
class ScriptTest {
  private static final Path GOLDEN = Project.ROOT.resolve("native/format/golden/messages");

  @TempDir
  Path folder;

  @Test
  void withoutACommandItTellsHowToUseIt() throws Exception {
    Run.Result result = Run.parallax().run().expect(2);
    assertEquals("", result.out());
    assertTrue(result.err().startsWith("usage: parallax COMMAND"), result::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"setup", "demo", "test", "record", "info", "report", "compare", "export",
      "import", "check", "ide", "session", "launch", "perturb", "bench", "study", "screenshots",
      "filter", "completion", "tune"})
  void everyCommandHasHelpThatEndsWithExamples(String command) throws Exception {
    Run.Result result = Run.parallax(command, "--help").run().expect(0);
    assertTrue(result.out().startsWith("usage: parallax " + command), result::toString);
    String last = result.out().substring(result.out().lastIndexOf("example"));
    assertTrue(last.contains("\n  parallax " + command), result::toString);
    assertTrue(Run.parallax("--help").run().expect(0).out().contains("\n  " + command + " "));
  }

  @ParameterizedTest
  @CsvSource({"repot,report", "recrod,record", "chek,check", "dem,demo", "inf,info"})
  void aWrongCommandIsAnsweredWithTheNearOnes(String wrong, String near) throws Exception {
    Run.Result result = Run.parallax(wrong).run().expect(2);
    assertTrue(result.err().startsWith("parallax: unknown command \"" + wrong + "\"; near: "),
        result::toString);
    assertTrue(result.err().contains(near), result::toString);
  }

  @Test
  void theModelsOfTuningAreListed() throws Exception {
    assertTrue(Run.parallax("tune", "--models").run().expect(0).out().contains("pvm-fragment-size"));
  }

  @Test
  void aCommandFarFromAllIsAnsweredWithTheHelp() throws Exception {
    Run.Result result = Run.parallax("xylophone").run().expect(2);
    assertEquals("parallax: unknown command \"xylophone\"; see: parallax --help\n", result.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"setup", "demo", "bench"})
  void argumentsThatACommandDoesNotTakeAreWrongUse(String command) throws Exception {
    assertTrue(Run.parallax(command, "more").run().expect(2).err()
        .contains(command + " takes no arguments"));
  }

  @Test
  void pathsAreThoseOfTheCallerAndMayHoldSpaces() throws Exception {
    Path there = Files.createDirectory(folder.resolve("a folder"));
    Files.createSymbolicLink(there.resolve("my trace"), GOLDEN);
    Path link = Files.createSymbolicLink(there.resolve("plx"), Project.ROOT.resolve("parallax"));
    Run.Result result =
        Run.command(link, "report", "metrics", "my trace").in(there).run().expect(0);
    assertEquals(
        Run.parallax("report", "metrics", GOLDEN).run().expect(0).out().lines().count(),
        result.out().lines().count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "report metrics", "check"})
  void whatIsNoTraceGetsOneMessage(String command) throws Exception {
    Files.writeString(folder.resolve("notes"), "nothing recorded here\n");
    for (String trace : List.of("not-there", ".", "notes")) {
      List<Object> words = new ArrayList<>(List.of(command.split(" ")));
      words.add(trace);
      Run.Result result = Run.parallax(words.toArray()).in(folder).run().expect(1);
      assertTrue((result.out() + result.err()).contains("parallax"), result::toString);
      assertFalse((result.out() + result.err()).contains("\tat "), result::toString);
    }
  }

  @Test
  void aSecondSetupHasNothingToDo() throws Exception {
    Run.parallax("setup").within(1200).run().expect(0);
    QuietMachine.measure(attempt -> {
      Run.Result second = Run.parallax("setup").run().expect(0);
      assertEquals("parallax: ready\n", second.err());
      // About a second on an idle machine.
      QuietMachine.times(() -> assertTrue(second.seconds() < 10, result(second)));
    });
  }

  /**
   * Runs what fails by itself where an answer is wrong, with status 1, and measures times for that. What looks at
   * its output never sees such a failure.
   */
  private static Run.Result measured(Object... words) throws Exception {
    Run.Result[] right = {null};
    QuietMachine.measure(attempt -> {
      Run.Result result = Run.parallax(words).within(1200).run();
      if (result.status() == 1) {
        throw new QuietMachine.WrongTime(result.toString());
      }
      right[0] = result.expect(0);
    });
    return right[0];
  }

  @Test
  void theBenchmarksRunToTheirEnd() throws Exception {
    String out = Run.parallax("bench", "--short").within(600).run().expect(0).out();
    for (String part : new String[] {"--- agent", "--- unwind", "--- mpi", "million events/s"}) {
      assertTrue(out.contains(part), out);
    }
  }

  /** That it measures is tested where it is: it is built as the plug-ins' tests are. */
  @Test
  void theBenchmarkOfTheWorkbenchTakesOnlyShort() throws Exception {
    for (String[] more : new String[][] {{"long"}, {"--short", "twice"}}) {
      List<String> line = new ArrayList<>(List.of("bench", "ui"));
      line.addAll(List.of(more));
      assertTrue(Run.parallax(line.toArray()).run().expect(2).err()
          .contains("bench ui takes only --short"));
    }
  }

  /**
   * It fails by itself where a trial is not sound. What the estimates are depends on what else the machine
   * does: that they are right is tested on planted programs.
   */
  @Test
  void experimentsBesideCozRunToTheirEnd() throws Exception {
    Run.Result result = measured("bench", "experiments", "--short");
    for (String part : List.of("really faster", "virtual speed-up", "coz", "delays", "\nrank corr.",
        "\nseconds ", "the ranking by virtual speed-ups is", "no estimate is judged")) {
      assertTrue(result.out().contains(part), result::toString);
    }
    String value = " +-?\\d+\\.\\d\\d \\+- +\\d+\\.\\d\\d +\\d";
    String seenOrNot = "( +-?\\d+\\.\\d\\d \\+- +(\\d+\\.\\d\\d|\\?) +\\d| +not seen +-)";
    for (String planted : List.of("compress 26.12 1", "store 13.43 2", "parse 7.46 3", "emit 2.99 4",
        "hash 0.00 5")) {
      String row = planted.replace(".", "\\.").replace(" ", " +") + value + value + seenOrNot + value;
      assertEquals(1, result.out().lines().filter(line -> line.matches(row)).count(),
          () -> row + "\n" + result);
    }
  }

  @Test
  void theStudyOfHybridMeasurementFindsWhatIsPlanted() throws Exception {
    String out = measured("study", "hybrid", "--quick").out();
    String path = "main -> drops::strategy -> drops::solveCoupled -> drops::Output::write"
        + " -> drops::Output::putGeometry -> drops::Output::putLine -> ";
    assertTrue(out.contains("rank 0: " + path) && out.contains("-> std::endl\n"), out);
    for (String part : List.of("in MPI_Allreduce", "predicted", "Table I", "MPI_Probe",
        "hybrid, 1 kHz", "full instrumentation", "instrumentation, filtered")) {
      assertTrue(out.contains(part), out);
    }
    assertFalse(out.contains("not measured"), out);
  }

  /** Each fails by itself where an answer is wrong, a trace is not sound, or what it looks for is missing. */
  @ParameterizedTest
  @CsvSource({"clock,effect_join", "psim,NOGANG1", "storage,regenLog"})
  void theStudiesOfSeveralApplicationsRun(String study, String part) throws Exception {
    Run.Result result = measured("study", study, "--quick");
    assertTrue(result.out().contains("\n" + part) || result.out().contains(" " + part),
        result::toString);
    assertTrue(result.out().contains("the paper"), result::toString);
    // What PostgreSQL does first is in the study of servers.
    assertEquals(study.equals("storage"), result.out().contains("StartupXLOG ["), result::toString);
    assertFalse(result.out().contains("have no partner"), result::toString);
  }

  /** Each fails by itself where another place than the paper's has the largest effect. */
  @ParameterizedTest
  @CsvSource({"quicksort,The experiment names swap", "ring,installed delays"})
  void theStudiesOfExperimentsFindThePlacesOfThePaper(String study, String part) throws Exception {
    Run.Result result = measured("study", study, "--quick");
    assertTrue(result.out().contains("\n" + part), result::toString);
    assertTrue(result.out().contains("the paper"), result::toString);
  }

  /** It fails by itself where a run fails, a rank of a key is wrong, or the keys are not sorted. */
  @Test
  void theStudyOfIntrusionMeasuresEachTransport() throws Exception {
    Run.Result result = Run.parallax("study", "intrusion", "--quick").within(600).run().expect(0);
    for (String mode : List.of("none", "mapped", "unbuffered", "buffered:64K")) {
      assertTrue(result.out().lines().anyMatch(line -> line.matches(" +2\\*? +" + mode + " .* \\d\\.\\d{4}.*")),
          () -> mode + "\n" + result);
    }
    for (String part : List.of("Table 1: ", "Table 2: ", "Table 3: ", "Table 4: ", " 211.87 ", "chart.svg")) {
      assertTrue(result.out().contains(part), result::toString);
    }
  }

  /** It fails by itself where a run fails, a message comes back changed, or a route is not taken. */
  @Test
  void theStudyOfPvmMeasuresEachSetting() throws Exception {
    Run.Result result = Run.parallax("study", "pvm-library", "--quick").within(600).run().expect(0);
    String time = " +\\d+\\.\\d+";
    String saved = " +-?\\d+\\.\\d";
    for (String row : List.of(" +1000 +XDR +1\\.77 +1\\.18 +33\\.3" + time + time + saved,
        " +1 +direct +0\\.53 +0\\.51 +3\\.8" + time + time + saved + time + saved,
        " +64 KB +direct, XDR" + time + saved, " +64 KB +paper +55\\.64 +51\\.3",
        " +1000000" + time + " +(in)?direct, [a-zA-Z-]+(, 4 KB)?")) {
      assertTrue(result.out().lines().anyMatch(line -> line.matches(row)), () -> row + "\n" + result);
    }
    for (String part : List.of("=== One host ===", "Direct route: ", "XDR: ", "Fragments: ", "chart-fragments.svg")) {
      assertTrue(result.out().contains(part), result::toString);
    }
    assertTrue(result.out().contains("=== Three hosts in network namespaces ===")
        || result.err().contains("no network namespaces can be made for three hosts"), result::toString);
  }

  /** It fails by itself where a run fails, a rank of a key is wrong, or the keys are not sorted. */
  @Test
  void theStudyOfSortingUnderPvmMeasuresEachSetting() throws Exception {
    Run.Result result = Run.parallax("study", "pvm-is", "--quick").within(600).run().expect(0);
    String seconds = " +\\d+\\.\\d{3}";
    String saved = seconds + " +-?\\d+\\.\\d +-?\\d+\\.\\d";
    String kept = " +\\d \\d \\d( +\\d+\\.\\d s)? +\\d+";
    long places = result.out().lines().filter(line -> line.startsWith("=== ")).count();
    for (String row : List.of("nothing: indirect, raw, 4 KB +732" + seconds + " +4096",
        "communication mode +604 +17\\.5 +3\\.5" + saved + kept, "data encoding +761 +-4\\.0 +2\\.8" + saved + kept,
        "fragment size +769 +-5\\.1 +3\\.5" + saved + kept, "all +529 +27\\.7 +5\\.3" + saved + kept,
        "measured, nothing changed" + saved + " +4096", "nothing, and with XDR" + seconds + " +4096",
        "all, from XDR" + saved + kept, "direct, raw, fragments of mean \\+ deviation +-?\\d+\\.\\d +\\d+")) {
      assertEquals(places, result.out().lines().filter(line -> line.matches(row)).count(), () -> row + "\n" + result);
    }
    assertTrue(places >= 1 && result.out().contains("=== One host, class S ==="), result::toString);
    assertTrue(result.out().contains("Medians of 1 round,"), result::toString);
  }

  /** What it measures is tested natively. */
  @Test
  void theStudyOfMpiVariablesTellsWhatCannotBeWritten() throws Exception {
    Run.Result result = Run.parallax("study", "mpi-variables", "--quick", "--library", "openmpi").within(600).run().expect(0);
    String row = "coll_tuned_allreduce_algorithm_count +constant +yes +never +never +writing it: never";
    assertTrue(result.out().lines().anyMatch(line -> line.matches(row)), result::toString);
    assertTrue(result.out().contains("study-mpi-variables-quick/variables.csv"), result::toString);
  }

  /** Its parts are tested natively; here the real tuner runs each program, with the same results. */
  @Test
  void theStudyOfMpiCollectivesTunesBothOperations() throws Exception {
    Run.Result result = Run.parallax("study", "mpi-collectives", "--quick", "--library", "openmpi").within(600).run().expect(0);
    for (String operation : List.of("alltoall", "allreduce")) {
      String row = "openmpi +" + operation + " +badly +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +\\S.*";
      assertTrue(result.out().lines().anyMatch(line -> line.matches(row)), result::toString);
    }
    assertTrue(result.out().contains("study-mpi-collectives-quick/collectives.csv"), result::toString);
  }

  /** Times of short runs are not judged. */
  @Test
  void theBenchmarkOfTransportsRunsToItsEnd() throws Exception {
    Run.Result result = Run.parallax("bench", "transports", "--short").within(600).run().expect(0);
    assertTrue(result.out().lines().anyMatch(line -> line.matches(" +2\\*? +plain( +-?[0-9.]+){3} *")),
        result::toString);
    assertTrue(result.out().contains("no figure is judged"), result::toString);
  }

  private static String result(Run.Result result) {
    return result + "\n" + result.seconds() + " s";
  }

  @Test
  void theIdeNeedsADisplayAndATrace() throws Exception {
    Run.Result hidden =
        Run.parallax("ide").without("DISPLAY", "WAYLAND_DISPLAY").run().expect(1);
    assertTrue(hidden.err().contains("no display can be opened"), hidden::toString);
    Run.Result gone = Run.parallax("ide").with("DISPLAY", ":4711").without("WAYLAND_DISPLAY")
        .run().expect(1);
    assertTrue(gone.err().contains("no display can be opened (DISPLAY=:4711)"), gone::toString);
    Run.Result missing = Run.parallax("ide", "not-there").in(folder).run().expect(1);
    assertTrue(missing.err().contains("there is no trace directory not-there"), missing::toString);
  }

  /** A machine where no package is installed and nobody may install one. */
  private Run.Result withoutPackages(String aptCache, String... arguments) throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : List.of("dpkg-query", "sudo", "apt-cache")) {
      Files.writeString(tools.resolve(tool),
          "#!/bin/sh\n" + (tool.equals("apt-cache") ? aptCache : "exit 1") + "\n");
      Files.setPosixFilePermissions(tools.resolve(tool),
          PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<Object> command = new ArrayList<>();
    if (Files.getOwner(folder).getName().equals("root")) {
      command.addAll(List.of("setpriv", "--reuid=65534", "--clear-groups"));
    }
    // A copy: the project may lie where only its owner can read.
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Run.command("cp", "-r", Project.ROOT.resolve("parallax"), Project.ROOT.resolve("scripts"),
        copy).run().expect(0);
    command.add(copy.resolve("parallax"));
    command.addAll(List.of(arguments));
    return Run.command(command.toArray()).in(folder)
        .with("PATH", tools + ":" + System.getenv("PATH")).run().expect(1);
  }

  @Test
  void missingPackagesAreNamedWithTheCommandThatInstallsThem() throws Exception {
    Run.Result result = withoutPackages("exit 100", "setup");
    assertTrue(result.err().contains("install them with: sudo apt-get update && sudo apt-get "
        + "install -y --no-install-recommends "), result::toString);
    for (String name : List.of("g++", "cmake", "openmpi-bin", "libgtk-3-0")) {
      assertTrue(result.err().contains(name), result::toString);
    }
  }

  /** As on Debian 13, which has GTK under another name, and no PVM. */
  @Test
  void packagesHaveTheNamesOfTheDistribution() throws Exception {
    Run.Result result = withoutPackages("for name; do :; done\n"
        + "case $name in libgtk-3-0 | pvm*) exit 100 ;; *) echo \"Package: $name\" ;; esac", "test",
        "native");
    List<String> words = List.of(result.err().split("\\s+"));
    assertTrue(words.containsAll(List.of("libgtk-3-0t64", "mpich", "g++")), result::toString);
    assertTrue(words.stream().noneMatch(word -> word.equals("libgtk-3-0") || word.startsWith("pvm")
        || word.contains("|")), result::toString);
  }

  /** Runs lines with the functions of the set-up, whose state is a folder of its own. */
  private Run.Result inSetUp(String lines) throws Exception {
    return Run.command("bash", "-c", "set -euo pipefail; root=" + Project.ROOT + " state=" + folder
        + "; source \"$root/scripts/setup.sh\"; " + lines).in(folder).run();
  }

  @Test
  void aPartOfTheSetUpInTheBackgroundEndsWithTheOthers() throws Exception {
    inSetUp("in_background bash -c 'exit 7'; join_background").expect(7);
    Run.Result joined = inSetUp("in_background touch made; join_background; ls made").expect(0);
    assertEquals("made\n", joined.out());
    // One part fails; the other has started a program.
    inSetUp("in_background bash -c 'sleep 600 & echo $! > pid; wait'; "
        + "while [[ ! -s pid ]]; do sleep 0.01; done; fail no").expect(1);
    long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
    for (int i = 0; i < 500 && ProcessHandle.of(pid).isPresent(); i++) {
      Thread.sleep(10);
    }
    assertTrue(ProcessHandle.of(pid).isEmpty(), "the program of the other part still runs");
  }
}
