package org.parallax.analysis.timeline;

import org.parallax.analysis.timeline.ProgramTimeline.Activity;

/** Finds the call that a thread is in at a moment, with its begin and end. */
final class ActivityFinder {
  private ActivityFinder() {}

  /** @param around how many steps before and after the moment's are read */
  static Activity of(StateIndex index, long timeNs, int around) {
    StateIndex.Pieces pieces = index.new Pieces();
    int step = index.stepAt(timeNs);
    while (step + 1 < index.steps() && index.endNs(step) <= timeNs) {
      step++;
    }
    pieces.read(step);
    int at = 0;
    while (at < pieces.count() && pieces.endNs(at) <= timeNs) {
      at++;
    }
    if (at == pieces.count()) {
      return null;
    }
    int path = pieces.path(at);
    int first = at;
    while (first > 0 && pieces.path(first - 1) == path) {
      first--;
    }
    int last = at;
    while (last + 1 < pieces.count() && pieces.path(last + 1) == path) {
      last++;
    }
    long begin = first > 0 ? pieces.endNs(first - 1) : index.beginNs(step);
    long end = pieces.endNs(last);
    if (last + 1 == pieces.count()) {
      end = endAfter(index, pieces, step, around, path, end);
    }
    if (first == 0) {
      begin = beginBefore(index, pieces, step, around, path, begin);
    }
    long lost = index.lostInCallNs(timeNs, begin, end);
    WaitReader waits = index.waits();
    return waits == null || !waits.seek(timeNs) ? new Activity(path, begin, end, lost, null, 0, 0)
        : new Activity(path, begin, end, lost, waits.state(), waits.beginNs(), waits.endNs());
  }

  private static long endAfter(StateIndex index, StateIndex.Pieces pieces, int step, int around,
      int path, long endNs) {
    long end = endNs;
    for (int next = step + 1; next < index.steps() && next <= step + around; next++) {
      pieces.read(next);
      for (int i = 0; i < pieces.count(); i++) {
        if (pieces.path(i) != path) {
          return end;
        }
        end = pieces.endNs(i);
      }
    }
    return end;
  }

  private static long beginBefore(StateIndex index, StateIndex.Pieces pieces, int step, int around,
      int path, long beginNs) {
    long begin = beginNs;
    for (int before = step - 1; before >= 0 && before >= step - around; before--) {
      pieces.read(before);
      for (int i = pieces.count() - 1; i >= 0; i--) {
        if (pieces.path(i) != path) {
          return pieces.endNs(i);
        }
      }
      begin = index.beginNs(before);
    }
    return begin;
  }
}
