package org.parallax.launch.tuning;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.monitor.Monitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/**
 * Sessions of simulated PVM tasks that send messages of 100,000 bytes, 60 in an interval with fragments of 4,096 bytes and
 * 100 with larger ones. Time goes faster than elsewhere.
 */
public final class SimulatedTuning implements AutoCloseable {
  private static final long INTERVAL_NS = 200_000_000;
  private static final int SMALL = 4096;
  private static final long JOIN_MS = 5_000;

  private final TuningSession session;
  private final Thread thread;
  private final Tasks tasks;

  /** A monitor without programs. */
  private static final class Tasks implements Monitor {
    private final int count;
    private final long pauseMs;
    private final Deque<String> lines = new ArrayDeque<>();
    private final int[] fragments;
    private long timeNs;
    private boolean isOn;
    private volatile boolean ends;

    Tasks(int count, long pauseMs) {
      this.count = count;
      this.pauseMs = pauseMs;
      fragments = new int[count];
      say(Map.of("type", "hello", "version", 1, "host", "h", "pid", 1));
      say(Map.of("type", "host", "event", "added", "host", "node1", "arch", "LINUX64"));
      for (int i = 0; i < count; i++) {
        fragments[i] = SMALL;
        say(Map.of("type", "process", "event", "started", "host", "node1", "pid", 100 + i, "program", "/home/me/master",
            "task", "t4000" + Integer.toHexString(i + 2), "library", "pvm 3.4.6", "rank", -1, "time", 0));
      }
    }

    private void say(Map<String, Object> line) {
      lines.add(Json.line(line));
    }

    @Override
    public void send(Map<String, Object> line) {
      if (Json.text(line, "type").equals("points")) {
        isOn = !((List<?>) line.get("points")).isEmpty();
      } else if (Json.text(line, "type").equals("act")) {
        int task = (int) Json.whole(line, "pid", 0) - 100;
        List<?> arguments = line.get("arguments") instanceof List<?> list ? list : List.of();
        long result = fragments[task];
        if (Json.text(line, "name").equals("pvm_setopt")) {
          fragments[task] = ((Number) arguments.get(1)).intValue();
        }
        say(Map.of("type", "action", "host", "node1", "pid", 100 + task, "id", line.get("id"), "state", "done", "result", result,
            "time", timeNs + 1));
      }
    }

    @Override
    public String receive(long milliseconds) throws InterruptedException {
      if (lines.isEmpty() && !ends) {
        Thread.sleep(pauseMs);
        timeNs += INTERVAL_NS;
        for (int i = 0; i < count && isOn; i++) {
          int visits = fragments[i] > SMALL ? 100 : 60;
          say(Map.of("type", "metrics", "host", "node1", "pid", 100 + i, "time", timeNs, "points", List.of(Map.of("point", "sent",
              "key", "", "count", visits, "bytes", visits * 100_000L, "bytes2", visits * 1e10, "ns", 100_000_000L))));
        }
      }
      return lines.poll();
    }

    @Override
    public boolean isEnded() {
      return ends && lines.isEmpty();
    }

    @Override
    public void close() {
      ends = true;
    }
  }

  /**
   * Begins a session.
   *
   * @param count of tasks
   * @param pauseMs how long an interval lasts
   * @param record where the session is recorded, or null
   */
  public SimulatedTuning(String name, int count, long pauseMs, Path record) throws Exception {
    tasks = new Tasks(count, pauseMs);
    SessionStart start = new SessionStart(false, 7, INTERVAL_NS,
        BuiltInModels.all().stream().filter(model -> model.name().equals("pvm-fragment-size")).toList(), List.of("./master", "10"));
    SessionWriter writer = record == null ? null : new SessionWriter(record, start);
    session = new TuningSession(name, record, start.command(), false);
    LiveSession live = new LiveSession(tasks, start, writer, decision -> { });
    session.begin(live);
    TuningSessions.get().add(session);
    thread = new Thread(() -> {
      try (writer) {
        live.run();
      } catch (Exception e) {
        session.tell(e.toString());
      } finally {
        session.end();
        TuningSessions.get().changed();
      }
    }, "simulated tuning");
    thread.start();
  }

  /** The session in the view. */
  public TuningSession session() {
    return session;
  }

  /** The size of fragments of the first task. */
  public int fragment() {
    return tasks.fragments[0];
  }

  /** Whether anything is measured. */
  public boolean isMeasured() {
    return tasks.isOn;
  }

  /** The program ends. */
  @Override
  public void close() throws InterruptedException {
    tasks.close();
    thread.join(JOIN_MS);
  }
}
