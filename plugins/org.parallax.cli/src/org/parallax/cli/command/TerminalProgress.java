package org.parallax.cli.command;

import java.io.PrintStream;
import org.parallax.trace.Progress;

/** One line on a terminal that is overwritten, after half a second of work, ten times a second. */
public final class TerminalProgress implements Progress {
  private static final long FIRST_NS = 500_000_000L;
  private static final long PERIOD_NS = 100_000_000L;
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintStream terminal;
  private long nextNs = System.nanoTime() + FIRST_NS;
  private String task = "";
  private long total;
  private long done;
  private boolean shown;

  /** Prints nothing yet. */
  public TerminalProgress(PrintStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public synchronized void begin(String newTask, long newTotal) {
    clear();
    task = newTask;
    total = newTotal;
    done = 0;
  }

  @Override
  public synchronized void worked(long amount) {
    done += amount;
    long now = System.nanoTime();
    if (total > 0 && done >= total) {
      clear();
    } else if (now - nextNs >= 0) {
      nextNs = now + PERIOD_NS;
      shown = true;
      terminal.print(CLEAR_LINE + task + (total > 0 ? " " + 100 * done / total + " %" : " ..."));
      terminal.flush();
    }
  }

  private void clear() {
    if (shown) {
      terminal.print(CLEAR_LINE);
      terminal.flush();
      shown = false;
    }
  }
}
