package org.parallax.tuning.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.parallax.tuning.analyzer.SimulatedProgram;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.monitor.Monitor;

/** A monitor of a simulated program, which runs for as many intervals as the test allows. */
public final class ProgramMonitor implements Monitor {
  private static final long IDLE_MS = 2;

  private final SimulatedProgram program;
  private final int tasks;
  private final Deque<String> lines = new ArrayDeque<>();
  private final AtomicInteger intervals = new AtomicInteger();
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private boolean hasBegun;
  private volatile boolean ends;

  public ProgramMonitor(SimulatedProgram program, int tasks) {
    this.program = program;
    this.tasks = tasks;
  }

  /** Lets the program run for more intervals. */
  public void allow(int more) {
    intervals.addAndGet(more);
  }

  /** Does it between two intervals. */
  public void later(Runnable action) {
    actions.add(action);
  }

  /** The monitor vanishes. */
  public void vanish() {
    ends = true;
  }

  @Override
  public void send(Map<String, Object> line) {
    program.take(line);
  }

  @Override
  public String receive(long milliseconds) throws InterruptedException {
    if (!hasBegun) {
      hasBegun = true;
      program.begin(line -> lines.add(Json.line(line)), tasks);
    }
    for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
      action.run();
    }
    if (lines.isEmpty() && intervals.get() > 0) {
      intervals.decrementAndGet();
      program.run(1);
    } else if (lines.isEmpty()) {
      Thread.sleep(IDLE_MS);
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
