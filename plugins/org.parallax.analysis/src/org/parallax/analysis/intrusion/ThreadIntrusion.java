package org.parallax.analysis.intrusion;

import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What the measurement of a thread cost, by call path: estimated from the number of its events, the frames
 * that walks had to find, its samples and its blocks, and from what each takes.
 *
 * <p>Each cost has two places. It is <i>caused</i> on the call path of its event. It <i>stands in</i> the
 * time of the call path in which the thread was meanwhile: a walk comes before the Enter and is in the
 * caller's time, half of an Enter and Leave is inside the call and half of it after the call. Start and end
 * stand in no time of the thread. Cost: the events of the thread, and the distinct frames of its calls.
 */
public final class ThreadIntrusion {
  /** The work that a cost is of. */
  public enum Part {
    /** Enter, Leave and the events inside and outside of calls. */
    EVENTS,
    /** Events with cold caches, after a wait for a processor, and what they displace from the caches. */
    CACHES,
    /** Finding call paths of calls. */
    UNWINDING,
    /** Samples. */
    SAMPLES,
    /** New blocks of events. */
    FLUSHES,
    /** Start and end of the process, or of a further thread. */
    START
  }

  private final double[][] caused;
  private final double[] within;
  private final long[] events;
  private final long[] waited;

  private ThreadIntrusion(int paths) {
    caused = new double[Part.values().length][paths];
    within = new double[paths];
    events = new long[paths];
    waited = new long[paths];
  }

  /** @return nanoseconds by call path; not to be changed */
  public double[] causedNs(Part part) {
    return caused[part.ordinal()];
  }

  /** @return nanoseconds of measuring in the time of each call path; not to be changed */
  public double[] withinNs() {
    return within;
  }

  /** @return events by call path; not to be changed */
  public long[] events() {
    return events;
  }

  /**
   * @return nanoseconds by call path in which the thread could have run and waited for a processor, as far as the trace tells;
   *     not to be changed
   */
  public long[] waitedNs() {
    return waited;
  }

  /** @return all nanoseconds that a call path caused */
  public double causedNs(int path) {
    double sum = 0;
    for (double[] ofPart : caused) {
      sum += ofPart[path];
    }
    return sum;
  }

  /** @return all nanoseconds of the thread */
  public double totalNs() {
    double sum = 0;
    for (int path = 0; path < within.length; path++) {
      sum += causedNs(path);
    }
    return sum;
  }

  /**
   * Reads the events of a thread once. Events in the window count.
   *
   * @param isFirst whether it is the first thread of its process, which has the cost of the process
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static ThreadIntrusion of(ProcessTrace process, ThreadTrace thread, boolean isFirst,
      MeasuringCosts costs, Window window, Progress progress) {
    ThreadIntrusion intrusion = new ThreadIntrusion(process.callPaths().count());
    intrusion.new Reader(process, costs, window).read(
        new PathReader(thread, progress), isFirst);
    return intrusion;
  }

  private final class Reader {
    private final CallPaths paths;
    private final MeasuringCosts costs;
    private final Window window;
    private final int modules;
    private final int[] depths;
    /** The path of the last walk. */
    private int walked;
    /** What comes after the last event, for the path in which the thread is then. */
    private double after;
    private int depth;
    /** Losses of the processor of which no event has told yet how much was waiting. */
    private long untoldNs;

    Reader(ProcessTrace process, MeasuringCosts costs, Window window) {
      paths = process.callPaths();
      modules = process.modules().size();
      this.costs = costs;
      this.window = window;
      depths = new int[paths.count()];
      for (int path = 1; path < depths.length; path++) {
        depths[path] = depths[paths.parent(path)] + 1;
      }
    }

    void read(PathReader reader, boolean isFirst) {
      EventCursor cursor = reader.cursor();
      int block = 0;
      boolean begun = false;
      while (reader.next()) {
        within[pathOf(reader)] += after;
        after = 0;
        boolean counts = window.contains(reader.timeNs());
        if (!begun && counts) {
          add(Part.START, 0, isFirst ? costs.start(modules) : costs.thread());
        }
        begun = true;
        if (counts && cursor.block() != block) {
          add(Part.FLUSHES, pathOf(reader), costs.block());
          within[pathOf(reader)] += costs.block();
        }
        block = cursor.block();
        read(cursor, reader, counts);
      }
    }

    private void read(EventCursor cursor, PathReader reader, boolean counts) {
      int path = hasPath(cursor.kind()) ? reader.known(cursor.operand()) : 0;
      switch (cursor.kind()) {
        case Kind.ENTER -> {
          depth++;
          double walk = paths.isFunction(path) ? 0 : walk(paths.parent(path));
          if (counts) {
            events[path] += 2;
            add(Part.EVENTS, path, costs.pair());
            add(Part.UNWINDING, path, walk);
            within[pathOf(reader)] += walk;
            within[path] += costs.pair() / 2;
          }
        }
        case Kind.LEAVE -> {
          depth = Math.max(0, depth - 1);
          after = counts ? costs.pair() / 2 : 0;
        }
        case Kind.SAMPLE -> {
          walked = path;
          if (counts) {
            events[path]++;
            add(Part.SAMPLES, path, costs.sample());
            after = costs.sample();
          }
        }
        case Kind.VISITS -> {
          // Of other functions, walks tell of visits.
          if (counts && (paths.isRoutine(path) || paths.isFunction(path))) {
            double ns = costs.counted() * cursor.payload(0);
            add(Part.EVENTS, path, ns);
            within[pathOf(reader)] += ns;
          }
        }
        case Kind.THREAD_BEGIN, Kind.THREAD_END, Kind.THREAD_COUNTERS -> {
          // In the costs of the start and of samples.
        }
        case Kind.CPU -> readCpu(cursor, pathOf(reader), waitOf(reader), counts);
        default -> {
          if (counts) {
            double ns = depth > 0 ? costs.payload() : costs.instant();
            events[pathOf(reader)]++;
            add(Part.EVENTS, pathOf(reader), ns);
            within[pathOf(reader)] += ns;
          }
        }
      }
    }

    /** A thread that has waited for a processor runs after other threads, and finds their memory in the caches. */
    private void readCpu(EventCursor cursor, int path, int wait, boolean counts) {
      untoldNs += Math.max(0, cursor.payload(1));
      boolean isTold = cursor.payloadCount() > 2;
      long runnableNs = isTold ? cursor.payload(2) : 0;
      boolean isKnown = runnableNs <= untoldNs;
      if (counts) {
        double caches = runnableNs > 0 ? costs.caches() : 0;
        events[path]++;
        add(Part.EVENTS, path, costs.cpu());
        add(Part.CACHES, path, caches);
        within[path] += costs.cpu() + caches;
        waited[wait] += isKnown ? runnableNs : 0;
      }
      untoldNs = isTold ? 0 : untoldNs;
    }

    /** The path of the time right before the event: samples may tell of a later part of the time only. */
    private static int pathOf(PathReader reader) {
      return reader.sinceNs() >= reader.timeNs() ? 0 : reader.path();
    }

    /** The path of the time without a processor, which has one of its own outside of calls. */
    private static int waitOf(PathReader reader) {
      return reader.preemptedNs() < reader.timeNs() ? reader.preemptedPath() : pathOf(reader);
    }

    private static boolean hasPath(int kind) {
      return kind == Kind.ENTER || kind == Kind.LEAVE || kind == Kind.SAMPLE || kind == Kind.VISITS;
    }

    /** A path that begins with a reason was not walked, or not as a whole: its frames say how far. */
    private double walk(int path) {
      int a = path;
      int b = walked;
      walked = path;
      while (a != b) {
        if (a > b) {
          a = paths.parent(a);
        } else {
          b = paths.parent(b);
        }
      }
      return costs.path() + costs.frame() * (depths[path] - depths[a]);
    }

    private void add(Part part, int path, double ns) {
      caused[part.ordinal()][path] += ns;
    }
  }
}
