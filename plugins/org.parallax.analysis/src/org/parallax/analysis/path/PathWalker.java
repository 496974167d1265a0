package org.parallax.analysis.path;

import java.util.Arrays;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.ThreadSamples;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Follows the critical path back from its end, always to the predecessor from which the longest
 * path came, and attributes the weight of its arcs to call paths by reading the events under them.
 *
 * <p>Time inside a call belongs to the call, time outside to samples ({@code SampleScan}). With wall
 * weights, time without a processor outside of routines has a path of its own.
 *
 * <p>Cost: the events under the path, and O(log n) for each change of thread.
 */
final class PathWalker {
  private final Replay replay;
  private final PathVisitor visitor;
  private final EventCursor[] cursors;
  private final int[][] enclosing;

  private int thread;
  private ThreadRecord record;
  private EventCursor cursor;
  private long wait;

  private ThreadSamples samples;
  /** The first sample after the event under the cursor. */
  private long next;
  // Work after the event under the cursor, the latest first, by the call paths that it has if it
  // turns out to be outside of calls.
  private int[] pendingPaths = new int[8];
  private long[] pendingNs = new long[8];
  private int pending;

  PathWalker(Replay replay, PathVisitor visitor) {
    this.replay = replay;
    this.visitor = visitor;
    cursors = new EventCursor[replay.threads().size()];
    enclosing = new int[cursors.length][];
  }

  /** Walks the whole path; nothing happens when no thread has events. */
  void walk() {
    ThreadRecord last = replay.last();
    if (last == null || last.endPosition() < 0) {
      return;
    }
    enter(last.index(), last.endPosition());
    do {
      resolveAt(cursor.kind());
    } while (wait >= 0 && record.waitPosition(wait) == cursor.position() ? followWait() : back());
  }

  private void enter(int newThread, long position) {
    thread = newThread;
    record = replay.threads().get(thread);
    if (cursors[thread] == null) {
      cursors[thread] = record.thread().cursor();
    }
    cursor = cursors[thread];
    cursor.seek(position);
    wait = record.lastWait(position);
    samples = record.samples();
    next = samples.after(position);
  }

  /** Goes to the origin of the wait that ends at the cursor. */
  private boolean followWait() {
    flushOutside();
    long ns = record.waitWeight(wait);
    long origin = record.waitOrigin(wait);
    int from = Reference.thread(origin);
    if (from == thread) {
      visitor.work(thread, cursor.kind() == Kind.LEAVE ? cursor.operand() : 0, ns);
      if (Reference.position(origin) >= cursor.position()) {
        return back();
      }
      enter(from, Reference.position(origin));
    } else {
      ArcKind kind = record.waitKind(wait);
      int to = thread;
      int toPath = pathAtCursor();
      enter(from, Reference.position(origin));
      int fromPath = pathAtCursor();
      cursor.seek(Reference.position(origin));
      visitor.arc(kind, from, fromPath, to, toPath, ns);
    }
    return true;
  }

  /**
   * Of the event under the cursor, which may be moved back: the call that it belongs to, or what the
   * thread did outside of calls. After the last sample this is what it was last seen in.
   */
  private int pathAtCursor() {
    int kind = cursor.kind();
    if (kind == Kind.ENTER || kind == Kind.LEAVE) {
      return cursor.operand();
    }
    int call = callBefore();
    return call != 0 ? call : samples.path(next) != 0 ? samples.path(next)
        : next > 0 ? samples.path(next - 1) : 0;
  }

  /** Looks no further back than a block of events: its begin says in which call the thread was. */
  private int callBefore() {
    int block = cursor.block();
    int open = cursor.blockOpenPath();
    while (cursor.previous()) {
      if (cursor.block() != block && (open == 0 || isCall(open))) {
        return open;
      }
      if (cursor.kind() == Kind.ENTER) {
        return cursor.operand();
      }
      if (cursor.kind() == Kind.LEAVE) {
        return enclosing(cursor.operand());
      }
      if (cursor.block() != block) {
        block = cursor.block();
        open = cursor.blockOpenPath();
      }
    }
    return 0;
  }

  private boolean isCall(int path) {
    CallPaths paths = record.process().callPaths();
    return path > 0 && path < paths.count() && (paths.kind(path) == CallPaths.REGION
        || paths.kind(path) == CallPaths.FUNCTION);
  }

  /** Moves to the event before; false at the begin of the thread. */
  private boolean back() {
    long end = cursor.timeNs();
    long offCpu = cursor.kind() == Kind.CPU ? samples.offCpuAt(cursor.position()) : -1;
    long lost = replay.isCpuWeight() ? cursor.lostNs() : 0;
    if (!cursor.previous()) {
      flushOutside();
      return false;
    }
    long begin = cursor.timeNs();
    Window window = replay.setup().window();
    long split = Math.max(begin, Math.min(samples.sinceNs(next), end));
    if (!replay.isCpuWeight() && offCpu >= 0) {
      long offNs = Math.max(begin, samples.offCpuBeginNs(offCpu));
      long preemptedNs = Math.max(begin, samples.preemptedNs(offCpu));
      pend(samples.preemptedPath(offCpu), window.overlapNs(preemptedNs, end));
      pend(samples.offCpuPath(offCpu), window.overlapNs(offNs, preemptedNs));
      end = offNs;
      split = Math.min(split, end);
    }
    long sampled = window.cpuNsFrom(split, begin, end, lost);
    pend(samples.path(next), sampled);
    if (split > begin) {
      pend(0, window.cpuNs(begin, end, lost) - sampled);
    }
    while (wait >= 0 && record.waitPosition(wait) > cursor.position()) {
      wait--;
    }
    return true;
  }

  /** Gives the pending work to its call path, if the event under the cursor tells which it is. */
  private void resolveAt(int kind) {
    switch (kind) {
      case Kind.ENTER -> flushTo(cursor.operand());
      case Kind.LEAVE -> {
        int around = enclosing(cursor.operand());
        if (around != 0) {
          flushTo(around);
        } else {
          flushOutside();
        }
      }
      case Kind.SAMPLE -> {
        if (samples.isBefore(next, cursor.position())) {
          next--;
        }
      }
      default -> { }
    }
  }

  private void pend(int path, long ns) {
    if (pending > 0 && pendingPaths[pending - 1] == path) {
      pendingNs[pending - 1] += ns;
    } else if (ns > 0) {
      if (pending == pendingNs.length) {
        pendingNs = Arrays.copyOf(pendingNs, 2 * pending);
        pendingPaths = Arrays.copyOf(pendingPaths, 2 * pending);
      }
      pendingPaths[pending] = path;
      pendingNs[pending++] = ns;
    }
  }

  /** Time without a processor keeps its path. */
  private void flushTo(int path) {
    long sum = 0;
    for (int i = 0; i < pending; i++) {
      if (pendingPaths[i] >= record.process().callPaths().definedCount()) {
        visitor.work(thread, pendingPaths[i], pendingNs[i]);
      } else {
        sum += pendingNs[i];
      }
    }
    pending = 0;
    if (sum > 0) {
      visitor.work(thread, path, sum);
    }
  }

  private void flushOutside() {
    for (int i = 0; i < pending; i++) {
      visitor.work(thread, pendingPaths[i], pendingNs[i]);
    }
    pending = 0;
  }

  /** @return the call path of the call around a call, 0 if there is none */
  private int enclosing(int path) {
    if (enclosing[thread] == null) {
      enclosing[thread] = CallNesting.enclosing(record.process());
    }
    int[] around = enclosing[thread];
    return path >= 0 && path < around.length ? around[path] : 0;
  }
}
