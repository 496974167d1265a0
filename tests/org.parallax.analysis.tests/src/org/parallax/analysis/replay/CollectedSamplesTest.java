package org.parallax.analysis.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The samples that a replay collects on its way against those of a reader of their own. */
class CollectedSamplesTest {
  private static final int PROGRAMS = 60;

  @TempDir Path directory;

  @Test
  void aReplayCollectsTheSamplesOfAScan() throws TraceException {
    long samples = 0;
    long limited = 0;
    long losses = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Path path = SampledThreads.write(seed, directory.resolve("t" + seed), 2, 200);
      try (Trace trace = Trace.open(path)) {
        for (Weight weight : Weight.values()) {
          for (ThreadRecord record : Replay.of(trace.processes(), ReplaySetup.of(weight), Progress.NONE).threads()) {
            String message = "seed " + seed + ", " + weight + ", thread " + record.index();
            ThreadSamples scanned = ThreadSamples.of(record.thread());
            assertNotNull(record.collectedSamples(), message);
            assertEquals(text(scanned), text(record.collectedSamples()), message);
            samples += count(scanned);
            losses += scanned.offCpuCount();
            for (long i = 0; i < count(scanned); i++) {
              limited += scanned.sinceNs(i) == SampleRule.SINCE_SAMPLE ? 0 : 1;
            }
          }
        }
      }
    }
    assertTrue(samples > 50 * PROGRAMS, "samples: " + samples);
    assertTrue(limited > 10 * PROGRAMS, "samples that do not speak for all time since the one before: " + limited);
    assertTrue(losses > 50 * PROGRAMS, "times without a processor: " + losses);
  }

  private static long count(ThreadSamples samples) {
    return samples.after(Long.MAX_VALUE - 1);
  }

  private static List<String> text(ThreadSamples samples) {
    List<String> lines = new ArrayList<>();
    for (long i = 0; i < count(samples); i++) {
      lines.add(samples.timeNs(i) + " " + samples.path(i) + " " + samples.sinceNs(i));
    }
    for (long i = 0; i < samples.offCpuCount(); i++) {
      lines.add("off " + samples.offCpuBeginNs(i) + " " + samples.preemptedNs(i) + " " + samples.offCpuEndNs(i) + " "
          + samples.offCpuPath(i) + " " + samples.preemptedPath(i));
    }
    return lines;
  }
}
