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

/** Leads the lines of a monitor to the analyzer, with the time and the commands of the person between them. */
public final class LiveSession {
  private static final long TICK_MS = 250;
  private static final long NS_PER_MS = 1_000_000;

  private final Monitor monitor;
  private final Analyzer analyzer;
  private final SessionWriter writer;
  private final LiveView live;
  private final ConcurrentLinkedQueue<Command> commands = new ConcurrentLinkedQueue<>();
  /** No command is taken any more. */
  private boolean isOver;
  /** The monitor's time of its last line that had one, and ours then. */
  private long lineNs;
  private long arrivalNs = System.nanoTime();
  private long tickNs = System.nanoTime();

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

  /**
   * Tunes until the program or the monitor ends.
   *
   * @return whether the monitor told the end of the program; else it is gone, and the program is not tuned any more
   */
  public boolean run() throws InterruptedException {
    try {
      return runToTheEnd();
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
    while (!analyzer.isEnded()) {
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
    }
    return true;
  }

  private Map<String, Object> line(String type) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", type);
    line.put("time", lineNs + System.nanoTime() - arrivalNs);
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
    }
    if (line.containsKey("time")) {
      lineNs = Math.max(lineNs, Json.whole(line, "time", 0));
      arrivalNs = System.nanoTime();
    }
    give(line);
  }

  private void give(Map<String, Object> line) {
    if (writer != null) {
      writer.in(line);
    }
    live.in(line);
    analyzer.take(line);
    if (List.of("tick", "user").contains(Json.text(line, "type"))) {
      live.conditions(analyzer.conditions());
    }
  }

  /** @return the exit status of the program, after its end */
  public int status() {
    return analyzer.status();
  }
}
