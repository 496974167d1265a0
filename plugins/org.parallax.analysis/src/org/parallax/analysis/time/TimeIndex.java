package org.parallax.analysis.time;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.SharedResult;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.WaitLog;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * From what time histograms of any part of the time and any threads are made without reading the
 * events again: the metrics of each thread as they grew, and, where they are asked for, all waits.
 * Either reads all events once, when it is first needed, and is held while there is memory for it. All
 * methods can be called from any thread.
 */
public final class TimeIndex {
  private final List<List<ProcessTrace>> together;
  private final SharedResult<List<ThreadTimes>> threads = new SharedResult<>(this::readThreads);
  private final SharedResult<Waits> waits = new SharedResult<>(this::readWaits);

  /**
   * When threads waited.
   *
   * @param warnings what a person must know of how far the waits can be trusted
   */
  public record Waits(Map<Long, WaitLog> logs, List<String> warnings) {
    /** @return when a thread waited */
    public WaitLog of(ThreadTimes thread) {
      return logs.get(key(thread.process(), thread.thread()));
    }
  }

  /** @param together lists of processes, of which those in one list can wait for each other */
  public TimeIndex(List<List<ProcessTrace>> together) {
    this.together = together;
  }

  /**
   * @return the threads that have events, those of runtime libraries left out
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public List<ThreadTimes> threads(Progress progress) {
    return threads.get(progress);
  }

  private List<ThreadTimes> readThreads(Progress progress) {
    List<ThreadTimes> made = new ArrayList<>();
    long slots = 0;
    for (List<ProcessTrace> processes : together) {
      for (ProcessTrace process : processes) {
        slots += process.threads().stream().mapToLong(ThreadTrace::slotCount).sum();
      }
    }
    progress.begin("Reading events", slots);
    for (List<ProcessTrace> processes : together) {
      for (ProcessTrace process : processes) {
        for (ThreadTrace thread : process.threads()) {
          if (thread.slotCount() > 0 && !thread.isRuntimeThread()) {
            made.add(ThreadTimes.of(process, thread, progress));
          }
        }
      }
    }
    return made;
  }

  private static long key(ProcessTrace process, ThreadTrace thread) {
    return (long) process.index() << 32 | thread.id();
  }

  /**
   * @return when the threads waited
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public Waits waits(Progress progress) {
    return waits.get(progress);
  }

  private Waits readWaits(Progress progress) {
    Map<Long, WaitLog> logs = new HashMap<>();
    List<String> warnings = new ArrayList<>();
    for (List<ProcessTrace> processes : together) {
      Replay replay = Replay.waitsOf(processes, progress);
      replay.threads().forEach(
          record -> logs.put(key(record.process(), record.thread()), record.waitLog()));
      warnings.addAll(replay.warnings());
    }
    return new Waits(logs, List.copyOf(warnings));
  }

  /** Gives the memory back; what is needed again is read again. */
  public void forget() {
    threads.forget();
    waits.forget();
  }

  /** @return the memory that is held, roughly */
  public long sizeBytes() {
    List<ThreadTimes> times = threads.peek();
    Waits logs = waits.peek();
    return (times == null ? 0 : times.stream().mapToLong(ThreadTimes::sizeBytes).sum())
        + (logs == null ? 0 : logs.logs().values().stream().mapToLong(WaitLog::sizeBytes).sum());
  }
}
