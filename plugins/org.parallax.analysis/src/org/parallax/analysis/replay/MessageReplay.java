package org.parallax.analysis.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.trace.EventCursor;
import org.parallax.trace.KeptState;
import org.parallax.trace.Kind;

/** Replays what a thread sends and receives. */
final class MessageReplay {
  /** How often the events of a thread are read ahead for nothing. */
  private static final int MAX_AHEAD_IN_VAIN = 16;

  private final ThreadReplay thread;
  private final WindowReplay windows;
  private final Exchange exchange;
  private final EventCursor cursor;
  private final Needs needs;
  private final int process;
  private final Communications communications;
  private final PostedMessages posted;
  private final PostedMessages postedSends;
  /** Null where all events of the thread are there. */
  private final KeptState kept;
  private EventCursor ahead;
  /** Events that were read ahead up to the end of the thread for nothing. */
  private long aheadInVain;

  MessageReplay(ThreadReplay thread, WindowReplay windows) {
    this.thread = thread;
    this.windows = windows;
    exchange = thread.exchange();
    cursor = thread.cursor();
    needs = thread.needs();
    process = thread.process();
    communications = thread.replay().communications(process);
    posted = thread.replay().postedReceives();
    postedSends = thread.replay().postedSends();
    kept = thread.record().thread().kept();
    if (kept != null) {
      thread.replay().addKept(this);
    }
  }

  /** Counts what the thread had sent and received before the first of its events that are kept. */
  void leaveOut() {
    for (KeptState.Item item : kept.items()) {
      if (item.what() == KeptState.What.SENDS || item.what() == KeptState.What.RECEIVES) {
        boolean isSend = item.what() == KeptState.What.SENDS;
        int channel = isSend ? communications.outgoing(item.operand(), item.value(0), exchange)
            : communications.incoming(item.operand(), item.value(0), exchange);
        if (channel >= 0) {
          exchange.leaveOut(channel, isSend ? item.value(1) : 0, isSend ? 0 : item.value(1));
        }
      } else if (item.what() == KeptState.What.EPOCHS) {
        windows.leaveOut(item.operand(), item.value(0), item.value(1));
      }
    }
  }

  /** Posts the receives again that were open then; all threads have been counted. */
  void postAgain() {
    Map<List<Long>, Long> overtaking = new HashMap<>();  // by request, peer and tag
    for (KeptState.Item item : kept.items()) {
      if (item.what() == KeptState.What.OVERTAKING) {
        overtaking.put(List.of(item.value(2), item.value(0)), item.value(1));
      }
    }
    Map<Long, Long> completions = completions();
    for (KeptState.Item item : kept.items()) {
      long request = item.value(1);
      Long peerAndTag = item.what() == KeptState.What.POSTED ? completions.get(request) : null;
      int channel = peerAndTag == null ? -1 : communications.incoming(item.operand(), peerAndTag, exchange);
      if (channel >= 0) {
        // Receives that were posted later have completed before.
        posted.add(process, request, channel,
            exchange.nextOrdinal(channel) - overtaking.getOrDefault(List.of(request, peerAndTag), 0L));
      }
    }
  }

  /**
   * The messages that these receives get, peer and tag by request. One that this thread does not complete never
   * completes, or another thread has completed it, and counts it there.
   */
  private Map<Long, Long> completions() {
    Set<Long> open = kept.items().stream().filter(item -> item.what() == KeptState.What.POSTED)
        .map(item -> item.value(1)).collect(Collectors.toSet());
    Map<Long, Long> found = new HashMap<>();
    EventCursor events = thread.record().thread().cursor();
    while (found.size() < open.size() && events.next()) {
      if (events.kind() == Kind.RECEIVE && events.payloadCount() > 2 && open.contains(events.payload(2))) {
        found.put(events.payload(2), events.payload(0));
      }
    }
    return found;
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
        need(posted.channel(slot), posted.ordinal(slot));
        return;
      }
    }
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      long ordinal = exchange.nextOrdinal(channel);
      need(channel, ordinal);
      exchange.setReady(channel, ordinal, thread.beginNs(), thread.beginLength(),
          thread.beginOfWait());
    }
  }

  /** The message is needed, unless its sender has sent it before the events that are kept. */
  private void need(int channel, long ordinal) {
    if (!exchange.isLeftOut(channel, ordinal)) {
      needs.addMessage(channel, ordinal, cursor.payload(1));
    }
  }

  void probe() {
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0 && !exchange.isLeftOut(channel, exchange.peekOrdinal(channel))) {
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
