package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.experiment.run.ExperimentLock;
import org.parallax.trace.testing.SimulatedTools;

/** Experiments on the command line: what bad input gets, before hours are spent. */
class PerturbCommandTest {
  private static final String LINEAR = "ns=$((100000000 + 100 * f0 + n % 3 * 10000))\n";

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void makeTools() throws Exception {
    file = directory.resolve("x.experiment");
    simulate(LINEAR);
  }

  private void simulate(String body) throws Exception {
    SimulatedTools tools = SimulatedTools.make(directory, body);
    System.setProperty("parallax.record", tools.recorder().toString());
    System.setProperty("parallax.points", tools.points().toString());
  }

  @AfterEach
  void forgetTools() {
    System.clearProperty("parallax.record");
    System.clearProperty("parallax.points");
  }

  /** @return a design with a command that there is */
  private Run design(String... options) {
    List<Object> line = new ArrayList<>(List.of("perturb", "design", file));
    line.addAll(Arrays.asList(options));
    line.addAll(List.of("--", "/bin/true"));
    return Run.of(line.toArray());
  }

  private void refuses(int status, String message, Run run) {
    assertEquals(message + "\n", run.err().replace(directory.toString(), "DIR"));
    assertEquals(status, run.status());
    assertFalse(run.err().contains("Exception"), run.err());
  }

  private void refusesUse(String message, Run run) {
    refuses(2, message + "\nsee: parallax perturb design --help", run);
    assertFalse(Files.exists(file));
  }

  private void refusesDesign(String message, Run run) {
    refuses(1, message, run);
    assertFalse(Files.exists(file));
    assertFalse(Files.exists(directory.resolve("x.trials")));
  }

  @Test
  void fromTheDesignToTheEffects() {
    Run design = design("--factor", "push", "--factor", "pop", "--replicates", "2", "--seed", "1");
    assertEquals(0, design.status(), design.err());
    assertTrue(design.out().endsWith("\nnext: parallax perturb run " + file + "\n"), design.out());
    Run run = Run.of("perturb", "run", file);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("  16/16  "), run.err());
    assertEquals("all 16 trials are done; see: parallax perturb analyse " + file + "\n",
        Run.of("perturb", "run", file).out());
    Run effects = Run.of("perturb", "analyse", file);
    assertEquals(0, effects.status(), effects.err());
    assertTrue(effects.out().contains("slower"), effects.out());
  }

  @Test
  void factorsThatNameNothing() {
    refusesDesign("parallax: no function lost in the program; did you mean found?",
        design("--factor", "push", "--factor", "lost"));
    refusesUse("parallax: there is no factor; name one with --factor PLACE, or print proposals: "
        + "parallax perturb suggest TRACE", design());
    refusesDesign("parallax: the factor \"swap=\" has no place; a place is FUNCTION, "
        + "exit:FUNCTION, "
        + "FILE:LINE, before:MPI_Recv@FUNCTION, macro:NAME", design("--factor", "swap="));
    refusesDesign("parallax: two factors have the name a",
        design("--factor", "a=push", "--factor", "a=pop"));
    refusesDesign("parallax: \"a&b\" cannot be the name of a factor", design("--factor", "a&b=push"));
    refusesUse("parallax: --set names no factor \"pusj\"; did you mean push?",
        design("--factor", "push", "--set", "pusj=spin 1us"));
  }

  @Test
  void treatmentsThatAreNone() {
    String such = "; examples: 0, 200ns, 1.5us, 2ms (at most 60s)";
    refusesDesign("parallax: \"10\" is not a setting of the treatment delay" + such,
        design("--factor", "push", "--treatment", "delay 10"));
    refusesDesign("parallax: \"10k\" is not a setting of the treatment spin" + such,
        design("--factor", "push", "--set", "push=spin 10k"));
    refusesDesign("parallax: \"5ms\" is not a setting of the treatment speedup; examples: 0, 25%, "
        + "100%",
        design("--factor", "push", "--treatment", "speedup 5ms"));
    refusesDesign("parallax: there is no treatment \"spinn\"; the treatments are: delay, spin, "
        + "sleep, work, "
        + "lock, message, buffer, speedup", design("--factor", "push", "--treatment", "spinn 1us"));
    refusesDesign("parallax: which mutex is locked? Name the program's variable: lock:VARIABLE",
        design("--factor", "push", "--treatment", "lock"));
    refusesDesign("parallax: the settings of push must rise: 10us 5us",
        design("--factor", "push", "--treatment", "spin 10us 5us"));
  }

  @Test
  void commandsAndFilesThatAreNone() throws Exception {
    Run none = Run.of("perturb", "design", file, "--factor", "push", "--", "./nowhere");
    refusesDesign("parallax: the program ./nowhere does not exist", none);
    Path script = directory.resolve("script");
    Files.writeString(script, "#!/bin/sh\n");
    refusesDesign("parallax: cannot find out which program DIR/script runs; name the program with "
        + "--program PATH", Run.of("perturb", "design", file, "--factor", "push", "--", script));
    refusesDesign("parallax: DIR/script is a script; name the executable that contains the places "
        + "with --program "
        + "PATH", design("--factor", "push", "--program", script.toString()));
    refusesDesign("parallax: nosuchprogram does not exist; name the executable that contains the "
        + "places with --program PATH", design("--factor", "push", "--program", "nosuchprogram"));
    assertEquals(0, Run.of("perturb", "design", directory.resolve("y.experiment"), "--factor", "push",
        "--program", "sh", "--", script).status());
    refuses(1, "parallax: there is no experiment DIR/x.experiment. Create one: parallax perturb design "
        + "FILE.experiment --factor PLACE -- COMMAND", Run.of("perturb", "run", file));
    Files.writeString(file, "<?xml version=\"1.0\"?>\n<nothing/>\n");
    for (String command : List.of("run", "analyse")) {
      Run damaged = Run.of("perturb", command, file);
      assertEquals(1, damaged.status());
      assertTrue(damaged.err().contains("create a new one: "), damaged.err());
    }
    assertFalse(Files.exists(directory.resolve("x.trials")));
  }

  @Test
  void whatAPersonHasChangedWrongly() throws Exception {
    design("--factor", "push", "--factor", "pop");
    String text = Files.readString(file);
    for (List<String> change : List.of(List.of("10us", "10 us"), List.of("10us", "10parsecs"),
        List.of("settings=\"-1 1\"", "settings=\"-1 7\""), List.of("settings=\"-1 1\"",
            "settings=\"-1 x\""), List.of("replicates=\"1\"", "replicates=\"-1\""),
        List.of("replicates=\"1\"", "replicates=\"many\""),
        List.of("unit=\"ns\"", "kind=\"MOOD\""), List.of("<arguments>/bin/true</arguments>", ""),
        List.of("place=\"push\"", "plaice=\"push\""), List.of("levels=\"2\"", "levels=\"1\""),
        List.of("</", "<"))) {
      assertTrue(text.contains(change.get(0)), change + " in " + text);
      Files.writeString(file, text.replace(change.get(0), change.get(1)));
      Run run = Run.of("perturb", "run", file);
      assertEquals(1, run.status(), change + run.err());
      assertTrue(run.err().startsWith("parallax: "), run.err());
      assertFalse(run.err().contains("this is an error in Parallax"), change + run.err());
    }
  }

  @Test
  void onlyOneMakesTrials() throws Exception {
    design("--factor", "push");
    String busy = "parallax: trials of DIR/x.experiment are already running, in another \"perturb "
        + "run\" or in Eclipse; wait for their end, or name another file";
    try (ExperimentLock lock = ExperimentLock.of(file)) {
      assertEquals(1, lock.read().getFactors().size());
      refuses(1, busy, Run.of("perturb", "run", file));
      refuses(1, busy, design("--factor", "pop"));
    }
    assertEquals(0, Run.of("perturb", "run", file).status());
  }

  @Test
  void trialsThatWereMadeAreNotForgottenByAccident() {
    design("--factor", "push");
    Run.of("perturb", "run", file);
    refuses(1, "parallax: DIR/x.experiment has 9 trials, which a new design discards; name another "
        + "file, or use --again", design("--factor", "pop"));
    assertEquals(0, design("--factor", "pop", "--again").status());
  }

  @Test
  void trialsThatCannotBeKept() throws Exception {
    design("--factor", "push");
    Files.writeString(directory.resolve("x.trials"), "in the way");
    refuses(1, "parallax: cannot store trials in DIR/x.trials: DIR/x.trials is not a directory",
        Run.of("perturb", "run", file));
  }

  @Test
  void commandsThatFailOrSayNothing() throws Exception {
    design("--factor", "push");
    simulate("echo 'no such input' >&2; exit 3\n");
    Run run = Run.of("perturb", "run", file);
    assertEquals(1, run.status());
    assertTrue(run.err().replace(directory.toString(), "DIR").endsWith(
        "parallax: trial 1 (without treatments) failed 3 times, the last time: it exited with "
        + "status "
        + "3: no such input; its output is in DIR/x.trials/0000. Correct the cause and continue "
        + "with: parallax perturb run DIR/x.experiment\n"), run.err());
    simulate(LINEAR + "echo done\n");
    design("--factor", "push", "--response", "output:time: (\\d+)");
    run = Run.of("perturb", "run", file);
    assertTrue(run.err().contains("nothing in its output matches \"time: (\\d+)\" of the response "
        + "output"), run.err());
    refuses(2, "parallax: the pattern \"time\" has no group for the number; example: time: "
        + "([0-9.]+)"
        + "\nsee: parallax perturb design --help", design("--factor", "push", "--response", "output:time"));
  }

  @Test
  void designsThatCannotHoldIt() {
    String[] seven = {"a", "b", "c", "d", "e", "f", "g"};
    List<String> options = new ArrayList<>();
    Arrays.asList(seven).forEach(name -> options.addAll(List.of("--factor", name)));
    options.addAll(List.of("--design", "4 runs"));
    Run run = design(options.toArray(String[]::new));
    assertEquals(1, run.status());
    assertTrue(run.err().contains("8 runs"), run.err());
    options.set(options.size() - 1, "8 runs; separate=a&b,c&d");
    run = design(options.toArray(String[]::new));
    assertEquals(1, run.status());
    assertTrue(run.err().contains("a&b") && run.err().contains("aliased"), run.err());
    assertFalse(Files.exists(file));
  }

  @Test
  void aProgramThatIsNotRepeatable() throws Exception {
    simulate("ns=$((100000000 + n * n % 7 * 30000000))\n");
    design("--factor", "push");
    Run run = Run.of("perturb", "run", file);
    assertEquals(1, run.status());
    assertTrue(run.err().contains(" ms. Use "), run.err());
    assertTrue(run.err().contains(" replicates instead of 1"), run.err());
    assertEquals(0, Run.of("perturb", "run", "--force", file).status());
  }
}
