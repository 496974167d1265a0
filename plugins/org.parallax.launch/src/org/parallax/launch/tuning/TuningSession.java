package org.parallax.launch.tuning;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveView;
import org.parallax.tuning.session.LiveSession;

/** A session of tuning that runs, has ended, or was recorded before. Safe for threads. */
public final class TuningSession {
  private final String name;
  private final Path directory;
  /** What commands before the session begins make of it; null for one that was recorded before, and after the begin. */
  private LiveView early;
  private final List<String> waiting = new ArrayList<>();
  private LiveSession live;
  private LiveState last;
  private boolean isOver;
  private String problem = "";
  private long changes;

  /**
   * One that is about to begin.
   *
   * @param name as people know it
   * @param directory in which it is recorded
   * @param command the program
   * @param isActing whether actions are done, or else only advised
   */
  TuningSession(String name, Path directory, List<String> command, boolean isActing) {
    this.name = name;
    this.directory = directory;
    early = new LiveView(isActing, 0, command);
  }

  /**
   * One that was recorded before.
   *
   * @param state its last one
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
    early = null;
    waiting.forEach(session::command);
    waiting.clear();
  }

  /** It has ended; what was seen last stays. */
  synchronized void end() {
    changes++;
    isOver = true;
    last = state();
    early = null;
    live = null;
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
    return live != null ? live.state() : early != null ? early.state() : last;
  }

  /** @return a number that is another one when its state has changed */
  public synchronized long version() {
    return changes + (live == null ? 0 : live.version());
  }

  /** Gives a command, unless it has ended: act, advise, pause, resume, stop, undo, undo N. Returns at once. */
  public synchronized void command(String command) {
    if (live != null) {
      live.command(command);
    } else if (early != null) {
      changes++;
      waiting.add(command);
      early.in(Map.of("type", "user", "command", command));
    }
  }
}
