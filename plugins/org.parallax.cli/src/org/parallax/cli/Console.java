package org.parallax.cli;

import java.io.PrintStream;
import org.parallax.trace.Progress;

/** Where a command prints: results to one stream, what concerns the person to the other. */
final class Console {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private boolean quiet;
  private boolean verbose;

  Console(PrintStream out, PrintStream err, boolean terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** @param quiet no progress and no warnings */
  void setQuiet(boolean quiet) {
    this.quiet = quiet;
  }

  /** @param verbose failures with their stack traces */
  void setVerbose(boolean verbose) {
    this.verbose = verbose;
  }

  boolean isVerbose() {
    return verbose;
  }

  /** How many characters a line of the terminal has, as far as the environment tells. */
  static int width() {
    String columns = System.getenv("COLUMNS");
    return columns != null && columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : 80;
  }

  PrintStream out() {
    return out;
  }

  void error(String message) {
    err.println("parallax: " + message);
  }

  void error(String message, Throwable cause) {
    error(message);
    if (verbose) {
      cause.printStackTrace(err);
    }
  }

  void warn(String message) {
    if (!quiet) {
      err.println("parallax: warning: " + message);
    }
  }

  /** What is under way, to the person; nothing when quiet. */
  void note(String message) {
    if (!quiet) {
      err.println(message);
    }
  }

  /** Progress on a terminal, silent otherwise. */
  Progress progress() {
    return terminal && !quiet ? new TerminalProgress(err) : Progress.NONE;
  }
}
