package org.parallax.tuning.monitor;

import java.util.Map;

/** What runs the program, counts in it and acts on it; the analyzer talks to it in lines. */
public interface Monitor extends AutoCloseable {
  /** Sends a line; one that cannot be sent any more is lost, as the program may have ended. */
  void send(Map<String, Object> line);

  /**
   * Waits for a line.
   *
   * @param milliseconds how long at most
   * @return the line as it came, or null when none came in time or the monitor has ended
   */
  String receive(long milliseconds) throws InterruptedException;

  /** @return whether no more lines will come */
  boolean isEnded();

  /** Ends the connection: no more tuning; the program goes on. */
  @Override
  void close();
}
