package org.parallax.analysis.timeline;

import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.model.program.Procedures;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * What a thread did at single moments, found without having read its other events: what the events
 * right after the moment tell. Cost of a moment: O(log n), and at most {@value #AHEAD} events.
 */
final class SampledStates {
  private static final int AHEAD = 512;

  private final ThreadRecord record;
  private final Procedures procedures;
  private final EventCursor cursor;
  private final int[] enclosing;

  SampledStates(ThreadRecord record, Procedures procedures) {
    this.record = record;
    this.procedures = procedures;
    cursor = record.thread().cursor();
    enclosing = CallNesting.enclosing(record.process());
  }

  /**
   * @return the procedure, or {@link StateTimes#NONE} before the thread's first and after its last
   *     event
   */
  int at(long timeNs) {
    if (timeNs < record.thread().beginNs() || !cursor.seekTime(timeNs + 1)) {
      return StateTimes.NONE;
    }
    int sample = -1;
    int depth = 0;
    int lost = lostState(timeNs);
    for (int i = 0; i < AHEAD; i++) {
      int path = cursor.operand();
      switch (cursor.kind()) {
        case Kind.LEAVE -> {
          if (depth == 0) {
            return procedure(path, lost);
          }
          depth--;
        }
        case Kind.ENTER -> {
          int around = path > 0 && path < enclosing.length ? enclosing[path] : 0;
          if (depth == 0 && (around != 0 || sample >= 0)) {
            return procedure(around != 0 ? around : sample, lost);
          }
          depth++;
        }
        case Kind.SAMPLE -> {
          // It counts only if the next begin or end of a call tells that it was taken outside of any.
          sample = depth == 0 && sample < 0 ? path : sample;
        }
        default -> { }
      }
      if (!cursor.next()) {
        break;
      }
    }
    return sample >= 0 ? procedure(sample, lost) : lost != StateTimes.NONE ? lost : Procedures.NOT_SAMPLED;
  }

  /** @return the state of a thread without a processor at a moment before the event, else none */
  private int lostState(long timeNs) {
    if (cursor.kind() != Kind.CPU || cursor.timeNs() - cursor.payload(1) > timeNs) {
      return StateTimes.NONE;
    }
    long runnableNs = cursor.payloadCount() > 2 ? cursor.payload(2) : Long.MAX_VALUE;
    return runnableNs > cursor.timeNs() ? Procedures.OFF_CPU
        : cursor.timeNs() - runnableNs <= timeNs ? Procedures.PREEMPTED : Procedures.BLOCKED;
  }

  private int procedure(int path, int lost) {
    if (lost != StateTimes.NONE && !record.process().callPaths().isRoutine(path)) {
      return lost;
    }
    return procedures.leaf(record.process().index(), path);
  }
}
