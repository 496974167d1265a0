package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;

/** Asynchronous I/O tells the same as read and write, its mirror. */
class PlantedAsyncTest {
  /** Of the wait, in which others can take the processor from either thread. */
  private static final double LEAST_SHARE = 0.8;
  private static final double READS_NS = 2e5;
  private static final long FILE_BYTES = 262_144;
  private static final int DENIED = 77;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"plain, plain", "aio, plain", "uring, plain", "raw, plain", "ready, plain", "plain, aio",
      "plain, uring", "plain, raw", "uring, uring", "aio, aio", "uring, aio"})
  void waitsAndBytesAreThoseOfTheMirror(String reader, String writer) throws Exception {
    String program = Recording.program("async_io");
    assumeTrue(new ProcessBuilder(program, reader, writer, "1")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectErrorStream(true).start().waitFor() != DENIED, "the kernel denies io_uring");
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(
          directory.resolve("attempt" + attempt), program, reader, writer)) {
        Table waits = run.waits(Level.THREAD, false);
        assertEquals(List.of(), waits.warnings());
        double waited = 1e9 * run.printed().get("waits");
        long told = Recording.sum(waits, "time", row -> row.name().equals("stream wait"));
        Table metrics = run.metrics(Level.APPLICATION);
        assertEquals(5L * 64, metric(metrics, "Stream bytes received"));
        assertEquals(5L * 64, metric(metrics, "Stream bytes sent"));
        assertEquals(FILE_BYTES, metric(metrics, "File bytes read"));
        // And what the program prints.
        assertEquals(FILE_BYTES, (Long) metric(metrics, "File bytes written"), 100);
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS, told + " of " + waited + ": " + waits));
      }
    });
  }

  private static Object metric(Table table, String name) {
    Row found = table.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    return found.values().get(0);
  }
}
