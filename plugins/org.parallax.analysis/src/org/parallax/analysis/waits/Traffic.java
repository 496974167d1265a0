package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.internal.KeyMap;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitListener;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.replay.WindowWait;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * What threads send each other: messages, the bytes of pipes and connections, and those of one-sided
 * communication, from each thread to each other, with the time that they are under way and that threads wait for them.
 *
 * <p>A message is one that a receive has completed; of a stream, each call that took bytes is one,
 * from the thread that gave the last of them. What has no sender or no receiver in the replay is
 * left to {@link #warnings}.
 *
 * <p>Cost: a replay, and constant time for each message. Memory: that of the replay, and 100 bytes
 * for each pair of threads that communicate.
 */
public final class Traffic {
  /** All that went from one thread to another in one way. */
  public static final class Flow {
    private final int from;
    private final int to;
    private final ArcKind kind;
    private long messages;
    private long bytes;
    private long timeNs;
    private long shortestNs = Long.MAX_VALUE;
    private long early;
    private long receiverWaitNs;
    private long senderWaitNs;

    private Flow(int from, int to, ArcKind kind) {
      this.from = from;
      this.to = to;
      this.kind = kind;
    }

    /** @return index in {@link Traffic#threads} of who sent */
    public int from() {
      return from;
    }

    /** @return index in {@link Traffic#threads} of who received */
    public int to() {
      return to;
    }

    /** @return MESSAGE, STREAM or WINDOW */
    public ArcKind kind() {
      return kind;
    }

    public long messages() {
      return messages;
    }

    public long bytes() {
      return bytes;
    }

    /** @return of how many messages it is known how long they took: all but those of one-sided communication */
    public long timedMessages() {
      return kind == ArcKind.WINDOW ? 0 : messages;
    }

    /** @return from the begin of each send to the end of its receive, added up */
    public long timeNs() {
      return timeNs;
    }

    /**
     * @return the time of the message that took least; negative if clocks differ by more than it
     *     took. {@link Long#MAX_VALUE} where no time is known
     */
    public long shortestNs() {
      return shortestNs;
    }

    /** @return how many seem to have been received before they were sent */
    public long early() {
      return early;
    }

    /** @return how long the receiver waited for the sender */
    public long receiverWaitNs() {
      return receiverWaitNs;
    }

    /** @return how long the sender waited for the receiver */
    public long senderWaitNs() {
      return senderWaitNs;
    }
  }

  /** Sums what the replay tells, within a window. */
  private static final class Collector implements WaitListener {
    private final Window window;
    private final KeyMap numbers = new KeyMap();
    private final List<Flow> flows = new ArrayList<>();

    Collector(Window window) {
      this.window = window;
    }

    private Flow flow(int from, int to, ArcKind kind) {
      long key = (long) from << Integer.SIZE | to;
      int number = numbers.get(key, kind.ordinal());
      if (number < 0) {
        number = flows.size();
        numbers.add(key, kind.ordinal(), number);
        flows.add(new Flow(from, to, kind));
      }
      return flows.get(number);
    }

    @Override
    public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs,
        long receivedNs, long from) {
      if (window.contains(receivedNs)) {
        Flow flow = flow(Reference.thread(from), thread.index(), kind);
        long tookNs = receivedNs - sentNs;
        flow.messages++;
        flow.bytes += bytes;
        flow.timeNs += tookNs;
        flow.shortestNs = Math.min(flow.shortestNs, tookNs);
        if (tookNs < 0) {
          flow.early++;
        }
      }
    }

    @Override
    public void transferred(ThreadRecord origin, int from, int to, long bytes, long timeNs) {
      if (window.contains(timeNs)) {
        Flow flow = flow(from, to, ArcKind.WINDOW);
        flow.messages++;
        flow.bytes += bytes;
      }
    }

    @Override
    public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs,
        long untilNs, long cause) {
      long ns = window.overlapNs(beginNs, untilNs);
      if (ns > 0) {
        switch (kind) {
          case MESSAGE, STREAM ->
              flow(Reference.thread(cause), thread.index(), kind).receiverWaitNs += ns;
          case RENDEZVOUS ->
              flow(thread.index(), Reference.thread(cause), ArcKind.MESSAGE).senderWaitNs += ns;
          case WINDOW -> addWindow(thread.index(), Reference.thread(cause), WindowWait.of(detail), ns);
          case ROOM ->
              flow(thread.index(), Reference.thread(cause), ArcKind.STREAM).senderWaitNs += ns;
          default -> { }
        }
      }
    }

    private void addWindow(int waiting, int other, WindowWait wait, long ns) {
      if (wait == WindowWait.OPERATION || wait == WindowWait.COMPLETE) {
        flow(other, waiting, ArcKind.WINDOW).receiverWaitNs += ns;
      } else if (wait != WindowWait.LOCK) {
        flow(waiting, other, ArcKind.WINDOW).senderWaitNs += ns;
      }
    }

    @Override
    public void began(ThreadRecord thread, long createdNs, long cause) {
      // No message.
    }

    @Override
    public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path,
        long beginNs, long endNs) {
      // Nobody in particular sent it.
    }
  }

  private final Replay replay;
  private final List<Flow> flows;

  private Traffic(Replay replay, List<Flow> flows) {
    this.replay = replay;
    this.flows = List.copyOf(flows);
  }

  /**
   * Finds what the threads of some processes, taken for one application, send each other.
   *
   * @param window in which a message was received, to count, and out of which no wait counts
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static Traffic of(List<ProcessTrace> processes, Window window, Progress progress) {
    Collector collector = new Collector(window);
    Replay replay = Replay.of(
        processes, new ReplaySetup(Weight.WALL, window, null), progress, collector);
    return new Traffic(replay, collector.flows);
  }

  /** @return the replayed threads */
  public List<ThreadRecord> threads() {
    return replay.threads();
  }

  /** @return a flow for each pair of threads and way that was used */
  public List<Flow> flows() {
    return flows;
  }

  /** @return what a person must know of how far messages are known */
  public List<String> warnings() {
    return replay.warnings();
  }
}
