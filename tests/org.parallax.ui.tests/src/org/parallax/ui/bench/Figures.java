package org.parallax.ui.bench;

import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.UiWatch;

/** What a benchmark of the workbench measures and prints, a line each. All on the UI thread. */
public final class Figures {
  private static final long TIMEOUT_MS = 120_000;
  private static final double TOLD_MS = 100;
  private static final double MIB = 1 << 20;

  private final PrintWriter out;
  private UiWatch watch = new UiWatch();
  private double longestMs;
  private double longestEventMs;
  private String longestStack = "";
  private volatile long peakBytes;

  public Figures(PrintWriter out) {
    this.out = out;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((told, handback) -> collected(told.getUserData()), null,
            null);
      }
    }
  }

  /** What is left of the heap after a collection is in use, but for garbage that was too young. */
  private void collected(Object data) {
    CompositeData collection = (CompositeData) ((CompositeData) data).get("gcInfo");
    long left = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        CompositeData after = ((javax.management.openmbean.TabularData) collection
            .get("memoryUsageAfterGc")).get(new Object[] {pool.getName()});
        left += MemoryUsage.from((CompositeData) after.get("value")).getUsed();
      }
    }
    peakBytes = Math.max(peakBytes, left);
  }

  /** Handles events until a condition holds. */
  public void await(BooleanSupplier condition) throws InterruptedException {
    watch.run(condition, TIMEOUT_MS);
  }

  /** Does something as an event of its own, so that the watch sees it, and waits for its outcome. */
  public double secondsOf(Runnable action, BooleanSupplier outcome) throws InterruptedException {
    boolean[] acted = {false};
    long beginNs = System.nanoTime();
    Display.getCurrent().asyncExec(() -> {
      action.run();
      acted[0] = true;
    });
    await(() -> acted[0] && outcome.getAsBoolean());
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** Whether no job of ours is waiting or running. */
  public static boolean isIdle() {
    return Job.getJobManager().find(OpenSession.current()).length == 0;
  }

  public void tell(String what, String format, Object... values) {
    out.printf(Locale.ROOT, "%-62s %s%n", what, String.format(Locale.ROOT, format, values));
    out.flush();
  }

  public void seconds(String what, double seconds) {
    tell(what, "%.2f s", seconds);
  }

  /** How long pictures took. */
  public void steps(String what, double[] tookMs) {
    Arrays.sort(tookMs);
    int count = tookMs.length;
    tell(count + " " + what, "median %.0f ms, nine in ten %.0f ms, worst %.0f ms",
        tookMs[count / 2], tookMs[count * 9 / 10], tookMs[count - 1]);
  }

  /** The longest stall since the last call, in our code and in any. */
  public String stalls() {
    UiWatch ended = watch;
    watch = new UiWatch();
    longestEventMs = Math.max(longestEventMs, ended.longestEventMs());
    if (ended.longestMs() > longestMs) {
      longestMs = ended.longestMs();
      longestStack = ended.longestStack();
    }
    if (ended.longestEventMs() > TOLD_MS) {
      System.out.printf("--- %.0f ms (ours %.0f), seen in%n%s", ended.longestEventMs(),
          ended.longestMs(), ended.longestProfile());
      System.out.println("ours at the end at " + ended.longestStack());
    }
    return String.format(Locale.ROOT, "%.0f / %.0f ms", ended.longestMs(), ended.longestEventMs());
  }

  /** The end: stalls and memory of all that was measured. */
  public void conclude() {
    stalls();
    tell("longest stall of the UI thread", "%.0f ms", longestMs);
    tell("longest event, with what the platform does", "%.0f ms", longestEventMs);
    System.out.println(longestStack);
    tell("peak heap, garbage included", "%.0f MiB", ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MIB);
    tell("largest heap after a collection", "%.0f MiB", peakBytes / MIB);
    heap("heap in use at the end");
  }

  /** What is in use now. */
  public void heap(String what) {
    System.gc();
    tell(what, "%.0f MiB",
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB);
  }
}
