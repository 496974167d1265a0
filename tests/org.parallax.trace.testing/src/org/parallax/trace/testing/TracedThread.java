package org.parallax.trace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Collective;
import org.parallax.trace.KeptState;
import org.parallax.trace.Kind;

/**
 * A thread of a {@link TracedProcess}. Events are written in the order of the calls, whose times
 * must not decrease. CPU time is wall time less what {@link #lost} takes away.
 */
public final class TracedThread {
  static final int MAX_BLOCK_SLOTS = 8184;
  private static final int BLOCK_BYTES = 65536;
  private static final int HEADER_BYTES = 64;
  private static final int AT_KEPT_FROM = 56;
  private static final int ESCAPE = 0xFFFFF;
  private static final int TIME_BITS = 37;

  private final TraceBuilder trace;
  private final TracedProcess process;
  private final int number;
  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES)
      .order(ByteOrder.LITTLE_ENDIAN);
  private final Deque<Integer> open = new ArrayDeque<>();
  private long blockNumber;
  private long baseTicks;
  private boolean begun;
  private boolean hasEnded;
  private long lostNs;
  private int lostEvents;
  private int firstKept;
  private long lastNs;

  TracedThread(TraceBuilder trace, TracedProcess process, int number, Path file) {
    this.trace = trace;
    this.process = process;
    this.number = number;
    this.file = file;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file that holds the events. */
  public Path file() {
    return file;
  }

  /** The process of this thread. */
  public TracedProcess process() {
    return process;
  }

  // ---- single events

  /** An event of any kind with any payload. */
  public TracedThread event(long trueNs, int kind, int operand, long... payload) {
    long ns = trace.shownNs(process.host(), trueNs);
    boolean escaped = operand < 0 || operand >= ESCAPE;
    int slots = 1 + (escaped ? 1 : 0) + payload.length;
    long ticks = trace.ticks(ns);
    if (begun && (usedSlots() + slots > trace.blockSlots()
        || ticks - baseTicks >= 1L << TIME_BITS)) {
      close();
    }
    if (!begun) {
      begin(ns);
    }
    block.putLong((long) kind << 57 | (long) (escaped ? ESCAPE : operand) << TIME_BITS
        | (ticks - baseTicks));
    if (escaped) {
      payloadSlot(operand & 0xffffffffL);
    }
    for (long value : payload) {
      payloadSlot(value);
    }
    lastNs = ns;
    return this;
  }

  private void payloadSlot(long value) {
    block.putLong(value | Long.MIN_VALUE);
  }

  /** A routine begins, known by its call path as {@link TracedProcess#path} takes it. */
  public TracedThread enter(long ns, String path) {
    return enter(ns, process.path(path));
  }

  public TracedThread enter(long ns, int path) {
    event(ns, Kind.ENTER, path);
    open.push(path);
    return this;
  }

  /** The routine that began last ends. */
  public TracedThread leave(long ns) {
    event(ns, Kind.LEAVE, open.peek());
    open.pop();
    return this;
  }

  /** Leaves all routines down to and with this path, as {@code longjmp} does. */
  public TracedThread leaveTo(long ns, int path) {
    event(ns, Kind.LEAVE, path);
    while (open.pop() != path) {
      // Left together with the one below it.
    }
    return this;
  }

  public TracedThread sample(long ns, String path) {
    return event(ns, Kind.SAMPLE, process.path(path));
  }

  /** The thread lost the processor for so long since the event before. */
  public TracedThread lost(long ns, long lost) {
    lostNs += lost;
    return event(ns, Kind.CPU, 0, ns - lostNs, lost);
  }

  /**
   * The same, and tells more of all losses since the event that told so before.
   *
   * @param runnable how long the thread could have run in them; {@code 1L << 62} if that is not known
   */
  public TracedThread lost(long ns, long lost, long runnable) {
    lostNs += lost;
    return event(ns, Kind.CPU, 0, ns - lostNs, lost, runnable);
  }

  public TracedThread threadBegin(long ns, int creator) {
    return event(ns, Kind.THREAD_BEGIN, 0, creator + 1);
  }

  public TracedThread threadEnd(long ns) {
    event(ns, Kind.THREAD_END, 0);
    hasEnded = true;
    return this;
  }

  /** The next block says that so many events were lost before it. */
  public TracedThread lostEvents(int count) {
    if (begun) {
      close();
    }
    lostEvents = count;
    return this;
  }

  /**
   * The blocks before the one that begins here are not kept. It begins with what they leave, which is told by
   * {@link #kept}; the time before is a call of this routine.
   */
  public TracedThread keptFrom(long ns, String routine) {
    if (begun) {
      close();
    }
    firstKept = (int) blockNumber;
    return event(ns, Kind.KEPT_STATE, process.path(0, CallPaths.REGION, process.region(routine)));
  }

  /** A part of what the blocks that are not kept leave, see {@link KeptState.What}. */
  public TracedThread kept(long ns, KeptState.What what, int operand, long... values) {
    long[] payload = new long[1 + values.length];
    payload[0] = what.ordinal();
    System.arraycopy(values, 0, payload, 1, values.length);
    return event(ns, Kind.KEPT, operand, payload);
  }

  // ---- calls: Enter, the event that matters, Leave

  /** A blocking send. */
  public TracedThread send(long beginNs, long endNs, String path, int communicator, int peer,
      int tag, long bytes) {
    return enter(beginNs, path)
        .event(beginNs, Kind.SEND, communicator, peerAndTag(peer, tag), bytes).leave(endNs);
  }

  /** A blocking receive. */
  public TracedThread receive(long beginNs, long endNs, String path, int communicator, int peer,
      int tag, long bytes) {
    return enter(beginNs, path)
        .event(endNs, Kind.RECEIVE, communicator, peerAndTag(peer, tag), bytes).leave(endNs);
  }

  /** A non-blocking send. */
  public TracedThread isend(long beginNs, long endNs, String path, int communicator, int peer,
      int tag, long bytes, long request) {
    return enter(beginNs, path)
        .event(beginNs, Kind.SEND, communicator, peerAndTag(peer, tag), bytes, request)
        .leave(endNs);
  }

  /** A non-blocking receive is posted; use {@link Kind#ANY_SOURCE} and ANY_TAG for wildcards. */
  public TracedThread irecv(long beginNs, long endNs, String path, int communicator, int peer,
      int tag, long request) {
    return enter(beginNs, path)
        .event(beginNs, Kind.RECEIVE_POST, communicator, peerAndTag(peer, tag), request)
        .leave(endNs);
  }

  /** A call such as MPI_Wait completes a receive. */
  public TracedThread waitReceive(long beginNs, long endNs, String path, int communicator,
      int peer, int tag, long bytes, long request) {
    return enter(beginNs, path)
        .event(endNs, Kind.RECEIVE, communicator, peerAndTag(peer, tag), bytes, request)
        .leave(endNs);
  }

  /** A call such as MPI_Wait completes a send. */
  public TracedThread waitSend(long beginNs, long endNs, String path, long request) {
    return enter(beginNs, path).event(endNs, Kind.REQUEST_DONE, 0, request).leave(endNs);
  }

  /**
   * A blocking collective; sequences are counted for each process and communicator.
   *
   * @param providers the slots that say whose data it receives, if it is not that of all
   */
  public TracedThread collective(long beginNs, long endNs, String path, int communicator,
      Collective op, int root, long sentBytes, long receivedBytes, long... providers) {
    return enter(beginNs, path).event(endNs, Kind.COLLECTIVE, communicator, with(providers, opAndRoot(op, root),
        sentBytes, receivedBytes, process.nextSequence(communicator))).leave(endNs);
  }

  private static long[] with(long[] providers, long... payload) {
    long[] all = Arrays.copyOf(payload, payload.length + providers.length);
    System.arraycopy(providers, 0, all, payload.length, providers.length);
    return all;
  }

  /** A non-blocking collective is posted; returns its sequence for {@link #waitCollective}. */
  public long icollective(long beginNs, long endNs, String path, int communicator, Collective op,
      int root, long sentBytes, long receivedBytes, long... providers) {
    long sequence = process.nextSequence(communicator);
    enter(beginNs, path).event(beginNs, Kind.COLLECTIVE_POST, communicator, with(providers, opAndRoot(op, root),
        sentBytes, receivedBytes, sequence)).leave(endNs);
    return sequence;
  }

  /** A call such as MPI_Wait completes a collective. */
  public TracedThread waitCollective(long beginNs, long endNs, String path, int communicator,
      Collective op, int root, long sentBytes, long receivedBytes, long sequence) {
    return enter(beginNs, path).event(endNs, Kind.COLLECTIVE, communicator, opAndRoot(op, root),
        sentBytes, receivedBytes, sequence).leave(endNs);
  }

  /** A lock is taken; it was not free at first when {@code endNs} is later than {@code beginNs}. */
  public TracedThread acquire(long beginNs, long endNs, String path, int object, long sequence) {
    boolean waited = endNs > beginNs;
    if (waited) {
      enter(beginNs, path);
    }
    event(endNs, Kind.ACQUIRE, object, sequence << 1 | (waited ? 1 : 0));
    return waited ? leave(endNs) : this;
  }

  public TracedThread release(long ns, int object, long sequence) {
    return event(ns, Kind.RELEASE, object, sequence);
  }

  public TracedThread signal(long ns, int object, long sequence) {
    return event(ns, Kind.SIGNAL, object, sequence);
  }

  /** A wait for a condition. */
  public TracedThread awaitSignal(long beginNs, long endNs, String path, int object,
      long sequence) {
    return enter(beginNs, path).event(endNs, Kind.WAKE, object, sequence).leave(endNs);
  }

  /** A wait at a barrier of threads. */
  public TracedThread barrier(long beginNs, long endNs, String path, int object, long generation,
      int participants) {
    return enter(beginNs, path).event(endNs, Kind.BARRIER, object, generation, participants)
        .leave(endNs);
  }

  public TracedThread create(long beginNs, long endNs, String path, int thread) {
    return enter(beginNs, path).event(beginNs, Kind.THREAD_CREATE, 0, thread).leave(endNs);
  }

  public TracedThread join(long beginNs, long endNs, String path, int thread) {
    return enter(beginNs, path).event(endNs, Kind.THREAD_JOIN, 0, thread).leave(endNs);
  }

  /** Bytes are given to a stream; the event stands at the end of the call. */
  public TracedThread write(long beginNs, long endNs, String path, int stream, long offset,
      long bytes) {
    return enter(beginNs, path).event(endNs, Kind.STREAM_SEND, stream, offset, bytes).leave(endNs);
  }

  /** Bytes are taken from a stream. */
  public TracedThread read(long beginNs, long endNs, String path, int stream, long offset,
      long bytes) {
    return enter(beginNs, path).event(endNs, Kind.STREAM_RECEIVE, stream, offset, bytes)
        .leave(endNs);
  }

  /** A process is created: its pid or task id, and how (0 fork, 1 vfork, 2 spawn, 3 PVM, 4 MPI). */
  public TracedThread createProcess(long beginNs, long endNs, String path, long id, int how) {
    return enter(beginNs, path).event(endNs, Kind.PROCESS_CREATE, 0, id, how).leave(endNs);
  }

  /** The end of a process is waited for. */
  public TracedThread waitProcess(long beginNs, long endNs, String path, long id, int how) {
    return enter(beginNs, path).event(endNs, Kind.PROCESS_WAIT, 0, id, how, 0).leave(endNs);
  }

  private static long peerAndTag(int peer, int tag) {
    return (long) peer << 32 | tag & 0xffffffffL;
  }

  private static long opAndRoot(Collective op, int root) {
    return (long) op.op() << 31 | root;
  }

  // ---- blocks

  private int usedSlots() {
    return (block.position() - HEADER_BYTES) / 8;
  }

  private void begin(long ns) {
    begun = true;
    baseTicks = trace.ticks(ns);
    block.clear();
    block.put(new byte[BLOCK_BYTES]).clear();
    block.putInt(0x424B4C50).putShort((short) 1).putShort((short) 0).putInt(number).putInt(0)
        .putLong(baseTicks).putLong(blockNumber).putLong(TraceBuilder.BASE_MONOTONIC_NS + ns)
        .putLong(ns - lostNs).putInt(lostEvents).putInt(open.isEmpty() ? 0 : open.peek())
        .putInt(0).putInt(0);
    lostEvents = 0;
  }

  /** Closes the block; blocks before the last take their full size in the file. */
  private void close() {
    int used = usedSlots();
    block.putShort(6, (short) 1).putInt(12, used);
    CRC32C crc = new CRC32C();
    crc.update(block.duplicate().position(0).limit(HEADER_BYTES + used * 8));
    block.putInt(60, (int) crc.getValue());
    write(HEADER_BYTES + used * 8);
    blockNumber++;
    begun = false;
  }

  private void write(int bytes) {
    write(blockNumber * BLOCK_BYTES, block.duplicate().position(0).limit(bytes));
  }

  private void write(long offset, ByteBuffer source) {
    try {
      long at = offset;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void endIfBegun() {
    if (begun && !hasEnded) {
      threadEnd(lastNs);
    }
  }

  /** Writes the last block; a second time does nothing. */
  void finish() throws IOException {
    if (!channel.isOpen()) {
      return;
    }
    if (begun && process.isKilled()) {
      write(BLOCK_BYTES);
      block.clear();
      block.put(new byte[BLOCK_BYTES]);
      for (int reserved = 0; reserved < 3; reserved++) {
        blockNumber++;
        write(BLOCK_BYTES);
      }
    } else if (begun && hasEnded) {
      close();
    } else if (begun) {
      write(HEADER_BYTES + usedSlots() * 8);  // it runs when the process ends
    }
    if (firstKept > 0) {
      write(AT_KEPT_FROM, ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(firstKept).flip());
      write(BLOCK_BYTES, ByteBuffer.allocate((firstKept - 1) * BLOCK_BYTES));
    }
    channel.close();
  }

  long lastNs() {
    return lastNs;
  }
}
