package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark finishes and counts right; how fast it is depends on the machine. */
class ScanBenchmarkTest {
  @TempDir
  Path directory;

  @Test
  void countsWhatIsThere() throws Exception {
    RandomTrace trace = RandomTrace.write(directory, new Random(3), 20_000, 8184);
    ScanBenchmark.main(new String[] {directory.toString(), "1"});
    try (Trace opened = Trace.open(directory)) {
      ScanBenchmark.Round round = ScanBenchmark.scan(opened);
      assertEquals(trace.events.size(), round.events());
      long start = trace.events.get(0).ticks();
      EventCursor cursor = opened.processes().get(0).threads().get(0).cursor();
      cursor.next();
      long shift = cursor.timeNs() - start;
      assertEquals(trace.events.stream().mapToLong(event -> event.ticks() + shift).sum(),
          round.sum());
    }
  }
}
