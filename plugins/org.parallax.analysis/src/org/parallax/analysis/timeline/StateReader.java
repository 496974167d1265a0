package org.parallax.analysis.timeline;

/** Goes over what a thread does, from a time on, in pieces of any length. */
final class StateReader {
  private final StateIndex index;
  private final WaitReader waits;
  private final StateIndex.Pieces pieces;
  private long nowNs;
  private int step;
  private boolean isRead;
  private int piece;

  /**
   * @param exact whether steps that are partly in a piece are read again; else a share of each is
   *     taken, as if all that happens in it were evenly distributed
   */
  StateReader(StateIndex index, long fromNs, boolean exact) {
    this.index = index;
    waits = exact ? index.waits() : null;
    pieces = exact ? index.new Pieces() : null;
    nowNs = fromNs;
    step = index.stepAt(fromNs);
  }

  /** Adds what the thread did up to a time, from where it was before. */
  void addUntil(long toNs, StateTimes sums) {
    while (step < index.steps()) {
      long begin = index.beginNs(step);
      long end = index.endNs(step);
      nowNs = Math.max(nowNs, begin);
      if (nowNs >= toNs) {
        break;
      }
      if (end > nowNs) {
        long until = Math.min(end, toNs);
        if (!isRead && nowNs == begin && end <= toNs) {
          int last = lastEndedAt(toNs);
          index.addRange(sums, step, last + 1);
          step = last;
          end = index.endNs(last);
          until = end;
        } else if (pieces != null) {
          addPieces(until, sums);
        } else {
          index.addTo(sums, step, (until - nowNs) / (double) (end - begin));
        }
        nowNs = until;
      }
      if (end <= toNs) {
        step++;
        isRead = false;
      }
    }
    nowNs = Math.max(nowNs, toNs);
  }

  /** @return the last step that ends by a time, from the one on at which it stands, which does */
  private int lastEndedAt(long timeNs) {
    if (step + 1 >= index.steps() || index.endNs(step + 1) > timeNs) {
      return step;
    }
    int last = index.stepAt(timeNs);
    return index.endNs(last) <= timeNs ? last : last - 1;
  }

  /**
   * @return until when the thread goes on with what it does now, or with the same mixture of it; now, if that
   *     is not known
   */
  long steadyUntilNs() {
    if (step >= index.steps()) {
      return Long.MAX_VALUE;
    }
    if (nowNs < index.beginNs(step)) {
      return index.beginNs(step);
    }
    if (pieces == null) {
      return index.endNs(step);
    }
    if (!isRead || piece >= pieces.count()) {
      return nowNs;
    }
    long end = pieces.endNs(piece);
    return waits == null ? end : Math.min(end, waits.changesAtNs(nowNs));
  }

  private void addPieces(long untilNs, StateTimes sums) {
    if (!isRead) {
      pieces.read(step);
      isRead = true;
      piece = 0;
    }
    long from = nowNs;
    while (piece < pieces.count() && from < untilNs) {
      long end = pieces.endNs(piece);
      if (end > from) {
        sums.add(index.state(pieces.path(piece)), Math.min(end, untilNs) - from);
        from = Math.min(end, untilNs);
      }
      if (end <= untilNs) {
        piece++;
      }
    }
    if (waits != null) {
      waits.move(nowNs, untilNs, sums);
    }
  }
}
