package org.parallax.launch.tuning;

import java.nio.file.Path;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.session.LiveSession;

/** A session of tuning that runs, has ended, or was recorded before. Safe for threads. */
public final class TuningSession {
  private final String name;
  private final Path directory;
  private LiveSession live;
  private LiveState last;
  private boolean isOver;
  private String problem = "";
  private long changes;

  /**
   * @param name as people know it
   * @param directory in which it is recorded
   * @param state what is known of it now
   */
  TuningSession(String name, Path directory, LiveState state) {
    this.name = name;
    this.directory = directory;
    this.last = state;
  }

  public String name() {
    return name;
  }

  public Path directory() {
    return directory;
  }

  synchronized void begin(LiveSession session) {
    changes++;
    live = session;
  }

  /** It has ended; what was seen last stays. */
  synchronized void end() {
    changes++;
    isOver = true;
    if (live != null) {
      last = live.state();
      live = null;
    }
  }

  synchronized void tell(String text) {
    changes++;
    problem = text;
  }

  /** @return what a person must know, such as why it failed; empty when there is nothing */
  public synchronized String problem() {
    return problem;
  }

  /** @return whether it runs, or is about to */
  public synchronized boolean isLive() {
    return !isOver;
  }

  /** @return what it is doing, or was at its end */
  public synchronized LiveState state() {
    return live == null ? last : live.state();
  }

  /** @return a number that is another one when its state has changed */
  public synchronized long version() {
    return changes + (live == null ? 0 : live.version());
  }

  /** Gives a command, if it runs: act, advise, pause, resume, stop, undo, undo N. Returns at once. */
  public synchronized void command(String command) {
    if (live != null) {
      live.command(command);
    }
  }
}
