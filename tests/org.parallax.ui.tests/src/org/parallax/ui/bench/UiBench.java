package org.parallax.ui.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * How long a person waits for the perspective and its views with a long trace. Not a test; it is run by
 * {@code ./parallax bench ui}, on a screen of 1,920 x 1,080.
 */
class UiBench {
  @Test
  void bench() throws Exception {
    String trace = System.getProperty("parallax.bench.trace", "");
    assertFalse(trace.isEmpty(), "set parallax.bench.trace");
    try (PrintWriter out = new PrintWriter(System.getProperty("parallax.bench.out"))) {
      new WorkbenchBench(out).run(
          Path.of(trace), Path.of(System.getProperty("parallax.bench.other")),
          Path.of(System.getProperty("parallax.bench.wide")));
    }
  }
}
