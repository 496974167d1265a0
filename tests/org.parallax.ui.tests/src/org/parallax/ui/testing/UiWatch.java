package org.parallax.ui.testing;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.eclipse.swt.widgets.Display;

/**
 * Handles events and measures how long one event keeps the UI thread inside our code: a second
 * thread looks at its stack every few milliseconds.
 */
public final class UiWatch {
  private static final long PERIOD_MS = 4;
  private static final long TIMEOUT_MS = 60_000;

  private final Thread uiThread = Thread.currentThread();
  private volatile boolean done;
  private volatile long dispatch;
  private long longestNs;
  private String longestStack = "";
  private int samplesInOurCode;

  /** Handles events until the condition holds; on the UI thread. */
  public void run(BooleanSupplier until) throws InterruptedException {
    done = false;
    Thread sampler = new Thread(this::sample, "watch of the UI thread");
    sampler.setDaemon(true);
    sampler.start();
    long end = System.currentTimeMillis() + TIMEOUT_MS;
    Display display = Display.getCurrent();
    boolean more = true;
    while (!until.getAsBoolean() || more) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError("waited " + TIMEOUT_MS + " ms in vain");
      }
      dispatch++;
      more = display.readAndDispatch();
      dispatch++;
      if (!more) {
        Thread.sleep(1);
      }
    }
    done = true;
    sampler.join();
  }

  /** Runs on the sampler. An odd number of {@link #dispatch} is an event that is being handled. */
  private void sample() {
    long current = -1;
    long firstNs = 0;
    while (!done) {
      long before = dispatch;
      StackTraceElement[] stack = uiThread.getStackTrace();
      if (before % 2 == 1 && dispatch == before && isOurs(stack)) {
        samplesInOurCode++;
        long nowNs = System.nanoTime();
        if (current != before) {
          current = before;
          firstNs = nowNs;
        }
        long lastedNs = nowNs - firstNs + PERIOD_MS * 1_000_000;
        if (lastedNs > longestNs) {
          longestNs = lastedNs;
          longestStack = String.join("\n  ",
              Arrays.stream(stack).limit(40).map(StackTraceElement::toString).toList());
        }
      }
      try {
        Thread.sleep(PERIOD_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
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

  /** The longest time that an event was seen in our code, one period more than between samples. */
  public double longestMs() {
    return longestNs / 1e6;
  }

  /** Where the UI thread was then. */
  public String longestStack() {
    return longestStack;
  }

  /** How often the UI thread was seen in our code at all. */
  public int samplesInOurCode() {
    return samplesInOurCode;
  }
}
