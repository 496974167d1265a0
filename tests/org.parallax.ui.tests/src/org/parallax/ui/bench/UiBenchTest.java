package org.parallax.ui.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.testing.SampleTraces;

/** The benchmark of the workbench runs to its end; what it measures of small traces is not judged. */
class UiBenchTest {
  private static final int RANKS = 8;

  @TempDir Path directory;

  @Test
  void everythingIsMeasured() throws Exception {
    StringWriter figures = new StringWriter();
    new WorkbenchBench(new PrintWriter(figures)).run(
        SampleTraces.ring(directory.resolve("before"), RANKS, 500),
        SampleTraces.ring(directory.resolve("after"), RANKS, 600),
        SampleTraces.ring(directory.resolve("wide"), 20 * RANKS, 20));
    System.out.print(figures);
    for (String part : List.of("until the trees are there", "Critical Path Profile  ",
        "Communication Matrix  ", "zoom and pan steps  ", "flame graph of", "trace browser: pages",
        "comparison: over time", "zoom and pan steps with 160 lanes in sight",
        "steps of the height of lanes", "longest stall of the UI thread", "peak heap")) {
      assertTrue(figures.toString().contains(part), part + " is missing in\n" + figures);
    }
  }
}
