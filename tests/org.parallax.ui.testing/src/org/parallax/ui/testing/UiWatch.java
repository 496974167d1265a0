package org.parallax.ui.testing;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.eclipse.swt.widgets.Display;
import org.parallax.testing.QuietMachine.WrongTime;

/**
 * Handles events and measures how long one event keeps the UI thread, in all and inside our code: a
 * second thread looks at its stack every few milliseconds. Time does not count as time inside our code when
 * the UI thread was ready to run and other threads had the processors, or when the garbage collector had
 * stopped all threads.
 */
public final class UiWatch {
  private static final long PERIOD_MS = 4;
  private static final long TIMEOUT_MS = 240_000;
  private static final int FRAMES = 40;
  /** What took less is left out of a profile. */
  private static final int LEAST_SAMPLES = 3;

  private final Thread uiThread = Thread.currentThread();
  private final Path uiThreadSchedule = scheduleOfThisThread();
  private volatile boolean done;
  private volatile long dispatch;
  private long longestNs;
  private String longestStack = "";
  private volatile long longestEventNs;
  private int looks;
  /** Of the longest event, and of the one that is being handled. */
  private List<StackTraceElement[]> longestSamples = List.of();
  private List<StackTraceElement[]> samples = new ArrayList<>();

  /** Handles events until the condition holds; on the UI thread. */
  public void run(BooleanSupplier until) throws InterruptedException {
    run(until, TIMEOUT_MS);
  }

  /** Handles events until the condition holds, but no longer; on the UI thread. */
  public void run(BooleanSupplier until, long timeoutMs) throws InterruptedException {
    done = false;
    Thread sampler = new Thread(this::sample, "watch of the UI thread");
    sampler.setDaemon(true);
    sampler.start();
    long end = System.currentTimeMillis() + timeoutMs;
    Display display = Display.getCurrent();
    boolean met;
    boolean more;
    do {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError("waited " + timeoutMs + " ms in vain");
      }
      // What led to it may have more to say.
      met = until.getAsBoolean();
      dispatch++;
      long beginNs = System.nanoTime();
      more = display.readAndDispatch();
      longestEventNs = Math.max(longestEventNs, System.nanoTime() - beginNs);
      dispatch++;
      if (!more) {
        Thread.sleep(1);
      }
    } while (!met || more);
    done = true;
    sampler.join();
  }

  /** Runs on the sampler. An odd number of {@link #dispatch} is an event that is being handled. */
  private void sample() {
    long event = -1;
    long eventFirstNs = 0;
    long current = -1;
    long firstNs = 0;
    long firstOtherNs = 0;
    while (!done) {
      looks++;
      long before = dispatch;
      StackTraceElement[] stack = uiThread.getStackTrace();
      if (before % 2 == 1 && dispatch == before) {
        long nowNs = System.nanoTime();
        if (event != before) {
          event = before;
          eventFirstNs = nowNs;
          samples = new ArrayList<>();
        }
        samples.add(stack);
        if (samples.size() > longestSamples.size()) {
          longestSamples = samples;
        }
        if (nowNs - eventFirstNs > longestEventNs) {
          longestEventNs = nowNs - eventFirstNs;
        }
        if (isOurs(stack)) {
          if (current != before) {
            current = before;
            firstNs = nowNs;
            firstOtherNs = waitNs() + collectionNs();
          }
          long otherNs = waitNs() + collectionNs() - firstOtherNs;
          long lastedNs = nowNs - firstNs - otherNs + PERIOD_MS * 1_000_000;
          if (lastedNs > longestNs) {
            longestNs = lastedNs;
            longestStack = text(stack);
          }
        }
      }
      try {
        Thread.sleep(PERIOD_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static Path scheduleOfThisThread() {
    try {
      return Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")))
          .resolve("schedstat");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** How long the UI thread was ready to run while others had the processors; 0 where the kernel does not tell. */
  private long waitNs() {
    try {
      return Long.parseLong(Files.readString(uiThreadSchedule).split(" ")[1]);
    } catch (IOException e) {
      return 0;
    }
  }

  /** How long the garbage collectors have worked; those of the JVM's default stop all threads for it. */
  private static long collectionNs() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum() * 1_000_000;
  }

  private static String text(StackTraceElement[] stack) {
    return String.join("\n  ",
        Arrays.stream(stack).limit(FRAMES).map(StackTraceElement::toString).toList());
  }

  /** Whether a frame of ours is above the event loop. */
  private static boolean isOurs(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getMethodName().equals("readAndDispatch")) {
        return false;
      }
      if (frame.getClassName().startsWith("org.parallax.")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Throws {@link WrongTime} where an event was seen in our code for that long.
   *
   * @param limitMs the least that is too long
   */
  public void assertNoStall(double limitMs) {
    System.out.printf(Locale.ROOT, "UI thread in our code for at most %.0f ms%n", longestMs());
    if (longestMs() >= limitMs) {
      throw new WrongTime(longestMs() + " ms at\n  " + longestStack());
    }
  }

  /** The longest time that an event was seen in our code, one period more than between samples. */
  public double longestMs() {
    return longestNs / 1e6;
  }

  /** Where the UI thread was then. */
  public String longestStack() {
    return longestStack;
  }

  /** How long any event took at most, in whatever code. */
  public double longestEventMs() {
    return longestEventNs / 1e6;
  }

  /**
   * What the UI thread did in the longest event: a line for each caller and callee, indented, with the
   * number of times it was seen there; after {@link #run}.
   */
  public String longestProfile() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (StackTraceElement[] stack : longestSamples) {
      List<StackTraceElement> path = new ArrayList<>();
      for (StackTraceElement frame : stack) {
        if (frame.getMethodName().equals("readAndDispatch")) {
          break;
        }
        path.add(frame);
      }
      Collections.reverse(path);
      String key = "";
      for (StackTraceElement frame : path) {
        key += "\n" + frame.getClassName() + "." + frame.getMethodName();
        counts.merge(key, 1, Integer::sum);
      }
    }
    StringBuilder text = new StringBuilder();
    counts.keySet().stream().sorted().filter(key -> counts.get(key) >= LEAST_SAMPLES)
        .forEach(key -> text.append(" ".repeat((int) key.chars().filter(c -> c == '\n').count()))
            .append(counts.get(key)).append(' ')
            .append(key.substring(key.lastIndexOf('\n') + 1)).append('\n'));
    return text.toString();
  }

  /** How often the UI thread was looked at, in whatever code. */
  public int looks() {
    return looks;
  }
}
