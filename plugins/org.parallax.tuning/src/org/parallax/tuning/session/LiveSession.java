package org.parallax.tuning.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.parallax.tuning.analyzer.Analyzer;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveView;
import org.parallax.tuning.monitor.Monitor;

/**
 * Leads the lines of a monitor to the analyzer, with the time and the commands of the person between them. Times of other
 * hosts become those of the monitor's own.
 */
public final class LiveSession {
  private static final long TICK_MS = 250;
  private static final long NS_PER_MS = 1_000_000;
  /** The analyzer itself waits for less until it is over. */
  private static final long LEAVE_NS = 8_000_000_000L;
  private static final String LEAVE = "leave";

  private final Monitor monitor;
  private final Analyzer analyzer;
  private final SessionWriter writer;
  private final LiveView live;
  private final ConcurrentLinkedQueue<Command> commands = new ConcurrentLinkedQueue<>();
  /** No command is taken any more. */
  private boolean isOver;
  private final HostClocks clocks = new HostClocks();
  private final long beginNs = System.nanoTime();
  private long tickNs = beginNs;

  /** A command of the person, and who waits until it is carried out. */
  private record Command(String text, CompletableFuture<Boolean> done) {
  }

  /**
   * @param writer where the session is recorded, or null
   * @param decisions hears each decision
   */
  public LiveSession(Monitor monitor, SessionWriter.SessionStart start, SessionWriter writer, Consumer<Decision> decisions) {
    this.monitor = monitor;
    this.writer = writer;
    live = new LiveView(start.isActing(), start.intervalNs(), start.command());
    analyzer = new Analyzer(start.models(), start.isActing(), start.seed(), start.intervalNs(), this::send, decision -> {
      if (writer != null) {
        writer.decision(decision);
      }
      live.decision(decision);
      decisions.accept(decision);
    });
  }

  private void send(Map<String, Object> line) {
    if (writer != null) {
      writer.out(line);
    }
    live.out(line);
    monitor.send(line);
  }

  /**
   * Gives a command (act, advise, pause, resume, stop, undo, undo N), from any thread.
   *
   * @return whether it was carried out, when it was; it is not after the end
   */
  public CompletableFuture<Boolean> command(String command) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    synchronized (commands) {
      if (isOver) {
        done.complete(false);
      } else {
        commands.add(new Command(command, done));
      }
    }
    return done;
  }

  /** @return what the session is doing, from any thread */
  public LiveState state() {
    return live.state();
  }

  /** @return a number that is another one when the state has changed, from any thread */
  public long version() {
    return live.version();
  }

  /** Ends the tuning, from any thread: what was not verified is undone, and {@link #run} returns. */
  public void leave() {
    command(LEAVE);
  }

  /**
   * Tunes until the program or the monitor ends, or tuning is to end. If it fails or is interrupted, what was not verified is
   * undone first.
   *
   * @return whether the monitor is still there; else the program is not tuned any more
   */
  public boolean run() throws InterruptedException {
    try {
      return runToTheEnd();
    } catch (InterruptedException | RuntimeException e) {
      leave(e);
      throw e;
    } finally {
      live.lost();
      synchronized (commands) {
        isOver = true;
        commands.forEach(command -> command.done().complete(false));
        commands.clear();
      }
    }
  }

  private boolean runToTheEnd() throws InterruptedException {
    while (!isAtTheEnd()) {
      if (!step()) {
        return false;
      }
    }
    return true;
  }

  private boolean isAtTheEnd() {
    return analyzer.isEnded() || analyzer.isOver();
  }

  /** What goes wrong here matters less than why it is left. */
  private void leave(Exception why) {
    long endNs = System.nanoTime() + LEAVE_NS;
    leave();
    try {
      boolean isThere = true;
      while (isThere && !isAtTheEnd() && System.nanoTime() < endNs) {
        isThere = step();
      }
    } catch (InterruptedException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  /** @return whether the monitor is still there */
  private boolean step() throws InterruptedException {
    String text = monitor.receive(TICK_MS);
    if (text != null) {
      take(text);
    } else if (monitor.isEnded()) {
      return false;
    }
    for (Command command = commands.poll(); command != null; command = commands.poll()) {
      Map<String, Object> line = line("user");
      line.put("command", command.text());
      give(line);
      command.done().complete(true);
    }
    if (System.nanoTime() - tickNs >= TICK_MS * NS_PER_MS) {
      tickNs = System.nanoTime();
      give(line("tick"));
    }
    return true;
  }

  private long hereNs() {
    return System.nanoTime() - beginNs;
  }

  private Map<String, Object> line(String type) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", type);
    line.put("time", clocks.now(hereNs()));
    return line;
  }

  private void take(String text) {
    Map<String, Object> line;
    try {
      line = Json.read(text);
    } catch (JsonException e) {
      line = line("problem");
      line.put("host", "");
      line.put("text", "the monitor sent " + e.getMessage());
      give(line);
      return;
    }
    String host = Json.text(line, "host");
    if (Json.text(line, "type").equals("host")) {
      clocks.forget(host);
    }
    // Without a host it is the monitor's own.
    if (!host.isEmpty() && line.get("time") instanceof Number time) {
      line.put("time", clocks.align(host, time.longValue(), hereNs()));
    }
    give(line);
  }

  private void give(Map<String, Object> line) {
    if (writer != null) {
      writer.in(line);
    }
    live.in(line);
    analyzer.take(line);
    String type = Json.text(line, "type");
    if (List.of("tick", "user").contains(type)) {
      live.conditions(analyzer.conditions());
    }
    if (List.of("tick", "user", "process", "action").contains(type)) {
      live.standings(analyzer.standings());
    }
  }

  /** @return the exit status of the program, after its end */
  public int status() {
    return analyzer.status();
  }
}
