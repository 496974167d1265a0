package org.parallax.analysis.time;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.ParallelWork;
import org.parallax.analysis.internal.SharedResult;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.WaitLog;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * From what time histograms of any part of the time and any threads are made without reading the
 * events again: the metrics of each thread as they grew, and, where they are asked for, all waits.
 * Either reads all events once, when it is first needed, and is held while there is memory for it. The metrics of a
 * large trace are also kept on disk ({@link TimesFiles}), and are read from there the next time. All
 * methods can be called from any thread.
 */
public final class TimeIndex {
  /** Slots of events, which are read in less than a tenth of a second. */
  private static final long LEAST_KEPT = 4_000_000;

  private final List<List<ProcessTrace>> together;
  private final long leastKept;
  private volatile List<String> warnings = List.of();
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
    this(together, LEAST_KEPT);
  }

  /** For tests: keeps the metrics of traces of fewer slots, too. */
  TimeIndex(List<List<ProcessTrace>> together, long leastKept) {
    this.together = together;
    this.leastKept = leastKept;
  }

  /** @return why metrics could not be kept on disk, once they were read; else nothing */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * @return the threads that have events, those of runtime libraries left out
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public List<ThreadTimes> threads(Progress progress) {
    return threads.get(progress);
  }

  private List<ThreadTimes> readThreads(Progress progress) {
    List<ThreadTrace> wanted = new ArrayList<>();
    long slots = 0;
    for (List<ProcessTrace> processes : together) {
      for (ProcessTrace process : processes) {
        for (ThreadTrace thread : process.threads()) {
          slots += thread.slotCount();
          if (thread.slotCount() > 0 && !thread.isRuntimeThread()) {
            wanted.add(thread);
          }
        }
      }
    }
    progress.begin("Reading events", slots);
    TimesFiles files = slots < leastKept ? null : new TimesFiles();
    List<ThreadTimes> made = ParallelWork.map(wanted, (thread, shared) -> {
      ThreadTimes kept = files == null ? null : files.read(thread);
      if (kept != null) {
        shared.worked(thread.slotCount());
        shared.check();
        return kept;
      }
      ThreadTimes times = ThreadTimes.of(thread.process(), thread, shared);
      if (files != null) {
        files.write(times);
      }
      return times;
    }, progress);
    warnings = files == null ? List.of() : files.warnings();
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
