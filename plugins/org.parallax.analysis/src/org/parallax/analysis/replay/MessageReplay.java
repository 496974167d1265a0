package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/** Replays what a thread sends and receives. */
final class MessageReplay {
  /** How often the events of a thread are read ahead for nothing. */
  private static final int MAX_AHEAD_IN_VAIN = 16;

  private final ThreadReplay thread;
  private final Exchange exchange;
  private final EventCursor cursor;
  private final Needs needs;
  private final int process;
  private final Communications communications;
  private final PostedMessages posted;
  private final PostedMessages postedSends;
  private EventCursor ahead;
  /** Events that were read ahead up to the end of the thread for nothing. */
  private long aheadInVain;

  MessageReplay(ThreadReplay thread) {
    this.thread = thread;
    exchange = thread.exchange();
    cursor = thread.cursor();
    needs = thread.needs();
    process = thread.process();
    communications = thread.replay().communications(process);
    posted = thread.replay().postedReceives();
    postedSends = thread.replay().postedSends();
  }

  void send() {
    int channel =
        communications.outgoing(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      boolean requested = cursor.payloadCount() > 2
          && !postedSends.hasCompleted(process, cursor.payload(2));
      boolean blocking = thread.isInRoutine() && cursor.payloadCount() < 3;
      long ordinal = exchange.provide(
          channel, blocking || requested, thread.timeNs(), thread.length(), thread.provider());
      if (blocking) {
        needs.addRendezvous(channel, ordinal);
      } else if (requested) {
        postedSends.add(process, cursor.payload(2), channel, ordinal);
      }
    }
  }

  /** A non-blocking send has completed: the call that says so may have waited for the receiver. */
  void sendDone() {
    int slot = postedSends.remove(process, cursor.payload(0));
    if (slot >= 0 && thread.isInRoutine()) {
      needs.addRendezvous(postedSends.channel(slot), postedSends.ordinal(slot));
    } else if (slot >= 0) {
      forget(slot);
    } else {
      postedSends.completeEarly(process, cursor.payload(0));
    }
  }

  /** Nobody will ask when the receiver of a send was ready. */
  private void forget(int slot) {
    exchange.ready(postedSends.channel(slot), postedSends.ordinal(slot), new Exchange.Values());
  }

  void postReceive() {
    long request = cursor.payload(1);
    long peerAndTag = cursor.payload(0);
    if (Kind.peer(peerAndTag) == Kind.ANY_SOURCE || Kind.tag(peerAndTag) == Kind.ANY_TAG) {
      peerAndTag = lookAhead(request);
    }
    if (peerAndTag >= 0) {
      int channel = communications.incoming(cursor.operand(), peerAndTag, exchange);
      if (channel >= 0) {
        long ordinal = exchange.nextOrdinal(channel);
        posted.add(process, request, channel, ordinal);
        exchange.setReady(
            channel, ordinal, thread.timeNs(), thread.length(),
            thread.vertex(cursor.position(), thread.length()));
      }
    }
  }

  /**
   * Finds out what a posted receive will get. Where other threads complete the requests of this
   * one it soon gives up: reading to the end for each would take quadratic time.
   *
   * @return peer and tag of the message, or -1
   */
  private long lookAhead(long request) {
    if (aheadInVain > MAX_AHEAD_IN_VAIN * thread.record().thread().slotCount()) {
      return -1;
    }
    long readAhead = 0;
    if (ahead == null) {
      ahead = thread.record().thread().cursor();
    }
    boolean more = ahead.seek(cursor.position());
    while (more) {
      int kind = ahead.kind();
      if (kind == Kind.RECEIVE && ahead.payloadCount() > 2 && ahead.payload(2) == request) {
        return ahead.payload(0);
      }
      if (kind == Kind.REQUEST_CANCEL && ahead.payload(0) == request) {
        return -1;
      }
      more = ahead.next();
      readAhead++;
    }
    aheadInVain += readAhead;
    return -1;
  }

  void receive() {
    if (cursor.payloadCount() > 2) {
      int slot = posted.remove(process, cursor.payload(2));
      if (slot >= 0) {
        needs.addMessage(posted.channel(slot), posted.ordinal(slot), cursor.payload(1));
        return;
      }
    }
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      long ordinal = exchange.nextOrdinal(channel);
      needs.addMessage(channel, ordinal, cursor.payload(1));
      exchange.setReady(channel, ordinal, thread.beginNs(), thread.beginLength(),
          thread.beginOfWait());
    }
  }

  void probe() {
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      needs.addProbe(channel, exchange.peekOrdinal(channel));
    }
  }

  void cancel() {
    int sent = postedSends.remove(process, cursor.payload(0));
    if (sent >= 0) {
      forget(sent);
    }
    int slot = posted.remove(process, cursor.payload(0));
    if (slot >= 0) {
      posted.closeGap(slot);
      exchange.returnOrdinal(posted.channel(slot));
    }
  }
}
