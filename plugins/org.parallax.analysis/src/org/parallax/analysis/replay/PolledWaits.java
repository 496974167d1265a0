package org.parallax.analysis.replay;

/**
 * Divides waits that began in another call: of a call that ends the polling of the call around it, the part before its own
 * Enter is told as a wait in the latter, where the thread's time is.
 */
final class PolledWaits implements WaitListener {
  private final WaitListener listener;
  /** Of the one thread whose waits are told. */
  private final OpenCalls calls;

  PolledWaits(WaitListener listener, OpenCalls calls) {
    this.listener = listener;
    this.calls = calls;
  }

  /** @return until when the thread polled in the call around the innermost one; {@code beginNs} if it did not since then */
  private long polledNs(long beginNs, long untilNs) {
    return calls.endsPolling() ? Math.max(beginNs, Math.min(untilNs, calls.joinedNs())) : beginNs;
  }

  @Override
  public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs, long untilNs, long cause) {
    long polledNs = polledNs(beginNs, untilNs);
    if (polledNs > beginNs) {
      listener.waited(thread, kind, detail, calls.pollingPath(), beginNs, polledNs, cause);
    }
    if (untilNs > polledNs) {
      listener.waited(thread, kind, detail, path, polledNs, untilNs, cause);
    }
  }

  @Override
  public void waitedAlone(ThreadRecord thread, WaitState state, int path, long beginNs, long endNs) {
    long polledNs = polledNs(beginNs, endNs);
    if (polledNs > beginNs) {
      listener.waitedAlone(thread, state, calls.pollingPath(), beginNs, polledNs);
    }
    if (endNs > polledNs) {
      listener.waitedAlone(thread, state, path, polledNs, endNs);
    }
  }

  @Override
  public void began(ThreadRecord thread, long createdNs, long cause) {
    listener.began(thread, createdNs, cause);
  }

  @Override
  public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs, long receivedNs, long from) {
    listener.received(thread, kind, bytes, sentNs, receivedNs, from);
  }

  @Override
  public void transferred(ThreadRecord origin, int from, int to, long bytes, long timeNs) {
    listener.transferred(origin, from, to, bytes, timeNs);
  }

  @Override
  public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path, long beginNs,
      long endNs) {
    listener.left(thread, key, sequence, size, detail, path, beginNs, endNs);
  }
}
