package org.parallax.cli.tune;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.parallax.tuning.control.ControlClient;
import org.parallax.tuning.control.ControlException;

/**
 * Shows a session of another terminal every second, and takes letters for its commands, each with Enter. The terminal stays in
 * the mode in which it is.
 */
public final class TuneWatch {
  private static final Map<String, String> LETTERS =
      Map.of("a", "act", "d", "advise", "p", "pause", "r", "resume", "u", "undo", "s", "stop");
  private static final String QUIT = "q";
  private static final String HELP = "a act  d advise  p pause  r resume  u [N] undo  s stop tuning  q quit, each with Enter";
  /** Puts the cursor to the upper left, and clears the screen. */
  private static final String CLEAR = "\033[H\033[2J";
  private static final long LOOK_MS = 1000;
  private static final long POLL_MS = 50;

  private final Path directory;
  private final InputStream in;
  private final PrintStream out;
  private final boolean clears;
  private final StringBuilder typed = new StringBuilder();
  private String answer = "";

  /** @param clears whether {@code out} is a screen that is cleared before each look */
  public TuneWatch(Path directory, InputStream in, PrintStream out, boolean clears) {
    this.directory = directory;
    this.in = in;
    this.out = out;
    this.clears = clears;
  }

  /**
   * Watches until the session ends, or a person quits; the end of the input is no reason to quit.
   *
   * @throws ControlException when there is no session
   */
  public void run() throws ControlException, InterruptedException {
    String status = ControlClient.ask(directory, "status");
    while (true) {
      out.print((clears ? CLEAR : "") + status.stripTrailing() + "\n\n" + HELP + "\n" + (answer.isEmpty() ? "" : answer + "\n"));
      out.flush();
      for (long waitedMs = 0; waitedMs < LOOK_MS; waitedMs += POLL_MS) {
        String line = line();
        if (line.equals(QUIT)) {
          return;
        }
        if (!line.isEmpty()) {
          give(line);
          break;
        }
        Thread.sleep(POLL_MS);
      }
      try {
        status = ControlClient.ask(directory, "status");
      } catch (ControlException e) {
        out.println(e.getMessage());
        return;
      }
    }
  }

  private void give(String line) throws InterruptedException {
    int space = line.indexOf(' ');
    String letter = space < 0 ? line : line.substring(0, space);
    String command = LETTERS.getOrDefault(letter, letter) + (space < 0 ? "" : line.substring(space));
    try {
      answer = ControlClient.ask(directory, command);
    } catch (ControlException e) {
      answer = e.getMessage();
    }
  }

  /** @return what was typed before Enter, without waiting; empty when nothing was */
  private String line() {
    try {
      while (in.available() > 0) {
        int next = in.read();
        if (next == '\n') {
          String line = typed.toString().strip();
          typed.setLength(0);
          return line;
        }
        if (next >= 0) {
          typed.append(new String(new byte[] {(byte) next}, StandardCharsets.ISO_8859_1));
        }
      }
    } catch (IOException e) {
      // Without input, the session is watched all the same.
    }
    return "";
  }
}
