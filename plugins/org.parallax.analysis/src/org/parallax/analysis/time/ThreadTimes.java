package org.parallax.analysis.time;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.internal.PackedLongs;
import org.parallax.analysis.replay.ThreadMetrics;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Metric;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * The metrics of one thread as they grew over time, all but its waits: what they were at any moment
 * is known from what they were at every {@value #STEP}th event, which is held, and the events from
 * there on, which are read again.
 *
 * <p>Memory: some 20 to 30 bytes for each of these events ({@link PackedLongs}). A {@link TimesFile} keeps it on disk.
 */
public final class ThreadTimes {
  static final int STEP = 128;
  private static final int PROGRESS_EVENTS = 1 << 20;
  private static final ThreadMetric[] METRICS = ThreadMetric.values();

  /** The values of one metric of the program that a thread set. */
  public static final class Values {
    private final int id;
    private final PackedLongs times;
    private final PackedLongs bits;

    private Values(int id, PackedLongs times, PackedLongs bits) {
      this.id = id;
      this.times = times;
      this.bits = bits;
    }

    /** @return how many there are */
    public long count() {
      return times.size();
    }

    /** @return when the index-th was set */
    public long timeNs(long index) {
      return times.get(index);
    }

    /** @return its bits, see {@link org.parallax.trace.Metric} */
    public long bits(long index) {
      return bits.get(index);
    }
  }

  private final ProcessTrace process;
  private final ThreadTrace thread;
  /** Of every STEP-th event: its position, and the time of the event before it. */
  private final PackedLongs positions;
  private final PackedLongs times;
  /** Of every STEP-th event: the metrics up to the event before it; null where all are 0. */
  private final PackedLongs[] columns = new PackedLongs[METRICS.length];
  private final Map<Integer, Values> values = new TreeMap<>();

  private ThreadTimes(ProcessTrace process, ThreadTrace thread, PackedLongs positions, PackedLongs times) {
    this.process = process;
    this.thread = thread;
    this.positions = positions;
    this.times = times;
  }

  /**
   * Reads the events of a thread once.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  static ThreadTimes of(ProcessTrace process, ThreadTrace thread, Progress progress) {
    ThreadTimes times = new ThreadTimes(process, thread, new PackedLongs(), new PackedLongs());
    times.read(progress);
    return times;
  }

  private void read(Progress progress) {
    Reader reader = new Reader();
    boolean more = reader.cursor.next();
    reader.timeNs = more ? reader.cursor.timeNs() : 0;
    long count = 0;
    for (; more; more = reader.cursor.next()) {
      if (count % STEP == 0) {
        addStep(reader);
      }
      reader.take();
      if (reader.cursor.kind() == Kind.VALUE) {
        Values of = values.computeIfAbsent(reader.cursor.operand(),
            id -> new Values(id, new PackedLongs(), new PackedLongs()));
        of.times.add(reader.timeNs);
        of.bits.add(Metric.bits(reader.cursor.payload(0), reader.cursor.payload(1)));
      }
      if (++count % PROGRESS_EVENTS == 0) {
        progress.worked(PROGRESS_EVENTS);
        progress.check();
      }
    }
  }

  private void addStep(Reader reader) {
    for (int i = 0; i < columns.length; i++) {
      long value = METRICS[i].of(reader.totals);
      if (columns[i] == null && value != 0) {
        columns[i] = new PackedLongs();
        for (long before = 0; before < times.size(); before++) {
          columns[i].add(0);
        }
      }
      if (columns[i] != null) {
        columns[i].add(value);
      }
    }
    positions.add(reader.cursor.position());
    times.add(reader.timeNs);
  }

  public ProcessTrace process() {
    return process;
  }

  public ThreadTrace thread() {
    return thread;
  }

  /** @return the values of the program's metrics that the thread set, by the metrics' numbers */
  public Map<Integer, Values> values() {
    return values;
  }

  long sizeBytes() {
    long size = positions.sizeBytes() + times.sizeBytes();
    for (PackedLongs column : columns) {
      size += column == null ? 0 : column.sizeBytes();
    }
    return size + values.values().stream().mapToLong(set -> set.times.sizeBytes() + set.bits.sizeBytes()).sum();
  }

  /** Writes it so that {@link #read(ProcessTrace, ThreadTrace, ByteBuffer)} gets it back. */
  void write(DataOutputStream out) throws IOException {
    positions.write(out);
    times.write(out);
    for (PackedLongs column : columns) {
      out.writeBoolean(column != null);
      if (column != null) {
        column.write(out);
      }
    }
    out.writeInt(values.size());
    for (Map.Entry<Integer, Values> set : values.entrySet()) {
      out.writeInt(set.getKey());
      set.getValue().times.write(out);
      set.getValue().bits.write(out);
    }
  }

  /**
   * @param in with no more than was written
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  static ThreadTimes read(ProcessTrace process, ThreadTrace thread, ByteBuffer in) {
    ThreadTimes made = new ThreadTimes(process, thread, PackedLongs.read(in), PackedLongs.read(in));
    for (int i = 0; i < METRICS.length; i++) {
      made.columns[i] = in.get() == 0 ? null : PackedLongs.read(in);
      require(made.columns[i] == null || made.columns[i].size() == made.times.size());
    }
    require(made.positions.size() == made.times.size());
    for (int count = in.getInt(); count > 0; count--) {
      Values set = new Values(in.getInt(), PackedLongs.read(in), PackedLongs.read(in));
      require(set.times.size() == set.bits.size());
      made.values.put(set.id, set);
    }
    require(!in.hasRemaining());
    return made;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("lists do not fit to each other");
    }
  }

  /**
   * What metrics were at some moments. Of counts: what happened before the moment; of CPU time: what
   * was consumed up to it.
   *
   * <p>Cost: for each moment the logarithm of the number of events, and {@value #STEP} of them, but
   * no more than reading all events between the first and the last moment.
   *
   * @param moments increasing
   * @param wanted metrics that are no waits
   * @return of each wanted metric the values at the moments
   */
  public long[][] at(long[] moments, ThreadMetric... wanted) {
    long[][] found = new long[wanted.length][moments.length];
    if (times.size() == 0) {
      return found;
    }
    Reader reader = null;
    long step = -1;
    boolean pending = false;
    for (int m = 0; m < moments.length; m++) {
      long moment = moments[m];
      long best = Math.max(0, times.firstAtLeast(moment) - 1);
      if (best > step) {
        step = best;
        reader = reader == null ? new Reader() : reader;
        reader.standAt(step);
        pending = true;
      }
      while (pending && reader.cursor.timeNs() < moment) {
        reader.take();
        pending = reader.cursor.next();
      }
      for (int w = 0; w < wanted.length; w++) {
        found[w][m] = at(step, wanted[w]) + wanted[w].of(reader.totals)
            + (wanted[w] == ThreadMetric.CPU && pending ? reader.cpuUntil(moment) : 0);
      }
    }
    return found;
  }

  private long at(long step, ThreadMetric metric) {
    PackedLongs column = columns[metric.ordinal()];
    return column == null ? 0 : column.get(step);
  }

  /** Adds up metrics event by event. */
  private final class Reader {
    final EventCursor cursor = thread.cursor();
    ThreadMetrics totals = new ThreadMetrics();
    final ThreadMetrics lastCounts = new ThreadMetrics();
    /** The time of the event before. */
    long timeNs;

    void standAt(long step) {
      totals = new ThreadMetrics();
      timeNs = times.get(step);
      lastCounts.voluntarySwitches = at(step, ThreadMetric.VOLUNTARY_SWITCHES);
      lastCounts.involuntarySwitches = at(step, ThreadMetric.INVOLUNTARY_SWITCHES);
      lastCounts.minorFaults = at(step, ThreadMetric.MINOR_FAULTS);
      lastCounts.majorFaults = at(step, ThreadMetric.MAJOR_FAULTS);
      cursor.seek(positions.get(step));
    }

    long cpuUntil(long moment) {
      return Window.cpuUntil(moment, timeNs, cursor.timeNs(), cursor.lostNs());
    }

    void take() {
      int kind = cursor.kind();
      long now = cursor.timeNs();
      totals.cpuNs += Math.max(0, now - timeNs - cursor.lostNs());
      timeNs = now;
      totals.events++;
      if (kind == Kind.SAMPLE) {
        totals.samples++;
      } else if (kind != Kind.ENTER && kind != Kind.LEAVE && kind != Kind.CPU) {
        totals.count(kind, cursor, process, lastCounts);
      }
    }
  }
}
