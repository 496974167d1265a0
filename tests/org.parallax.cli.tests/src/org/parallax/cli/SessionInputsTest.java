package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.testing.SessionInputs;
import org.parallax.trace.testing.SessionInputs.Input;

/** What a person gives stands for the same runs in all commands, and in the IDE. */
class SessionInputsTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> everyCommandFindsTheRuns() {
    return SessionInputs.in(directory).stream()
        .map(input -> DynamicTest.dynamicTest(input.name(), () -> check(input)));
  }

  private static void check(Input input) {
    Run report = run(input, "report", "metrics", "--level", "application", "--format", "csv");
    if (!input.fault().isEmpty()) {
      assertEquals(1, report.status(), report::out);
      assertTrue(report.err().contains(input.fault()), report::err);
      assertTrue(run(input, "export", "collapsed").err().contains(input.fault()));
      assertTrue(run(input, "check").err().contains(input.fault()));
      return;
    }
    assertEquals(0, report.status(), report::err);
    List<String> columns = List.of(report.out().lines().findFirst().orElse("").split(","));
    assertEquals(input.traces(), columns.subList(2, columns.size()));
    List<String> checked = run(input, "check").out().lines().filter(line -> line.contains(": sound"))
        .map(line -> String.valueOf(Path.of(line.split(": ")[0]).getFileName())).toList();
    assertEquals(input.traces(), checked);
    assertEquals(0, run(input, "info").status());
  }

  private static Run run(Input input, String... command) {
    List<Object> line = new ArrayList<>(List.of(command));
    line.addAll(input.paths());
    return Run.of(line.toArray());
  }

  /** What is compared is found in the same way. */
  @TestFactory
  Stream<DynamicTest> comparisonsFindTheRuns() {
    return SessionInputs.in(directory).stream().filter(input -> input.paths().size() == 1)
        .map(input -> DynamicTest.dynamicTest(input.name(), () -> {
          Run run = Run.of("compare", "metrics", input.paths().get(0), input.paths().get(0),
              "--format", "json");
          assertEquals(input.fault().isEmpty() && input.traces().size() == 1 ? 0 : 1, run.status(),
              () -> run.out() + run.err());
          assertTrue(run.err().contains(input.fault()), run::err);
          if (input.fault().isEmpty() && input.traces().size() > 1) {
            assertTrue(run.err().contains("choose one application with --app: "
                + String.join(", ", input.traces())), run::err);
          }
        }));
  }

  /** Sessions and launches can be runs of a session, as traces can. */
  @TestFactory
  Stream<DynamicTest> everySoundInputCanBeARun() {
    Path file = directory.resolve("made.parallax");
    return SessionInputs.in(directory.resolve("inputs")).stream()
        .filter(input -> input.paths().size() == 1 && input.fault().isEmpty()
            && RunResolver.resolve(input.paths().get(0)).isRecorded())
        .map(input -> DynamicTest.dynamicTest(input.name(), () -> {
          Run made = Run.of("session", file, "--replay", input.paths().get(0), "--name", "run");
          assertEquals(0, made.status(), made::err);
          Run report = Run.of("report", "metrics", "--level", "application", file, "--format", "json");
          Map<?, ?> first = (Map<?, ?>) ((List<?>) Json.object(report.out()).get("rows")).get(0);
          assertTrue(first.keySet().containsAll(input.traces()), first::toString);
          assertEquals(0, Run.of("session", file, "--remove", "run").status());
        }));
  }

  @TestFactory
  Stream<DynamicTest> whatCannotBeFoundIsNoRun() {
    Path file = directory.resolve("made.parallax");
    return SessionInputs.in(directory.resolve("inputs")).stream()
        .filter(input -> !RunResolver.resolve(input.paths().get(0)).isRecorded())
        .map(input -> DynamicTest.dynamicTest(input.name(), () -> assertEquals(1,
            Run.of("session", file, "--replay", input.paths().get(0)).status())));
  }
}
