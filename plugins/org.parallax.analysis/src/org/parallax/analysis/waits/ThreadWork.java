package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.trace.Progress;

/**
 * What one thread did when, without its waits: its time between any two moments, by {@link
 * CommonPaths}.
 *
 * <p>12 bytes for each piece of time in one call path, and at most as much for sums. A question costs
 * the pieces between the moments, or, where these are many, the number of the thread's call paths.
 */
final class ThreadWork {
  /** Is told the time of a call path; several times for the same one. */
  interface Sums {
    void add(int path, long ns);
  }

  private static final int WAITING = -1;
  private static final int LEAST_SPACING = 256;

  private final LongList begins = new LongList();
  private final IntList paths = new IntList();
  private long firstNs = Long.MAX_VALUE;
  private long endNs = Long.MAX_VALUE;

  /** The call paths of the thread in the order in which it was first in them. */
  private final IntList known = new IntList();
  /** Up to the begins of some pieces: nanoseconds in each call path known then. */
  private final LongList markedPieces = new LongList();
  private final List<long[]> marks = new ArrayList<>();

  private ThreadWork() {}

  /**
   * Reads the events of a thread once.
   *
   * @param waits of the thread
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  static ThreadWork of(
      ThreadRecord record, ThreadWaits waits, CommonPaths common, Progress progress) {
    ThreadWork work = new ThreadWork();
    Builder builder = work.new Builder(waits);
    PathReader reader = new PathReader(record.thread(), progress);
    while (reader.next()) {
      work.firstNs = Math.min(work.firstNs, reader.fromNs());
      builder.work(CommonPaths.NOT_SAMPLED, reader.fromNs(), reader.wallSplitNs());
      builder.work(common.number(record.process(), reader.path()), reader.wallSplitNs(),
          reader.offCpuNs());
      builder.work(common.number(record.process(), reader.offCpuPath()), reader.offCpuNs(),
          reader.preemptedNs());
      builder.work(common.number(record.process(), reader.preemptedPath()), reader.preemptedNs(),
          reader.timeNs());
    }
    work.endNs = builder.toNs;
    return work;
  }

  /** @return the time of the first event; {@code Long.MAX_VALUE} if there is none */
  long firstNs() {
    return firstNs;
  }

  /** Tells the work from one time to another. */
  void tell(long fromNs, long toNs, Sums sums) {
    long from = Math.max(fromNs, firstNs);
    long to = Math.min(toNs, endNs);
    if (from >= to) {
      return;
    }
    long piece = begins.firstAtLeast(from + 1) - 1;
    long last = begins.firstAtLeast(to) - 1;
    long mark = markedPieces.firstAtLeast(piece + 1);
    long lastMark = markedPieces.firstAtLeast(last + 1) - 1;
    if (lastMark <= mark) {
      tellPieces(piece, last, from, to, sums);
      return;
    }
    long markNs = begins.get(markedPieces.get(mark));
    long lastMarkNs = begins.get(markedPieces.get(lastMark));
    tellPieces(piece, markedPieces.get(mark) - 1, from, markNs, sums);
    long[] before = marks.get((int) mark);
    long[] after = marks.get((int) lastMark);
    for (int i = 0; i < after.length; i++) {
      long ns = after[i] - (i < before.length ? before[i] : 0);
      if (ns > 0) {
        sums.add(known.get(i), ns);
      }
    }
    tellPieces(markedPieces.get(lastMark), last, lastMarkNs, to, sums);
  }

  private void tellPieces(long first, long last, long fromNs, long toNs, Sums sums) {
    for (long piece = first; piece <= last; piece++) {
      long begin = Math.max(fromNs, begins.get(piece));
      long end = piece + 1 < begins.size() ? Math.min(toNs, begins.get(piece + 1)) : toNs;
      if (paths.get(piece) != WAITING && begin < end) {
        sums.add(paths.get(piece), end - begin);
      }
    }
  }

  /** Cuts the waits out of the thread's time, and marks sums. */
  private final class Builder {
    private final ThreadWaits waits;
    private int wait;
    private long toNs = Long.MIN_VALUE;
    private final Map<Integer, Integer> indices = new HashMap<>();
    private long[] sums = new long[16];
    private long nextMark = LEAST_SPACING;

    Builder(ThreadWaits waits) {
      this.waits = waits;
    }

    void work(int path, long fromNs, long untilNs) {
      long from = fromNs;
      while (from < untilNs) {
        while (wait < waits.count() && (waits.untilNs(wait) <= from || !waits.isLoss(wait))) {
          wait++;
        }
        long begin = wait < waits.count() ? waits.beginNs(wait) : Long.MAX_VALUE;
        if (begin <= from) {
          long until = Math.min(untilNs, waits.untilNs(wait));
          piece(WAITING, from, until);
          from = until;
        } else {
          long until = Math.min(untilNs, begin);
          piece(path, from, until);
          from = until;
        }
      }
    }

    private void piece(int path, long fromNs, long untilNs) {
      long pieces = begins.size();
      if (pieces == 0 || paths.get(pieces - 1) != path) {
        if (pieces == nextMark) {
          mark(pieces);
        }
        begins.add(fromNs);
        paths.add(path);
      }
      toNs = untilNs;
      if (path != WAITING) {
        int index = indices.computeIfAbsent(path, unknown -> {
          known.add(path);
          return indices.size();
        });
        if (index == sums.length) {
          sums = Arrays.copyOf(sums, 2 * index);
        }
        sums[index] += untilNs - fromNs;
      }
    }

    /** So far apart that sums take no more memory than pieces. */
    private void mark(long piece) {
      markedPieces.add(piece);
      marks.add(Arrays.copyOf(sums, indices.size()));
      nextMark = piece + Math.max(LEAST_SPACING, indices.size());
    }
  }
}
