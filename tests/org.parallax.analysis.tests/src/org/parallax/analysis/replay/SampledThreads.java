package org.parallax.analysis.replay;

import java.nio.file.Path;
import java.util.Random;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Random threads with calls, losses of the processor and times that samples do not speak for. */
public final class SampledThreads {
  private static final long MS = 1_000_000;
  private static final String[] FUNCTIONS = {"main/a", "main/b", "main/b/c", "main/a/c/d", "main"};
  private static final String[] ROUTINES = {"main/MPI_Init", "main/a/MPI_Wtime", "main/b/c/MPI_Wtime"};

  private SampledThreads() {}

  public static Path write(long seed, Path directory, int threads, int steps) {
    Random random = new Random(seed);
    TraceBuilder trace = new TraceBuilder(directory);
    trace.blockSlots(24 + random.nextInt(200));
    for (int i = 0; i < threads; i++) {
      TracedThread thread = trace.process("n", "/opt/p" + i).thread(0).threadBegin(0, -1);
      long now = 0;
      for (int step = 0; step < steps; step++) {
        long longest = random.nextInt(6) == 0 ? 90 * MS : 9 * MS;
        now += 1 + random.nextLong(longest);
        switch (random.nextInt(5)) {
          case 0, 1 -> thread.sample(now, FUNCTIONS[random.nextInt(FUNCTIONS.length)]);
          case 2 -> {
            long lost = random.nextLong(longest / 2);
            if (random.nextBoolean()) {
              thread.lost(now + lost, lost);
            } else {
              thread.lost(now + lost, lost, random.nextInt(4) == 0 ? 1L << 62 : random.nextLong(longest));
            }
            now += lost;
          }
          default -> {
            thread.enter(now, ROUTINES[random.nextInt(ROUTINES.length)]);
            now += random.nextInt(4) == 0 ? 40 * MS : random.nextLong(MS);
            if (random.nextInt(3) == 0) {
              thread.sample(now, "main/e");
              now += 10;
            }
            thread.leave(now);
          }
        }
      }
      thread.threadEnd(now + random.nextLong(50 * MS));
    }
    return trace.write();
  }
}
