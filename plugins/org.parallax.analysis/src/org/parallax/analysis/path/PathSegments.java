package org.parallax.analysis.path;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.parallax.analysis.internal.PackedLongs;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Progress;

/**
 * Where the critical path of a replay is at each time: segments on one thread each, in the order of
 * time, and the arcs by which it comes from one to the next.
 *
 * <p>Cost: the waits on the path, and O(log n) for each change of thread. Some 8 bytes for each segment.
 */
public final class PathSegments {
  private static final int PROGRESS_SEGMENTS = 1 << 14;
  private static final ArcKind[] KINDS = ArcKind.values();

  // The last segment first, as they are found.
  private final PackedLongs begins;
  private final PackedLongs ends;
  private final PackedLongs threads;
  /** The kind of the arc that leads to the segment; WORK for the first. */
  private final PackedLongs kinds;

  private PathSegments(PackedLongs begins, PackedLongs ends, PackedLongs threads, PackedLongs kinds) {
    this.begins = begins;
    this.ends = ends;
    this.threads = threads;
    this.kinds = kinds;
  }

  /** Writes them so that {@link #read} gets them back. */
  public void write(DataOutputStream out) throws IOException {
    begins.write(out);
    ends.write(out);
    threads.write(out);
    kinds.write(out);
  }

  /**
   * @param in stays as it is
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  public static PathSegments read(ByteBuffer in) {
    PathSegments segments = new PathSegments(
        PackedLongs.read(in), PackedLongs.read(in), PackedLongs.read(in), PackedLongs.read(in));
    long count = segments.begins.size();
    if (segments.ends.size() != count || segments.threads.size() != count || segments.kinds.size() != count) {
      throw new IllegalArgumentException("segments do not fit to each other");
    }
    return segments;
  }

  /**
   * Follows the path of a replay back from its end, as {@link CriticalPath} does, but past what is
   * between the waits.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static PathSegments of(Replay replay, Progress progress) {
    PathSegments segments = new PathSegments(new PackedLongs(), new PackedLongs(), new PackedLongs(), new PackedLongs());
    ThreadRecord last = replay.last();
    if (last != null && last.endPosition() >= 0) {
      segments.follow(replay, last, progress);
    }
    return segments;
  }

  private void follow(Replay replay, ThreadRecord last, Progress progress) {
    EventCursor[] cursors = new EventCursor[replay.threads().size()];
    ThreadRecord record = last;
    long end = timeNs(cursors, record, record.endPosition());
    long wait = record.lastWait(record.endPosition());
    while (wait >= 0) {
      long position = record.waitPosition(wait);
      long origin = record.waitOrigin(wait);
      if (origin < 0) {
        break;
      }
      if (Reference.thread(origin) == record.index()) {
        wait = Reference.position(origin) < position
            ? record.lastWait(Reference.position(origin)) : wait - 1;
        continue;
      }
      add(record, timeNs(cursors, record, position), end, record.waitKind(wait));
      record = replay.threads().get(Reference.thread(origin));
      end = timeNs(cursors, record, Reference.position(origin));
      wait = record.lastWait(Reference.position(origin));
      if (threads.size() % PROGRESS_SEGMENTS == 0) {
        progress.check();
      }
    }
    add(record, Math.min(end, record.thread().beginNs()), end, ArcKind.WORK);
  }

  private static long timeNs(EventCursor[] cursors, ThreadRecord record, long position) {
    if (cursors[record.index()] == null) {
      cursors[record.index()] = record.thread().cursor();
    }
    cursors[record.index()].seek(position);
    return cursors[record.index()].timeNs();
  }

  private void add(ThreadRecord record, long beginNs, long endNs, ArcKind kind) {
    begins.add(Math.min(beginNs, endNs));
    ends.add(endNs);
    threads.add(record.index());
    kinds.add(kind.ordinal());
  }

  /** @return how many segments there are; they are numbered from 0 in the order of the path */
  public long count() {
    return begins.size();
  }

  private long at(long segment) {
    return begins.size() - 1 - segment;
  }

  public long beginNs(long segment) {
    return begins.get(at(segment));
  }

  public long endNs(long segment) {
    return ends.get(at(segment));
  }

  /** @return index in the replay of the segment's thread */
  public int thread(long segment) {
    return (int) threads.get(at(segment));
  }

  /**
   * @return how the path comes from the end of the segment before to the begin of this one; WORK for
   *     the first
   */
  public ArcKind kind(long segment) {
    return KINDS[(int) kinds.get(at(segment))];
  }

  /** @return the first segment that ends at the time or later; {@link #count} if none does */
  public long segmentAt(long timeNs) {
    long low = 0;
    long high = count();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (endNs(middle) < timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
