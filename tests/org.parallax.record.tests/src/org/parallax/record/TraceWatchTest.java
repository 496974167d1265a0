package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TraceWatchTest {
  /** Zeros stand where a block is missing, and others follow. */
  @Test
  void countsWhatFollowsMissingBlocks() {
    Path holes = Path.of(System.getProperty("parallax.root", "."), "native", "format", "golden", "holes");
    TraceWatch watch = new TraceWatch(holes);
    assertEquals(0, watch.addresses());
    TraceWatch.Counts counts = watch.look();
    assertEquals(2, counts.processes());
    assertEquals(3, counts.threads());
    assertEquals(7, counts.events());
    long addresses = watch.addresses();
    assertTrue(addresses > 0);
    assertEquals(counts, watch.look());
    assertEquals(addresses, watch.addresses());
  }
}
