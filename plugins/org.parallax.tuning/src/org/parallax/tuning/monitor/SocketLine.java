package org.parallax.tuning.monitor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Reads a line from somebody who may say nothing. */
public final class SocketLine {
  private static final long POLL_MS = 5;

  private SocketLine() {
  }

  /**
   * Reads a line, and nothing after it.
   *
   * @param channel which does not block
   * @param mostBytes of the line
   * @param patienceMs how long it may take
   * @return the line without its end, or null if none comes in time, it is too long, or the other side has closed the connection
   */
  public static String read(SocketChannel channel, int mostBytes, long patienceMs) throws IOException, InterruptedException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer one = ByteBuffer.allocate(1);
    long end = System.nanoTime() + patienceMs * 1_000_000;
    while (line.size() < mostBytes && System.nanoTime() < end) {
      one.clear();
      int got = channel.read(one);
      if (got < 0) {
        return null;
      }
      if (got == 0) {
        Thread.sleep(POLL_MS);
      } else if (one.get(0) == '\n') {
        return line.toString(StandardCharsets.UTF_8);
      } else {
        line.write(one.get(0));
      }
    }
    return null;
  }
}
