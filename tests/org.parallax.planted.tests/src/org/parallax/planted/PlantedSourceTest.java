package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.source.SourceLines;
import org.parallax.trace.Progress;

/** The lines of a real program: where its loop is, and how much is below each of two calls. */
class PlantedSourceTest {
  private static final Path SOURCE =
      Path.of("../../tests/programs/call_graph.c").toAbsolutePath().normalize();
  @TempDir Path directory;

  /** The first line, from 1, that contains a text. */
  private static int line(List<String> lines, String text) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i + 1;
      }
    }
    throw new AssertionError(text + " is not in " + SOURCE);
  }

  @Test
  void timeIsInTheLinesOfTheLoopAndBelowTheLinesThatCall() throws Exception {
    Path program = directory.resolve("call_graph");
    Compilers.compile(
        program, SOURCE.getFileName().toString(), "gcc", "-O1", "-g", "-fno-optimize-sibling-calls");
    List<String> text = Files.readAllLines(SOURCE);
    try (Recording run =
        Recording.of(directory.resolve("run"), program.toString(), "100", "40000")) {
      SourceLines source = SourceLines.of(run.analysis(), null, Weight.CPU,
          Set.of(SourceLines.Part.PATH), Progress.NONE);
      String file = source.files().stream().filter(each -> each.endsWith("/call_graph.c"))
          .findFirst().orElseThrow();
      // All work is a loop that is inlined everywhere: it is hot at its own lines, not at the calls.
      int from = line(text, "burn(long units) {");
      int to = line(text, "sink = x");
      // By CPU time: on a busy machine, the thread also waits for a processor.
      long loopNs = source.lines(file).stream()
          .filter(line -> line.line() >= from && line.line() <= to)
          .mapToLong(line -> line.numbers().cpuNs()).sum();
      long allNs = source.files().stream().flatMap(each -> source.lines(each).stream())
          .mapToLong(line -> line.numbers().cpuNs()).sum();
      long loopSamples = source.lines(file).stream()
          .filter(line -> line.line() >= from && line.line() <= to)
          .mapToLong(line -> line.numbers().samples()).sum();
      assertTrue(loopNs > 0.9 * allNs, loopNs + " of " + allNs);
      assertTrue(loopSamples > 100, loopSamples + " samples");
      // One thread: all of its work is the critical path.
      double percent = source.lines(file).stream()
          .mapToDouble(line -> source.pathPercent(line.numbers())).sum();
      assertEquals(100, percent, 5);
      // One unit of work below one call, and nine below the other.
      SourceLines.Function skewed = source.functions(file).stream()
          .filter(function -> function.name().equals("skewed")).findFirst().orElseThrow();
      List<SourceLines.Call> callers = source.callers(skewed);
      assertEquals(List.of("skewed_heavy", "skewed_light"),
          callers.stream().map(SourceLines.Call::caller).toList());
      assertEquals(line(text, "  skewed(9);"), callers.get(0).line());
      assertEquals(line(text, "  skewed(1);"), callers.get(1).line());
      double share = (double) callers.get(1).ns() / (callers.get(0).ns() + callers.get(1).ns());
      assertEquals(0.1, share, run.tolerance(0.1, callers.get(0).ns() + callers.get(1).ns()));
    }
  }
}
