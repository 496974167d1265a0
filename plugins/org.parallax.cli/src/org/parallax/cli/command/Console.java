package org.parallax.cli.command;

import java.io.PrintStream;
import org.parallax.trace.Progress;

/** Where a command prints: results to one stream, what concerns the person to the other. */
public final class Console {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private boolean quiet;
  private boolean verbose;

  /** @param terminal whether a person sees {@code err} while the command works */
  public Console(PrintStream out, PrintStream err, boolean terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** @param quiet no progress and no warnings */
  public void setQuiet(boolean quiet) {
    this.quiet = quiet;
  }

  /** @param verbose failures with their stack traces */
  public void setVerbose(boolean verbose) {
    this.verbose = verbose;
  }

  boolean isVerbose() {
    return verbose;
  }

  /** How many characters a line of the terminal has, as far as the environment tells. */
  public static int width() {
    String columns = System.getenv("COLUMNS");
    return columns != null && columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : 80;
  }

  /** @return where results are printed */
  public PrintStream out() {
    return out;
  }

  /** Tells why the command failed. */
  public void error(String message) {
    err.println("parallax: " + message);
  }

  /** Tells why the command failed; with the stack trace when verbose. */
  public void error(String message, Throwable cause) {
    error(message);
    if (verbose) {
      cause.printStackTrace(err);
    }
  }

  /** Tells what a person must know of the results; nothing when quiet. */
  public void warn(String message) {
    if (!quiet) {
      err.println("parallax: warning: " + message);
    }
  }

  /** What is under way, to the person; nothing when quiet. */
  public void note(String message) {
    if (!quiet) {
      err.println(message);
    }
  }

  /** Progress on a terminal, silent otherwise. */
  public Progress progress() {
    return terminal && !quiet ? new TerminalProgress(err) : Progress.NONE;
  }
}
