package org.parallax.analysis.graph;

import java.util.Arrays;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Follows the critical path back from its end, always to the predecessor from which the longest
 * path came, and attributes the weight of its arcs to call paths by reading the events under them.
 *
 * <p>Time inside a call belongs to the call. Time outside belongs to the <em>next</em> sample of
 * the thread, whose effective interval covers it (Szebenyi et al. 2011, section II.B.2).
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

  /** Work after the event under the cursor whose call path is not known yet. */
  private long pendingNs;
  /** The sample that follows this work. */
  private int sample;
  private long sampleFrom;
  private boolean sampleKnown;
  // Pending work before other samples, if it turns out to be outside of calls.
  private int[] earlierSamples = new int[8];
  private long[] earlierNs = new long[8];
  private int earlier;

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
    sampleKnown = false;
    sampleFrom = position;
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
    } else {
      visitor.arc(record.waitKind(wait), from, thread, ns);
    }
    enter(from, Reference.position(origin));
    return true;
  }

  /** Moves to the event before; false at the begin of the thread. */
  private boolean back() {
    long end = cursor.timeNs();
    long lost = replay.isCpuWeight() ? cursor.lostNs() : 0;
    if (!cursor.previous()) {
      flushOutside();
      return false;
    }
    pendingNs += replay.setup().window().cpuNs(cursor.timeNs(), end, lost);
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
        if (pendingNs > 0) {
          setAside();
        }
        sample = cursor.operand();
        sampleKnown = true;
      }
      default -> { }
    }
  }

  private void setAside() {
    if (earlier == earlierNs.length) {
      earlierNs = Arrays.copyOf(earlierNs, 2 * earlier);
      earlierSamples = Arrays.copyOf(earlierSamples, 2 * earlier);
    }
    earlierSamples[earlier] = nextSample();
    earlierNs[earlier++] = pendingNs;
    pendingNs = 0;
  }

  private int nextSample() {
    if (!sampleKnown) {
      sample = Math.max(0, record.sampleAfter(sampleFrom));
      sampleKnown = true;
    }
    return sample;
  }

  private void flushTo(int path) {
    for (int i = 0; i < earlier; i++) {
      pendingNs += earlierNs[i];
    }
    earlier = 0;
    if (pendingNs > 0) {
      visitor.work(thread, path, pendingNs);
      pendingNs = 0;
    }
  }

  private void flushOutside() {
    for (int i = 0; i < earlier; i++) {
      visitor.work(thread, earlierSamples[i], earlierNs[i]);
    }
    earlier = 0;
    if (pendingNs > 0) {
      visitor.work(thread, nextSample(), pendingNs);
      pendingNs = 0;
    }
  }

  /** @return the call path of the call around a call, 0 if there is none */
  private int enclosing(int path) {
    if (enclosing[thread] == null) {
      enclosing[thread] = CallNesting.enclosing(record.process().callPaths());
    }
    int[] around = enclosing[thread];
    return path >= 0 && path < around.length ? around[path] : 0;
  }
}
