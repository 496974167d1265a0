package org.parallax.analysis.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * From what time histograms of any part of the time and any threads are made without reading the
 * events again: the metrics of each thread as they grew, and, where they are asked for, all waits.
 * Either reads all events once, when it is first needed. All methods can be called from any thread.
 */
public final class TimeIndex {
  private final List<List<ProcessTrace>> together;
  private List<ThreadTimes> threads;
  private Map<Long, WaitLog> waits;
  private final List<String> warnings = new ArrayList<>();

  /** @param together lists of processes, of which those in one list can wait for each other */
  public TimeIndex(List<List<ProcessTrace>> together) {
    this.together = together;
  }

  /**
   * @return the threads that have events, those of runtime libraries left out
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public synchronized List<ThreadTimes> threads(Progress progress) {
    if (threads == null) {
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
      threads = made;
    }
    return threads;
  }

  private static long key(ProcessTrace process, ThreadTrace thread) {
    return (long) process.index() << 32 | thread.id();
  }

  /** @return when a thread waited */
  public synchronized WaitLog waits(ThreadTimes thread, Progress progress) {
    if (waits == null) {
      Map<Long, WaitLog> found = new HashMap<>();
      warnings.clear();
      for (List<ProcessTrace> processes : together) {
        Replay replay = Replay.waitsOf(processes, progress);
        replay.threads().forEach(
            record -> found.put(key(record.process(), record.thread()), record.waitLog()));
        warnings.addAll(replay.warnings());
      }
      waits = found;
    }
    return waits.get(key(thread.process(), thread.thread()));
  }

  /** @return what a person must know of how far the waits can be trusted, once they are known */
  public synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Gives the memory back; what is needed again is read again. */
  public synchronized void forget() {
    threads = null;
    waits = null;
  }

  /** @return the memory that is held, roughly */
  public synchronized long sizeBytes() {
    return (threads == null ? 0 : threads.stream().mapToLong(ThreadTimes::sizeBytes).sum())
        + (waits == null ? 0 : waits.values().stream().mapToLong(WaitLog::sizeBytes).sum());
  }
}
