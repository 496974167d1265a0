package org.parallax.analysis.replay;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * A random parallel program, simulated: it writes the trace that the program would leave and, from
 * the definition of the activity graph, keeps the length of the longest path to where each thread
 * is. Messages are matched the way an MPI library does it, when they are sent or received; so the
 * analysis, which sees only the trace, is checked against something that knows more.
 */
public final class RandomProgram {
  private static final int WORLD = 1;

  /** A thread of the simulated program. */
  static final class Actor {
    final int rank;
    TracedThread thread;
    long now;
    long cpuLength;
    long wallLength;
    final Deque<Receive> completable = new ArrayDeque<>();
    /** Nanoseconds lost by the kind of wait. */
    final Map<WaitState, Long> lost = new EnumMap<>(WaitState.class);

    Actor(int rank, TracedThread thread) {
      this.rank = rank;
      this.thread = thread;
    }

    Actor(TracedThread thread, long beginNs, long cpuLength, long wallLength) {
      this(-1, thread);
      now = beginNs;
      this.cpuLength = cpuLength;
      this.wallLength = wallLength;
    }

    void lose(WaitState state, long ns) {
      if (ns > 0) {
        lost.merge(state, ns, Long::sum);
      }
    }

    void work(long ns, long lost) {
      now += ns;
      wallLength += ns;
      cpuLength += ns - lost;
    }
  }

  private record Message(int from, int tag, long sentNs, long cpuLength, long wallLength) {}

  private static final class Receive {
    final int source;
    final int tag;
    final long request;
    Message message;

    Receive(int source, int tag, long request) {
      this.source = source;
      this.tag = tag;
      this.request = request;
    }

    boolean accepts(Message candidate) {
      return (source == Kind.ANY_SOURCE || source == candidate.from)
          && (tag == Kind.ANY_TAG || tag == candidate.tag);
    }
  }

  private final Random random;
  private final TraceBuilder trace;
  private final List<Actor> actors = new ArrayList<>();
  private final List<List<Receive>> posted = new ArrayList<>();
  private final List<List<Message>> unexpected = new ArrayList<>();
  private final RandomProcesses processes;
  private final RandomWindows windows;
  private long requests;
  /** Messages that were sent. */
  public int messages;
  /** Collectives that waited for a rank whose data they did not receive. */
  public int arrivals;
  /** Sends that waited for their receivers. */
  public int late;

  /** Makes the program of a seed: so many ranks, which do so many steps together. */
  public RandomProgram(long seed, Path directory, int ranks, int steps) {
    this(seed, directory, ranks, steps, Map.of());
  }

  /** @param clocks what the clock of a machine, node0 or node1, shows instead of the time */
  RandomProgram(long seed, Path directory, int ranks, int steps, Map<String, LongUnaryOperator> clocks) {
    random = new Random(seed);
    trace = new TraceBuilder(directory);
    clocks.forEach(trace::clock);
    trace.blockSlots(24 + random.nextInt(200));
    for (int rank = 0; rank < ranks; rank++) {
      TracedProcess process = trace.process("node" + rank % 2, "/opt/random").mpi(7, rank, ranks);
      actors.add(new Actor(rank, process.thread(0)));
      posted.add(new ArrayList<>());
      unexpected.add(new ArrayList<>());
    }
    processes = new RandomProcesses(random, trace, actors);
    windows = new RandomWindows(new Random(~seed), actors, this::work);
    for (Actor actor : actors) {
      actor.thread.threadBegin(0, -1).enter(0, "main");
    }
    for (int step = 0; step < steps; step++) {
      if (random.nextInt(3) == 0) {
        processes.step();
      } else {
        step(actors.get(random.nextInt(ranks)));
      }
      windows.maybeStep();
    }
    processes.finish();
    for (Actor actor : actors) {
      while (complete(actor)) {
        // A program completes what it posts.
      }
      work(actor);
      actor.thread.leave(actor.now);
    }
  }

  /** How often a thread got past a wait of each kind that is not MPI's. */
  public RandomProcesses processes() {
    return processes;
  }

  /** Writes the trace and returns its directory. */
  public Path write() {
    return trace.write();
  }

  /** @return nanoseconds that all threads lost, by the kind of wait */
  public Map<WaitState, Long> lost() {
    Map<WaitState, Long> all = new EnumMap<>(WaitState.class);
    Stream.concat(actors.stream(), processes.children().stream())
        .forEach(actor -> actor.lost.forEach((state, ns) -> all.merge(state, ns, Long::sum)));
    return all;
  }

  /** @return the length of the longest path, in nanoseconds */
  public long longest(Weight weight) {
    return Stream.concat(actors.stream(), processes.children().stream())
        .mapToLong(a -> weight == Weight.CPU ? a.cpuLength : a.wallLength).max().orElse(0);
  }

  private void step(Actor actor) {
    switch (random.nextInt(12)) {
      case 0, 1 -> work(actor);
      case 2, 3 -> send(actor);
      case 4, 5 -> post(actor);
      case 6, 7 -> complete(actor);
      case 8 -> completeSeveral(actor);
      case 9 -> receive(actor);
      case 10 -> {
        if (random.nextInt(4) == 0) {
          collective();
        }
      }
      default -> {
        if (random.nextInt(3) > 0) {
          compute(actor);
        } else {
          rendezvous(actor);
        }
      }
    }
  }

  private void work(Actor actor) {
    long ns = random.nextInt(1_000);
    actor.work(ns, 0);
    if (random.nextBoolean()) {
      actor.thread.sample(actor.now, "main/work" + random.nextInt(3));
    }
    long more = random.nextInt(500);
    if (random.nextInt(3) == 0) {
      long lost = more == 0 ? 0 : random.nextInt((int) more);
      actor.work(more, lost);
      if (lost % 3 == 0) {
        actor.thread.lost(actor.now, lost);
      } else {
        actor.thread.lost(actor.now, lost, lost / 2);
      }
    }
  }

  /** Work in a call of its own, with another inside. */
  private void compute(Actor actor) {
    actor.thread.enter(actor.now, "main/compute");
    work(actor);
    actor.thread.enter(actor.now, "main/compute/inner");
    work(actor);
    actor.thread.leave(actor.now);
    actor.thread.leave(actor.now);
    work(actor);
  }

  private void send(Actor actor) {
    int to = random.nextInt(actors.size());
    if (to == actor.rank) {
      return;
    }
    int tag = random.nextInt(3);
    messages++;
    long begin = actor.now;
    Message message = new Message(actor.rank, tag, begin, actor.cpuLength, actor.wallLength);
    long duration = random.nextInt(50);
    if (random.nextBoolean()) {
      actor.thread.send(begin, begin + duration, "main/MPI_Send", WORLD, to, tag, 100);
    } else {
      actor.thread.isend(begin, begin + duration, "main/MPI_Isend", WORLD, to, tag, 100, ++requests);
    }
    actor.work(duration, 0);
    for (Receive receive : posted.get(to)) {
      if (receive.accepts(message)) {
        receive.message = message;
        posted.get(to).remove(receive);
        return;
      }
    }
    unexpected.get(to).add(message);
  }

  private boolean match(int rank, Receive receive) {
    for (Message message : unexpected.get(rank)) {
      if (receive.accepts(message)) {
        receive.message = message;
        unexpected.get(rank).remove(message);
        return true;
      }
    }
    return false;
  }

  private void post(Actor actor) {
    int source = random.nextInt(3) == 0 ? Kind.ANY_SOURCE : random.nextInt(actors.size());
    int tag = random.nextInt(3) == 0 ? Kind.ANY_TAG : random.nextInt(3);
    Receive receive = new Receive(source, tag, ++requests);
    actor.thread.irecv(actor.now, actor.now + 5, "main/MPI_Irecv", WORLD, source, tag,
        receive.request);
    actor.work(5, 0);
    if (!match(actor.rank, receive)) {
      posted.get(actor.rank).add(receive);
    }
    actor.completable.add(receive);
  }

  private boolean complete(Actor actor) {
    List<Receive> ready = actor.completable.stream().filter(r -> r.message != null).toList();
    if (ready.isEmpty()) {
      return false;
    }
    Receive receive = ready.get(random.nextInt(ready.size()));
    actor.completable.remove(receive);
    long begin = actor.now;
    boolean waits = receive.message.sentNs > begin;
    long end = endOfWait(actor, List.of(receive.message));
    actor.thread.enter(begin, "main/MPI_Wait");
    if (random.nextBoolean() && end > begin) {
      // What it lost of the processor counts only if it did not wait.
      long lost = random.nextInt((int) (end - begin));
      actor.thread.lost(end, lost);
      actor.cpuLength -= waits ? 0 : lost;
    }
    actor.thread.event(end, Kind.RECEIVE, WORLD,
        (long) receive.message.from << 32 | receive.message.tag, 100, receive.request).leave(end);
    return true;
  }

  private void completeSeveral(Actor actor) {
    List<Receive> ready = new ArrayList<>(
        actor.completable.stream().filter(r -> r.message != null).toList());
    Collections.shuffle(ready, random);
    if (ready.isEmpty()) {
      return;
    }
    actor.completable.removeAll(ready);
    long begin = actor.now;
    long end = endOfWait(actor, ready.stream().map(r -> r.message).toList());
    actor.thread.enter(begin, "main/MPI_Waitall");
    for (Receive receive : ready) {
      actor.thread.event(end, Kind.RECEIVE, WORLD,
          (long) receive.message.from << 32 | receive.message.tag, 100, receive.request);
    }
    actor.thread.leave(end);
  }

  private void receive(Actor actor) {
    Receive receive = new Receive(
        random.nextBoolean() ? Kind.ANY_SOURCE : random.nextInt(actors.size()),
        random.nextBoolean() ? Kind.ANY_TAG : random.nextInt(3), 0);
    if (match(actor.rank, receive)) {
      long begin = actor.now;
      long end = endOfWait(actor, List.of(receive.message));
      actor.thread.receive(begin, end, "main/MPI_Recv", WORLD, receive.message.from,
          receive.message.tag, 100);
    }
  }

  /** The rule of the graph for a call that waits for messages: see {@link ThreadReplay}. */
  private long endOfWait(Actor actor, List<Message> needed) {
    long latest = actor.now;
    for (Message message : needed) {
      latest = Math.max(latest, message.sentNs);
      actor.cpuLength = Math.max(actor.cpuLength, message.cpuLength);
      actor.wallLength = Math.max(actor.wallLength, message.wallLength);
    }
    long rest = random.nextInt(40);
    actor.lose(WaitState.LATE_SENDER, latest - actor.now);
    actor.now = latest + rest;
    actor.cpuLength += rest;
    actor.wallLength += rest;
    return actor.now;
  }

  /** A blocking send that may have to wait for its receiver. */
  private void rendezvous(Actor sender) {
    Actor receiver = actors.get(random.nextInt(actors.size()));
    int tag = 9;
    Message message =
        new Message(sender.rank, tag, sender.now, sender.cpuLength, sender.wallLength);
    if (receiver == sender
        || posted.get(receiver.rank).stream().anyMatch(receive -> receive.accepts(message))) {
      return;
    }
    if (random.nextBoolean()) {
      receiver.work(random.nextInt(40_000), 0);
    }
    messages++;
    long sendNs = sender.now;
    long receiveNs = receiver.now;
    long receiverCpu = receiver.cpuLength;
    long receiverWall = receiver.wallLength;
    long received = endOfWait(receiver, List.of(message));
    long sent = Math.max(sendNs, receiveNs) + random.nextInt(60);
    sender.thread.send(sendNs, sent, "main/MPI_Send", WORLD, receiver.rank, tag, 100);
    receiver.thread.receive(receiveNs, received, "main/MPI_Recv", WORLD, sender.rank, tag,
        100);
    boolean waited = sent - sendNs >= ThreadReplay.LONG_SEND_NS
        && receiveNs > sendNs && receiveNs < sent;
    if (waited) {
      late++;
      sender.lose(WaitState.LATE_RECEIVER, receiveNs - sendNs);
      sender.cpuLength = Math.max(sender.cpuLength, receiverCpu) + sent - receiveNs;
      sender.wallLength = Math.max(sender.wallLength, receiverWall) + sent - receiveNs;
      sender.now = sent;
    } else {
      sender.work(sent - sendNs, 0);
    }
  }

  private void collective() {
    Collective[] ops = {Collective.BARRIER, Collective.ALLREDUCE, Collective.BCAST,
        Collective.REDUCE, Collective.SCAN, Collective.ALLTOALLV, Collective.NEIGHBOR_ALLTOALL};
    Collective op = ops[random.nextInt(ops.length)];
    int size = actors.size();
    int root = random.nextInt(size);
    long bytes = random.nextInt(4) == 0 ? 0 : 8;
    long[] begins = actors.stream().mapToLong(a -> a.now).toArray();
    long[] cpus = actors.stream().mapToLong(a -> a.cpuLength).toArray();
    long[] walls = actors.stream().mapToLong(a -> a.wallLength).toArray();
    for (Actor actor : actors) {
      BitSet needed = new BitSet();
      long[] providers = {};
      switch (op) {
        case BCAST -> needed.set(root);
        case REDUCE -> needed.set(0, actor.rank == root ? size : 0);
        case SCAN -> needed.set(0, actor.rank);
        case ALLTOALLV, NEIGHBOR_ALLTOALL -> {
          for (int rank = 0; rank < size; rank++) {
            needed.set(rank, random.nextBoolean());
          }
          providers = providers(needed, random.nextInt(5) == 0 ? 3 : 1 + random.nextInt(2));
          if (providers[0] == 3) {
            needed.clear();
          }
        }
        default -> needed.set(0, size);
      }
      if (bytes == 0 && op != Collective.BARRIER) {
        needed.clear();
      }
      long latest = actor.now;
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        latest = Math.max(latest, begins[i]);
        actor.cpuLength = Math.max(actor.cpuLength, cpus[i]);
        actor.wallLength = Math.max(actor.wallLength, walls[i]);
      }
      long end = latest + random.nextInt(random.nextInt(3) == 0 ? 60_000 : 60);
      boolean isAll = needed.cardinality() == size && providers.length == 0;
      int last = isAll ? -1 : lastArrival(begins, latest, end, 2 * bytes);
      if (last >= 0) {
        latest = begins[last];
        actor.cpuLength = Math.max(actor.cpuLength, cpus[last]);
        actor.wallLength = Math.max(actor.wallLength, walls[last]);
        arrivals++;
      }
      long begin = actor.now;
      actor.lose(switch (op) {
        case BARRIER -> WaitState.WAIT_AT_BARRIER;
        case BCAST -> WaitState.LATE_BROADCAST;
        case REDUCE -> WaitState.EARLY_REDUCE;
        case SCAN -> WaitState.EARLY_SCAN;
        default -> WaitState.WAIT_AT_NXN;
      }, latest - begin);
      actor.now = end;
      actor.cpuLength += end - latest;
      actor.wallLength += end - latest;
      boolean rooted = op == Collective.BCAST || op == Collective.REDUCE;
      actor.thread.collective(begin, end, "main/MPI_" + op.mpiName(), WORLD, op,
          rooted ? root : Kind.NO_ROOT, bytes, bytes, providers);
    }
  }

  /** The rank for whose arrival the library may have let a call wait, by the rule of the graph; else -1. */
  private static int lastArrival(long[] begins, long explainedNs, long endNs, long bytes) {
    if (endNs - explainedNs < ThreadReplay.LONG_SEND_NS + bytes) {
      return -1;
    }
    int last = -1;
    for (int rank = 0; rank < begins.length; rank++) {
      boolean isLater = last < 0 || begins[rank] >= begins[last];
      if (begins[rank] > explainedNs && begins[rank] <= endNs && isLater) {
        last = rank;
      }
    }
    return last >= 0 && endNs - begins[last] <= begins[last] - explainedNs ? last : -1;
  }

  /** The slots of a collective that say whose data is received: in runs, in bits, or that it is not known. */
  private static long[] providers(BitSet ranks, int form) {
    if (form == 1) {
      return LongStream.concat(LongStream.of(form), ranks.stream().mapToLong(rank -> (long) rank << 31 | 1))
          .toArray();
    }
    return form == 2 ? new long[] {form, ranks.isEmpty() ? 0 : ranks.toLongArray()[0]} : new long[] {form};
  }
}
