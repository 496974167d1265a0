package org.parallax.analysis.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.parallax.analysis.replay.RandomProgram.Actor;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/**
 * The part of a {@link RandomProgram} that is not MPI: processes that it creates, which replace
 * themselves by exec and are waited for; pipes and signals between processes; locks and semaphores
 * that the processes of a host share.
 */
public final class RandomProcesses {
  private static final int MUTEX = 1;
  private static final int READ_WRITE_LOCK = 4;
  private static final int SEMAPHORE = 6;
  private static final int SIGNAL = 9;

  /** A moment in a thread, with the longest paths to it. */
  private record Moment(long ns, long cpuLength, long wallLength) {
    static Moment of(Actor actor) {
      return new Moment(actor.now, actor.cpuLength, actor.wallLength);
    }
  }

  /** What the processes of a host share. */
  private final class Host {
    final String name;
    long mutexReleases;
    Moment mutexReleased = new Moment(0, 0, 0);
    long lockReleases;
    Moment lockReleased = new Moment(0, 0, 0);
    long posts;
    long taken;
    final Deque<Moment> tokens = new ArrayDeque<>();

    Host(String name) {
      this.name = name;
    }
  }

  private static final class Pipe {
    final long key;
    final Actor from;
    final Actor to;
    /** End offset, and where the write of the bytes before it began. */
    final Deque<Map.Entry<Long, Moment>> written = new ArrayDeque<>();
    long writtenBytes;
    long readBytes;
    int fromId;
    int toId;

    Pipe(long key, Actor from, Actor to) {
      this.key = key;
      this.from = from;
      this.to = to;
    }
  }

  /** The signals to a process. */
  private static final class Inbox {
    final long key;
    long sent;
    long taken;
    final Deque<Moment> pending = new ArrayDeque<>();

    Inbox(long key) {
      this.key = key;
    }
  }

  private record Child(Actor parent, Actor actor, int pid) {}

  private final Random random;
  private final TraceBuilder trace;
  private final List<Actor> ranks;
  private final List<Child> running = new ArrayList<>();
  private final List<Actor> children = new ArrayList<>();
  private final Map<String, Host> hosts = new java.util.HashMap<>();
  private final Map<TracedProcess, int[]> objects = new java.util.HashMap<>();
  private final List<Pipe> pipes = new ArrayList<>();
  private final Map<Actor, Inbox> inboxes = new java.util.HashMap<>();
  private final Map<TracedProcess, Map<Long, Integer>> inboxIds = new java.util.HashMap<>();
  private final Map<ArcKind, Integer> waits = new EnumMap<>(ArcKind.class);

  RandomProcesses(Random random, TraceBuilder trace, List<Actor> ranks) {
    this.random = random;
    this.trace = trace;
    this.ranks = ranks;
  }

  List<Actor> children() {
    return children;
  }

  /** How often a thread got past a wait of a kind. */
  public Map<ArcKind, Integer> waits() {
    return waits;
  }

  void step() {
    Actor actor = random.nextInt(3) == 0 && !running.isEmpty()
        ? running.get(random.nextInt(running.size())).actor
        : ranks.get(random.nextInt(ranks.size()));
    switch (random.nextInt(13)) {
      case 0 -> spawn(actor);
      case 1 -> exec();
      case 2 -> reap();
      case 3, 4 -> mutex(actor);
      case 5 -> readWriteLock(actor);
      case 6 -> post(actor);
      case 7 -> await(actor);
      case 8 -> write(actor);
      case 9 -> read();
      case 10 -> sendSignal(actor);
      case 11 -> takeSignal();
      default -> blockedWrite();
    }
  }

  void finish() {
    for (Child child : running) {
      child.actor.work(random.nextInt(50), 0);
      child.actor.thread.threadEnd(child.actor.now);
    }
  }

  private void met(ArcKind kind) {
    waits.merge(kind, 1, Integer::sum);
  }

  /** The rule of the graph for the end of a call that needed something. */
  private void endOfWait(Actor actor, Moment needed, ArcKind kind) {
    long rest = random.nextInt(40);
    if (needed.ns > actor.now) {
      met(kind);
      actor.lose(WaitState.of(kind, 0), needed.ns - actor.now);
    }
    actor.now = Math.max(actor.now, needed.ns) + rest;
    actor.cpuLength = Math.max(actor.cpuLength, needed.cpuLength) + rest;
    actor.wallLength = Math.max(actor.wallLength, needed.wallLength) + rest;
  }

  // ------------------------------------------------------------------ processes

  private void spawn(Actor parent) {
    int how = random.nextInt(3);
    TracedProcess process = parent.thread.process();
    TracedProcess child = trace.child(process, "/opt/child");
    long begin = parent.now;
    long start = begin + random.nextInt(30);
    child.start(start);
    Actor actor = new Actor(child.thread(0), start, parent.cpuLength + start - begin,
        parent.wallLength + start - begin);
    actor.thread.threadBegin(start, -1);
    long end = start + random.nextInt(20);
    process.region("fork");
    parent.thread.createProcess(begin, end, "main/fork", child.pid(), how);
    parent.work(end - begin, 0);
    running.add(new Child(parent, actor, child.pid()));
    children.add(actor);
    met(ArcKind.SPAWN);
  }

  private void exec() {
    if (running.isEmpty()) {
      return;
    }
    Actor actor = running.get(random.nextInt(running.size())).actor;
    if (pipes.stream().anyMatch(pipe -> pipe.from == actor || pipe.to == actor)) {
      return;
    }
    actor.work(random.nextInt(20), 0);
    actor.thread.threadEnd(actor.now);
    TracedProcess before = actor.thread.process();
    before.exec(actor.now);
    TracedProcess after = trace.execOf(before, "/opt/other");
    long rest = random.nextInt(50);
    actor.work(rest, 0);
    after.start(actor.now);
    actor.thread = after.thread(0);
    actor.thread.threadBegin(actor.now, -1);
    met(ArcKind.EXEC);
  }

  private void reap() {
    if (running.isEmpty()) {
      return;
    }
    Child child = running.get(random.nextInt(running.size()));
    if (running.stream().anyMatch(other -> other.parent == child.actor)) {
      return;
    }
    running.remove(child);
    child.actor.work(random.nextInt(500), 0);
    child.actor.thread.threadEnd(child.actor.now);
    long begin = child.parent.now;
    endOfWait(child.parent, Moment.of(child.actor), ArcKind.PROCESS_END);
    child.parent.thread.process().region("waitpid");
    child.parent.thread.waitProcess(
        begin, child.parent.now, "main/waitpid", child.pid, 0);
  }

  // ----------------------------------------------------- what a host's processes share

  private Host host(Actor actor) {
    return hosts.computeIfAbsent(actor.thread.process().host(), Host::new);
  }

  /** The numbers of mutex, read-write lock and semaphore in the actor's process. */
  private int[] objects(Actor actor) {
    return objects.computeIfAbsent(actor.thread.process(), process -> new int[] {
      process.syncObject(MUTEX, 16, 77), process.syncObject(READ_WRITE_LOCK, 32, 77),
      process.syncObject(SEMAPHORE, 48, 77)});
  }

  private void mutex(Actor actor) {
    Host host = host(actor);
    int object = objects(actor)[0];
    long sequence = host.mutexReleases + 1;
    long begin = actor.now;
    if (host.mutexReleased.ns > begin) {
      endOfWait(actor, host.mutexReleased, ArcKind.LOCK);
      actor.thread.enter(begin, "main/pthread_mutex_lock")
          .event(actor.now, Kind.ACQUIRE, object, sequence << 1 | 1).leave(actor.now);
    } else {
      actor.thread.event(begin, Kind.ACQUIRE, object, sequence << 1);
    }
    actor.work(random.nextInt(200), 0);
    actor.thread.release(actor.now, object, sequence);
    host.mutexReleases++;
    host.mutexReleased = Moment.of(actor);
  }

  private void readWriteLock(Actor actor) {
    Host host = host(actor);
    int object = objects(actor)[1];
    long sequence = host.lockReleases + 1;
    long begin = actor.now;
    long shared = random.nextInt(2);
    if (host.lockReleased.ns > begin) {
      endOfWait(actor, host.lockReleased, ArcKind.LOCK);
      actor.thread.enter(begin, "main/pthread_rwlock_rdlock")
          .event(actor.now, Kind.ACQUIRE, object, sequence << 1 | 1, shared).leave(actor.now);
    } else {
      actor.thread.event(begin, Kind.ACQUIRE, object, sequence << 1, shared);
    }
    actor.work(random.nextInt(200), 0);
    actor.thread.release(actor.now, object, sequence);
    host.lockReleases++;
    host.lockReleased = Moment.of(actor);
  }

  private void post(Actor actor) {
    Host host = host(actor);
    actor.thread.signal(actor.now, objects(actor)[2], ++host.posts);
    host.tokens.add(Moment.of(actor));
  }

  private void await(Actor actor) {
    Host host = host(actor);
    Moment token = host.tokens.poll();
    if (token == null) {
      return;
    }
    host.taken++;
    int object = objects(actor)[2];
    long begin = actor.now;
    if (token.ns > begin) {
      endOfWait(actor, token, ArcKind.SEMAPHORE);
      actor.thread.process().region("sem_wait");
      actor.thread.awaitSignal(begin, actor.now, "main/sem_wait", object, host.taken);
    } else {
      actor.thread.event(begin, Kind.ACQUIRE, object, host.taken << 1);
    }
  }

  // ---------------------------------------------------------------------- pipes

  private Actor anybody() {
    List<Actor> all = new ArrayList<>(ranks);
    running.forEach(child -> all.add(child.actor));
    return all.get(random.nextInt(all.size()));
  }

  private Pipe pipeFrom(Actor from) {
    Actor to = anybody();
    if (to == from) {
      return null;
    }
    for (Pipe pipe : pipes) {
      if (pipe.from == from && pipe.to == to) {
        return pipe;
      }
    }
    Pipe pipe = new Pipe(1000 + pipes.size(), from, to);
    pipe.fromId = from.thread.process().stream(1, pipe.key, "pipe");
    pipe.toId = to.thread.process().stream(1, pipe.key, "pipe");
    from.thread.process().region("write");
    to.thread.process().region("read");
    pipes.add(pipe);
    return pipe;
  }

  private Pipe anyPipe() {
    List<Pipe> open = pipes.stream().filter(pipe -> isRunning(pipe.to) && isRunning(pipe.from)
        && pipe.readBytes < pipe.writtenBytes).toList();
    return open.isEmpty() ? null : open.get(random.nextInt(open.size()));
  }

  private boolean isRunning(Actor actor) {
    return ranks.contains(actor) || running.stream().anyMatch(child -> child.actor == actor);
  }

  private void write(Actor actor) {
    Pipe pipe = pipeFrom(actor);
    if (pipe != null) {
      long duration = random.nextInt(60);
      write(pipe, duration);
      actor.work(duration, 0);
    }
  }

  private void write(Pipe pipe, long duration) {
    long bytes = 1 + random.nextInt(100);
    Actor actor = pipe.from;
    actor.thread.write(actor.now, actor.now + duration, "main/write", pipe.fromId,
        pipe.writtenBytes, bytes);
    pipe.writtenBytes += bytes;
    pipe.written.add(Map.entry(pipe.writtenBytes, Moment.of(actor)));
  }

  /** @return when the last byte of the next read was written */
  private Moment written(Pipe pipe, long bytes) {
    while (pipe.written.getFirst().getKey() < pipe.readBytes + bytes) {
      pipe.written.removeFirst();
    }
    return pipe.written.getFirst().getValue();
  }

  private void read() {
    Pipe pipe = anyPipe();
    if (pipe == null) {
      return;
    }
    long bytes = 1 + random.nextInt((int) (pipe.writtenBytes - pipe.readBytes));
    if (random.nextBoolean()) {
      poll(pipe.to, written(pipe, 1), ArcKind.STREAM);
    }
    long begin = pipe.to.now;
    endOfWait(pipe.to, written(pipe, bytes), ArcKind.STREAM);
    pipe.to.thread.read(begin, pipe.to.now, "main/read", pipe.toId, pipe.readBytes, bytes);
    pipe.readBytes += bytes;
  }

  /** A call that waits until something is there, which is taken afterwards. */
  private void poll(Actor actor, Moment ready, ArcKind kind) {
    long begin = actor.now;
    if (ready.ns > begin) {
      endOfWait(actor, ready, kind);
    } else {
      actor.work(random.nextInt(20), 0);
    }
    String name = List.of("poll", "select", "epoll_wait").get(random.nextInt(3));
    actor.thread.process().region(name);
    actor.thread.enter(begin, "main/" + name).leave(actor.now);
  }

  // -------------------------------------------------------------------- signals

  private Inbox inbox(Actor actor) {
    return inboxes.computeIfAbsent(actor, a -> new Inbox(5000 + inboxes.size()));
  }

  /** The number of the signals in the actor's process. */
  private int idOf(Inbox inbox, Actor actor) {
    TracedProcess process = actor.thread.process();
    return inboxIds.computeIfAbsent(process, p -> new java.util.HashMap<>())
        .computeIfAbsent(inbox.key, key -> process.syncObject(SIGNAL, key, key));
  }

  private void sendSignal(Actor from) {
    Actor to = anybody();
    if (to == from || !to.thread.process().host().equals(from.thread.process().host())) {
      return;
    }
    Inbox inbox = inbox(to);
    from.thread.signal(from.now, idOf(inbox, from), ++inbox.sent);
    inbox.pending.add(Moment.of(from));
  }

  private void takeSignal() {
    List<Actor> signalled = inboxes.keySet().stream()
        .filter(actor -> isRunning(actor) && !inboxes.get(actor).pending.isEmpty())
        .sorted(Comparator.comparingLong(actor -> inboxes.get(actor).key)).toList();
    if (signalled.isEmpty()) {
      return;
    }
    Actor actor = signalled.get(random.nextInt(signalled.size()));
    Inbox inbox = inboxes.get(actor);
    Moment sent = inbox.pending.poll();
    if (random.nextBoolean()) {
      poll(actor, sent, ArcKind.SIGNAL);
    }
    long begin = actor.now;
    endOfWait(actor, sent, ArcKind.SIGNAL);
    actor.thread.process().region("read");
    actor.thread.awaitSignal(begin, actor.now, "main/read", idOf(inbox, actor), ++inbox.taken);
  }

  // --------------------------------------------------------------- full pipes

  /** A write that can go on only when the reader takes what was written before. */
  private void blockedWrite() {
    Pipe pipe = anyPipe();
    if (pipe == null) {
      return;
    }
    Actor writer = pipe.from;
    Actor reader = pipe.to;
    reader.work(Math.max(0, writer.now - reader.now) + random.nextInt(30_000), 0);
    Moment room = Moment.of(reader);
    if (room.ns - writer.now < ThreadReplay.LONG_SEND_NS) {
      return;
    }
    long bytes = pipe.writtenBytes - pipe.readBytes;
    Moment written = written(pipe, bytes);
    if (written.ns > room.ns) {
      return;
    }
    long end = room.ns + 20 + random.nextInt(20);
    reader.thread.read(room.ns, end, "main/read", pipe.toId, pipe.readBytes, bytes);
    reader.cpuLength = Math.max(reader.cpuLength, written.cpuLength) + end - room.ns;
    reader.wallLength = Math.max(reader.wallLength, written.wallLength) + end - room.ns;
    reader.now = end;
    pipe.readBytes += bytes;
    long done = room.ns + 1 + random.nextInt(20);
    writer.lose(WaitState.STREAM_FULL, room.ns - writer.now);
    write(pipe, done - writer.now);
    writer.cpuLength = Math.max(writer.cpuLength, room.cpuLength) + done - room.ns;
    writer.wallLength = Math.max(writer.wallLength, room.wallLength) + done - room.ns;
    writer.now = done;
    met(ArcKind.ROOM);
  }
}
