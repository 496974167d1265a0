package org.parallax.analysis.events;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitListener;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Finds the other end of a message: of a send, or of bytes that are written, the receive that took
 * it, and of a receive the send. Of the end of any other wait, for a lock, a collective, a barrier, a
 * condition, a thread or a process, what ended it: the release, the arrival of the last one, the signal,
 * the end. The matching is that of the replay.
 *
 * <p>Cost: a replay of the processes; memory for the messages of the two threads in one call.
 */
public final class Partners implements WaitListener {
  /** An event. */
  public record Found(ThreadTrace thread, long position, long timeNs) {}

  private record Message(ThreadRecord thread, ArcKind kind, long bytes, long receivedNs, long from) {}

  private final ThreadTrace thread;
  private final boolean isSend;
  private final int waitKind;
  private final long position;
  private final long bytes;
  /** When the call of a receive, or of another wait, begins and ends. */
  private long callBeginNs;
  private long callEndNs;
  private int index = -1;
  /** What ended the last wait in the call. */
  private long cause = Reference.NONE;
  private final List<Message> messages = new ArrayList<>();

  private Partners(ThreadTrace thread, long position) {
    this.thread = thread;
    this.position = position;
    EventCursor cursor = thread.cursor();
    cursor.seek(position);
    int kind = cursor.kind();
    isSend = kind == Kind.SEND || kind == Kind.STREAM_SEND;
    waitKind = isWait(kind) ? kind : Kind.NONE;
    bytes = isReceive(kind) ? cursor.payload(1) : 0;
  }

  /** @return whether an event of a kind can have a partner */
  public static boolean isPossible(int kind) {
    return isMessage(kind) || isWait(kind);
  }

  /** @return whether an event of a kind is an end of a message */
  public static boolean isMessage(int kind) {
    return kind == Kind.SEND || kind == Kind.STREAM_SEND || isReceive(kind);
  }

  private static boolean isWait(int kind) {
    return switch (kind) {
      case Kind.ACQUIRE, Kind.COLLECTIVE, Kind.BARRIER, Kind.WAKE, Kind.THREAD_JOIN,
          Kind.PROCESS_WAIT -> true;
      default -> false;
    };
  }

  private static boolean isReceive(int kind) {
    return kind == Kind.RECEIVE || kind == Kind.STREAM_RECEIVE;
  }

  /**
   * The other end of the message that an event sends or receives, or what ended the wait that ends with it.
   *
   * @param processes that can communicate, in the order of the replay
   * @param thread of one of them
   * @param position of an event for which {@link #isPossible} holds
   * @return null if it is not in the traces, and for a wait that was none
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static Found of(
      List<ProcessTrace> processes, ThreadTrace thread, long position, Progress progress) {
    Partners partners = new Partners(thread, position);
    if (!partners.isSend) {
      partners.findCall();
    }
    Replay replay = Replay.of(
        processes, new ReplaySetup(Weight.WALL, Window.ALL, null), progress, partners);
    return partners.waitKind != Kind.NONE ? partners.ended(replay.threads())
        : partners.isSend ? partners.receive(replay.threads()) : partners.send(replay.threads());
  }

  /** Which of the receives of as many bytes in the call it is, and when the call begins and ends. */
  private void findCall() {
    EventCursor cursor = thread.cursor();
    cursor.seek(position);
    callEndNs = cursor.timeNs();
    while (cursor.next() && cursor.kind() != Kind.ENTER) {
      if (cursor.kind() == Kind.LEAVE) {
        callEndNs = cursor.timeNs();
        break;
      }
    }
    cursor.seek(position);
    index = 0;
    callBeginNs = cursor.timeNs();
    while (cursor.previous()) {
      callBeginNs = cursor.timeNs();
      if (cursor.kind() == Kind.ENTER || cursor.kind() == Kind.LEAVE) {
        break;
      }
      index += isReceive(cursor.kind()) && cursor.payload(1) == bytes ? 1 : 0;
    }
  }

  private Found ended(List<ThreadRecord> threads) {
    return cause == Reference.NONE ? null
        : found(threads.get(Reference.thread(cause)).thread(), Reference.position(cause));
  }

  @Override
  public void received(ThreadRecord receiver, ArcKind kind, long count, long sentNs,
      long receivedNs, long from) {
    boolean mine = isSend ? Reference.position(from) == position
        : receiver.thread() == thread && receivedNs == callEndNs && count == bytes;
    if (mine) {
      messages.add(new Message(receiver, kind, count, receivedNs, from));
    }
  }

  private Found send(List<ThreadRecord> threads) {
    if (messages.isEmpty()) {
      return null;
    }
    long from = messages.get(Math.min(index, messages.size() - 1)).from;
    return found(threads.get(Reference.thread(from)).thread(), Reference.position(from));
  }

  /** Of several threads whose sends have one position, that of this thread. */
  private Found receive(List<ThreadRecord> threads) {
    return messages.stream()
        .filter(each -> threads.get(Reference.thread(each.from)).thread() == thread)
        .findFirst().map(Partners::receive).orElse(null);
  }

  private static Found found(ThreadTrace thread, long position) {
    EventCursor cursor = thread.cursor();
    return cursor.seek(position) ? new Found(thread, position, cursor.timeNs()) : null;
  }

  /** The last receive of as many bytes in the call that ends then. */
  private static Found receive(Message message) {
    EventCursor cursor = message.thread.thread().cursor();
    boolean more = cursor.seekTime(message.receivedNs);
    while (more && cursor.timeNs() == message.receivedNs && cursor.kind() != Kind.LEAVE
        && !isReceive(cursor.kind())) {
      more = cursor.next();
    }
    do {
      if (more && isReceive(cursor.kind()) && cursor.payload(1) == message.bytes) {
        return new Found(message.thread.thread(), cursor.position(), cursor.timeNs());
      }
      more = cursor.previous();
    } while (more && cursor.kind() != Kind.ENTER);
    return null;
  }

  @Override
  public void waited(ThreadRecord waiting, ArcKind kind, int detail, int path, long beginNs,
      long untilNs, long endedBy) {
    // Who sent a message is told in any case.
    if (waitKind != Kind.NONE && waiting.thread() == thread && beginNs >= callBeginNs
        && untilNs <= callEndNs && isOf(kind)) {
      cause = endedBy;
    }
  }

  /** A call can wait for a condition and then for its lock. */
  private boolean isOf(ArcKind kind) {
    return waitKind == Kind.ACQUIRE ? kind == ArcKind.LOCK
        : waitKind != Kind.WAKE || kind != ArcKind.LOCK;
  }

  @Override
  public void began(ThreadRecord begun, long createdNs, long cause) {
    // No message.
  }

  @Override
  public void left(ThreadRecord leaving, long key, long sequence, int size, int detail, int path,
      long beginNs, long endNs) {
    // Nobody in particular sent it.
  }
}
