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
    boolean lost = cursor.kind() == Kind.CPU && cursor.timeNs() - cursor.payload(1) <= timeNs;
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
    return sample >= 0 ? procedure(sample, lost) : lost ? Procedures.OFF_CPU : Procedures.NOT_SAMPLED;
  }

  private int procedure(int path, boolean lost) {
    if (lost && !record.process().callPaths().isRoutine(path)) {
      return Procedures.OFF_CPU;
    }
    return procedures.leaf(record.process().index(), path);
  }
}
