package org.parallax.analysis.replay;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.parallax.analysis.replay.RandomProgram.Actor;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.WindowOp;

/**
 * The one-sided communication of a {@link RandomProgram}, on one window of all ranks. Each step is a whole epoch
 * of two ranks, or a fence.
 */
final class RandomWindows {
  private static final int WINDOW = 50;
  private static final int IS_WINDOW = 8;
  private static final long LONG_NS = ThreadReplay.LONG_SEND_NS;

  private final Random random;
  private final List<Actor> actors;
  private final Consumer<Actor> work;
  /** From when the lock of each rank's part of the window is free. */
  private final long[] freeNs;

  RandomWindows(Random random, List<Actor> actors, Consumer<Actor> work) {
    this.random = random;
    this.actors = actors;
    this.work = work;
    freeNs = new long[actors.size()];
    for (Actor actor : actors) {
      actor.thread.process().communicator(WINDOW, actors.size(), 0x91d0, actor.rank, IS_WINDOW,
          new int[][] {{0, 1, actors.size()}}, new int[0][], "");
    }
  }

  /** A step of eight has one-sided communication. */
  void maybeStep() {
    if (random.nextInt(8) == 0) {
      step();
      // What comes next has a time of its own.
      actors.forEach(actor -> actor.work(1, 0));
    }
  }

  private void step() {
    Actor one = actors.get(random.nextInt(actors.size()));
    Actor other = actors.get(random.nextInt(actors.size()));
    switch (random.nextInt(8)) {
      case 0 -> fence(random.nextBoolean());
      case 1, 2, 3 -> {
        if (one != other) {
          epoch(one, other);
        }
      }
      case 4, 5 -> {
        if (one != other) {
          locks(one, other);
        }
      }
      default -> {
        if (one != other) {
          progress(one, other);
        }
      }
    }
  }

  private static void event(Actor actor, long ns, WindowOp op, int rank, long... more) {
    long[] payload = new long[1 + more.length];
    payload[0] = (long) op.op() << 31 | rank;
    System.arraycopy(more, 0, payload, 1, more.length);
    actor.thread.event(ns, Kind.WINDOW, WINDOW, payload);
  }

  /** A call with an event where it begins. */
  private static void gives(Actor actor, String routine, long endNs, WindowOp op, int rank, long... more) {
    actor.thread.enter(actor.now, "main/" + routine);
    event(actor, actor.now, op, rank, more);
    actor.thread.leave(endNs);
  }

  /** A call with an event where it ends. */
  private static void takes(Actor actor, String routine, long endNs, WindowOp op, int rank) {
    actor.thread.enter(actor.now, "main/" + routine);
    event(actor, endNs, op, rank);
    actor.thread.leave(endNs);
  }

  /** A moment of an actor, with the longest paths to it. */
  private record Moment(long ns, long cpuLength, long wallLength) {
    static Moment of(Actor actor) {
      return new Moment(actor.now, actor.cpuLength, actor.wallLength);
    }
  }

  /** A call ends that waited for something if that came while it lasted. */
  private static void end(Actor actor, long endNs, Moment awaited, WaitState state) {
    if (awaited.ns > actor.now && awaited.ns <= endNs) {
      actor.lose(state, awaited.ns - actor.now);
      actor.cpuLength = Math.max(actor.cpuLength, awaited.cpuLength) + endNs - awaited.ns;
      actor.wallLength = Math.max(actor.wallLength, awaited.wallLength) + endNs - awaited.ns;
      actor.now = endNs;
    } else {
      actor.work(endNs - actor.now, 0);
    }
  }

  // ------------------------------------------------------------------- fences

  /** @param opens whether it ends no epoch, so that nobody has to wait */
  private void fence(boolean opens) {
    List<Moment> begins = actors.stream().map(Moment::of).toList();
    long latest = begins.stream().mapToLong(Moment::ns).max().orElseThrow();
    long cpu = begins.stream().mapToLong(Moment::cpuLength).max().orElseThrow();
    long wall = begins.stream().mapToLong(Moment::wallLength).max().orElseThrow();
    for (Actor actor : actors) {
      long end = (opens ? actor.now : latest) + random.nextInt(opens ? 2_000 : 60);
      actor.thread.collective(actor.now, end, "main/MPI_Win_fence", WINDOW,
          opens ? Collective.WIN_FENCE_OPEN : Collective.WIN_FENCE, Kind.NO_ROOT, 0, 0);
      if (!opens) {
        actor.cpuLength = Math.max(actor.cpuLength, cpu);
        actor.wallLength = Math.max(actor.wallLength, wall);
      }
      end(actor, end, new Moment(latest, cpu, wall), WaitState.WAIT_AT_FENCE);
    }
  }

  // ------------------------------------------------------------------- epochs

  private void epoch(Actor origin, Actor target) {
    Moment posted = Moment.of(target);
    gives(target, "MPI_Win_post", target.now + 3, WindowOp.POST, origin.rank);
    target.work(3, 0);
    // Libraries wait for a post in the start, or as late as in the complete.
    boolean waitsInStart = random.nextBoolean();
    long started = waitsInStart ? Math.max(origin.now, posted.ns) + random.nextInt(40)
        : origin.now + random.nextInt(30);
    takes(origin, "MPI_Win_start", started, WindowOp.START, target.rank);
    end(origin, started, posted, WaitState.LATE_POST);
    long lastNs = started;
    if (random.nextBoolean()) {
      work.accept(origin);
      long put = origin.now + random.nextInt(500);
      gives(origin, "MPI_Put", put, WindowOp.PUT, target.rank, 100, 0);
      end(origin, put, posted, WaitState.LATE_POST);
      lastNs = put;
    }
    work.accept(origin);
    Moment completed = Moment.of(origin);
    long completedNs = Math.max(origin.now, posted.ns) + random.nextInt(40);
    gives(origin, "MPI_Win_complete", completedNs, WindowOp.COMPLETE, target.rank);
    end(origin, completedNs, posted, WaitState.LATE_POST);
    work.accept(target);
    long begin = target.now;
    long latest = Math.max(begin, completed.ns);
    long end = latest + random.nextInt(40);
    takes(target, "MPI_Win_wait", end, WindowOp.WAIT, origin.rank);
    target.lose(WaitState.EARLY_WAIT, lastNs - begin);
    target.lose(WaitState.LATE_COMPLETE, latest - Math.max(begin, lastNs));
    target.cpuLength = Math.max(target.cpuLength, completed.cpuLength) + end - latest;
    target.wallLength = Math.max(target.wallLength, completed.wallLength) + end - latest;
    target.now = end;
  }

  // -------------------------------------------------------------------- locks

  private static void workUntil(Actor actor, long ns) {
    if (actor.now < ns) {
      actor.work(ns - actor.now, 0);
    }
  }

  /** One holds the lock of the other's part, which wants it meanwhile. */
  private void locks(Actor holder, Actor other) {
    boolean shared = random.nextInt(4) == 0;
    workUntil(holder, freeNs[other.rank]);
    takes(holder, "MPI_Win_lock", holder.now + 2,
        shared ? WindowOp.LOCK_SHARED : WindowOp.LOCK_EXCLUSIVE, other.rank);
    holder.work(2, 0);
    workUntil(other, holder.now);
    holder.work(random.nextInt(40_000), 0);
    Moment released = Moment.of(holder);
    gives(holder, "MPI_Win_unlock", holder.now + 3, WindowOp.UNLOCK, other.rank);
    holder.work(3, 0);
    long begin = other.now;
    long locked = shared ? begin + 5 : Math.max(begin, released.ns) + 1 + random.nextInt(40);
    takes(other, "MPI_Win_lock", locked,
        shared ? WindowOp.LOCK_SHARED : WindowOp.LOCK_EXCLUSIVE, other.rank);
    if (!shared && locked - begin >= LONG_NS && released.ns < locked) {
      end(other, locked, released, WaitState.WINDOW_LOCK_CONTENTION);
    } else {
      other.work(locked - begin, 0);
    }
    gives(other, "MPI_Win_unlock", other.now + 3, WindowOp.UNLOCK, other.rank);
    other.work(3, 0);
    freeNs[other.rank] = Math.max(holder.now, other.now);
  }

  /** An unlock waits until the target calls MPI. */
  private void progress(Actor origin, Actor target) {
    call(target);
    workUntil(origin, Math.max(target.now, freeNs[target.rank]));
    takes(origin, "MPI_Win_lock", origin.now + 2, WindowOp.LOCK_SHARED, target.rank);
    origin.work(2, 0);
    gives(origin, "MPI_Get", origin.now + 2, WindowOp.GET, target.rank, 0, 100);
    origin.work(2, 0);
    workUntil(target, origin.now + LONG_NS + random.nextInt(20_000));
    Moment called = Moment.of(target);
    call(target);
    long end = called.ns + 1 + random.nextInt(100);
    gives(origin, "MPI_Win_unlock", end, WindowOp.UNLOCK, target.rank);
    end(origin, end, called, WaitState.WAIT_FOR_PROGRESS);
    freeNs[target.rank] = origin.now;
  }

  private static void call(Actor actor) {
    actor.thread.enter(actor.now, "main/MPI_Iprobe").leave(actor.now + 1);
    actor.work(1, 0);
  }
}
