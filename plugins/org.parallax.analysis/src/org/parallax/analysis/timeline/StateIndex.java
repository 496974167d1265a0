package org.parallax.analysis.timeline;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.parallax.analysis.internal.PackedLongs;
import org.parallax.analysis.replay.PathAhead;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.timeline.ProgramTimeline.Activity;
import org.parallax.analysis.waits.ThreadStops;
import org.parallax.model.program.Procedures;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace.CpuClock;
import org.parallax.trace.Progress;

/**
 * What a thread does when: of each step of so many events how long the thread was in
 * which procedure, and from where its events can be read again. Time in a call belongs to the call,
 * time outside to samples ({@link PathAhead}), or to no function if the thread had no processor.
 *
 * <p>Memory: for each step some 15 bytes and 5 for each state in it; some 12 bytes for each time without a
 * processor. Immutable once made; it can be read from any thread. {@link StateFiles} keeps it on disk.
 */
final class StateIndex {
  private static final int PROGRESS_EVENTS = 1 << 17;
  /** In a file, for states that no call path has. */
  private static final int NO_PATH = -1;
  private static final int PREEMPTED = -2;
  /** And of the waits, down from here. */
  private static final int FIRST_WAIT = -3;

  private final ThreadRecord record;
  private final Procedures procedures;
  private final int stepEvents;
  private final int pathCount;
  private final CallStacks stacks;
  private long endNs;
  // Of each step: its first event, the time of the event before it, the calls that are open then.
  private final PackedLongs positions;
  private final PackedLongs begins;
  private final PackedLongs open;
  // Times without a processor, outside of routines.
  private final PackedLongs offPositions;
  private final PackedLongs offBegins;
  private final PackedLongs preemptions;
  private final PackedLongs offPaths;
  // Of each step: the path of the first sample outside of calls after it.
  private final PackedLongs tailPaths;
  // Times since samples for which the next sample does not speak.
  private final PackedLongs gapBegins;
  private final PackedLongs gapEnds;
  private final StepSums sums;
  /** Null while they are not known. */
  private ThreadStops stops;

  private StateIndex(ThreadRecord record, Procedures procedures, int stepEvents) {
    this.record = record;
    this.procedures = procedures;
    this.stepEvents = stepEvents;
    pathCount = record.process().callPaths().count();
    stacks = new CallStacks();
    positions = new PackedLongs();
    begins = new PackedLongs();
    open = new PackedLongs();
    tailPaths = new PackedLongs();
    gapBegins = new PackedLongs();
    gapEnds = new PackedLongs();
    offPositions = new PackedLongs();
    offBegins = new PackedLongs();
    preemptions = new PackedLongs();
    offPaths = new PackedLongs();
    sums = new StepSums();
  }

  private StateIndex(ThreadRecord record, Procedures procedures, int stepEvents, ByteBuffer in) {
    this.record = record;
    this.procedures = procedures;
    this.stepEvents = stepEvents;
    pathCount = record.process().callPaths().count();
    endNs = in.getLong();
    stacks = CallStacks.read(in);
    positions = PackedLongs.read(in);
    begins = PackedLongs.read(in);
    open = PackedLongs.read(in);
    tailPaths = PackedLongs.read(in);
    gapBegins = PackedLongs.read(in);
    gapEnds = PackedLongs.read(in);
    offPositions = PackedLongs.read(in);
    offBegins = PackedLongs.read(in);
    preemptions = PackedLongs.read(in);
    offPaths = PackedLongs.read(in);
    sums = StepSums.read(in, this::stateOfFile);
  }

  /** The same with waits. */
  private StateIndex(StateIndex other, ThreadStops stops, StepSums sums) {
    record = other.record;
    procedures = other.procedures;
    stepEvents = other.stepEvents;
    pathCount = other.pathCount;
    stacks = other.stacks;
    endNs = other.endNs;
    positions = other.positions;
    begins = other.begins;
    open = other.open;
    tailPaths = other.tailPaths;
    gapBegins = other.gapBegins;
    offPositions = other.offPositions;
    offBegins = other.offBegins;
    preemptions = other.preemptions;
    offPaths = other.offPaths;
    gapEnds = other.gapEnds;
    this.sums = sums;
    this.stops = stops;
  }

  /**
   * Reads the events of a thread once.
   *
   * @param stepEvents the length of a step
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  static StateIndex of(
      ThreadRecord record, Procedures procedures, int stepEvents, Progress progress) {
    StateIndex index = new StateIndex(record, procedures, stepEvents);
    index.read(progress);
    return index;
  }

  /**
   * Writes what {@link #read(ThreadRecord, Procedures, int, ByteBuffer)} gets back, without waits. Not one that was read, or
   * has waits.
   */
  void write(DataOutputStream out) throws IOException {
    out.writeLong(endNs);
    stacks.write(out);
    for (PackedLongs list : new PackedLongs[] {positions, begins, open, tailPaths, gapBegins, gapEnds, offPositions,
        offBegins, preemptions, offPaths}) {
      list.write(out);
    }
    writeSums(out);
  }

  /**
   * @param in with exactly what was written for the same events and call paths that have the same procedures
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  static StateIndex read(ThreadRecord record, Procedures procedures, int stepEvents, ByteBuffer in) {
    StateIndex index = new StateIndex(record, procedures, stepEvents, in);
    int steps = index.steps();
    long losses = index.offPositions.size();
    if (in.hasRemaining() || index.begins.size() != steps || index.open.size() != steps
        || index.tailPaths.size() != steps || index.sums.size() != steps || index.offBegins.size() != losses
        || index.preemptions.size() != losses || index.offPaths.size() != losses
        || index.gapBegins.size() != index.gapEnds.size()) {
      throw new IllegalArgumentException("lists do not fit to each other");
    }
    return index;
  }

  /** @return of each procedure the first call path of the process that has it; the same for any numbers of procedures */
  private static int[] pathsOfStates(ThreadRecord record, Procedures procedures) {
    int[] paths = new int[procedures.count()];
    Arrays.fill(paths, NO_PATH);
    paths[Procedures.PREEMPTED] = PREEMPTED;
    for (int path = record.process().callPaths().count() - 1; path >= 0; path--) {
      int state = procedures.leaf(record.process().index(), path);
      if (state != Procedures.PREEMPTED) {
        paths[state] = path;
      }
    }
    return paths;
  }

  /** Feeds a hash with what of the procedures is in a file: which call paths have the same one. */
  static void identify(ThreadRecord record, Procedures procedures, MessageDigest hash) {
    int[] paths = pathsOfStates(record, procedures);
    int count = record.process().callPaths().count();
    ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES * count);
    for (int path = 0; path < count; path++) {
      numbers.putInt(paths[procedures.leaf(record.process().index(), path)]);
    }
    hash.update(numbers.flip());
  }

  private void read(Progress progress) {
    StateTimes step = new StateTimes(stateCount());
    EventCursor cursor = record.thread().cursor();
    PathAhead ahead = new PathAhead(record.thread());
    long now = Long.MIN_VALUE;
    long sampleNs = Long.MIN_VALUE;
    int stack = CallStacks.EMPTY;
    int inStep = 0;
    long count = 0;
    while (cursor.next()) {
      if (now == Long.MIN_VALUE) {
        now = cursor.timeNs();
      }
      if (inStep == stepEvents) {
        sums.add(step);
        inStep = 0;
      }
      if (inStep++ == 0) {
        positions.add(cursor.position());
        begins.add(now);
        open.add(stack);
      }
      long time = Math.max(now, cursor.timeNs());
      if (stack == CallStacks.EMPTY) {
        int path = ahead.at(cursor.position());
        long off = offCpu(ahead, cursor, time, step);
        long split = Math.max(now, Math.min(ahead.sinceNs(), off));
        step.add(state(0), split - now);
        step.add(state(path), off - split);
      } else {
        ahead.at(cursor.position());
        long off = offCpu(ahead, cursor, time, step);
        step.add(state(stacks.innermost(stack)), off - now);
      }
      now = time;
      switch (cursor.kind()) {
        case Kind.ENTER -> stack = stacks.enter(stack, cursor.operand());
        case Kind.LEAVE -> stack = stacks.leave(stack, cursor.operand());
        case Kind.SAMPLE -> {
          if (stack == CallStacks.EMPTY) {
            resolve(cursor.operand());
            if (ahead.sinceNs() > sampleNs) {
              gapBegins.add(sampleNs);
              gapEnds.add(ahead.sinceNs());
            }
            sampleNs = now;
          }
        }
        default -> { }
      }
      if (++count % PROGRESS_EVENTS == 0) {
        progress.worked(PROGRESS_EVENTS);
        progress.check();
      }
    }
    if (inStep > 0) {
      sums.add(step);
    }
    resolve(0);
    endNs = now;
  }

  /** Remembers and adds the time without a processor up to the event, and returns its begin. */
  private long offCpu(PathAhead ahead, EventCursor cursor, long timeNs, StateTimes step) {
    long off = cursor.kind() == Kind.CPU
        ? ahead.offCpuSinceNs(cursor.position()) : Long.MAX_VALUE;
    if (off >= timeNs) {
      return timeNs;
    }
    offBegins.add(off);
    offPositions.add(cursor.position());
    offPaths.add(ahead.offCpuPath(cursor.position()));
    long preempted = Math.min(timeNs, ahead.preemptedSinceNs(cursor.position()));
    preemptions.add(preempted);
    step.add(state(ahead.offCpuPath(cursor.position())), preempted - off);
    step.add(Procedures.PREEMPTED, timeNs - preempted);
    return off;
  }

  /** Writes the sums of steps, with waits if they are known. Not sums that were read. */
  void writeSums(DataOutputStream out) throws IOException {
    int[] paths = pathsOfStates(record, procedures);
    sums.write(out, stateCount(), state -> state < paths.length ? paths[state] : FIRST_WAIT - (state - paths.length));
  }

  /**
   * @param in with sums of the same steps with these waits
   * @return the same, with the waits of the thread as states of their own
   */
  StateIndex with(ThreadStops waits, ByteBuffer in) {
    StepSums read = StepSums.read(in, this::stateOfFile);
    if (read.size() != steps()) {
      throw new IllegalArgumentException("sums of other steps");
    }
    return new StateIndex(this, waits, read);
  }

  private int stateOfFile(int path) {
    if (path < FIRST_WAIT - (WaitState.values().length - 1)) {
      throw new IllegalArgumentException("no state");
    }
    return path >= 0 ? state(path) : path == NO_PATH ? 0 : path == PREEMPTED ? Procedures.PREEMPTED
        : procedures.count() + FIRST_WAIT - path;
  }

  /** @return true if its sums were not read from a file */
  boolean isMade() {
    return sums.isMade();
  }

  /** @return the same, with the waits of the thread as states of their own */
  StateIndex with(ThreadStops waits) {
    StateIndex index = new StateIndex(this, waits, new StepSums());
    StateTimes step = new StateTimes(stateCount());
    WaitReader reader = new WaitReader(waits, this);
    for (int i = 0; i < steps(); i++) {
      sums.addTo(step, i, 1);
      reader.move(beginNs(i), endNs(i), step);
      index.sums.add(step);
    }
    return index;
  }

  /** A sample follows the steps that have ended since the one before. */
  private void resolve(int path) {
    while (tailPaths.size() < sums.size()) {
      tailPaths.add(path);
    }
  }

  /** @return until when no sample speaks for time outside of calls at a moment; none if before it */
  private long gapEnd(long timeNs) {
    long gap = gapEnds.firstAtLeast(timeNs + 1);
    return gap < gapEnds.size() && gapBegins.get(gap) <= timeNs ? gapEnds.get(gap) : Long.MIN_VALUE;
  }

  private int known(int path) {
    return path >= 0 && path < pathCount ? path : 0;
  }

  /** @return the procedure of a call path, whatever an event has for it */
  int state(int path) {
    return procedures.leaf(record.process().index(), known(path));
  }

  /** @return the number of a wait among the states */
  int state(WaitState wait) {
    return procedures.count() + wait.ordinal();
  }

  /** @return how many states there are */
  int stateCount() {
    return procedures.count() + WaitState.values().length;
  }

  /** @return what goes over the waits, or null while they are not known */
  WaitReader waits() {
    return stops == null ? null : new WaitReader(stops, this);
  }

  int steps() {
    return (int) positions.size();
  }

  long beginNs(int step) {
    return begins.get(step);
  }

  long endNs(int step) {
    return step + 1 < positions.size() ? begins.get(step + 1) : endNs;
  }

  /** @return the last step that begins at the time or before it; 0 if none does */
  int stepAt(long timeNs) {
    return (int) Math.max(0, begins.firstAtLeast(timeNs + 1) - 1);
  }

  /**
   * How long the thread had no processor in calls in a part of the time, as its CPU clock tells. Reads the events of
   * that time.
   *
   * @return {@link Activity#NO_CALL} if it is in no call at the moment, {@link Activity#UNKNOWN} without a CPU clock
   */
  long lostInCallNs(long momentNs, long fromNs, long toNs) {
    int step = stepAt(fromNs);
    EventCursor cursor = record.thread().cursor();
    boolean more = cursor.seek(positions.get(step));
    long now = begins.get(step);
    int stack = (int) open.get(step);
    boolean isInCall = false;
    double lost = 0;
    while (more && now < toNs) {
      long time = Math.max(now, cursor.timeNs());
      if (stack != CallStacks.EMPTY) {
        isInCall |= now <= momentNs && momentNs < time;
        long part = Math.min(time, toNs) - Math.max(now, fromNs);
        if (part > 0 && !isOffCpu(cursor)) {
          lost += cursor.lostNs() * ((double) part / (time - now));
        }
      }
      now = time;
      switch (cursor.kind()) {
        case Kind.ENTER -> stack = stacks.enter(stack, cursor.operand());
        case Kind.LEAVE -> stack = stacks.leave(stack, cursor.operand());
        default -> { }
      }
      more = cursor.next();
    }
    CpuClock clock = record.process().cpuClock();
    return !isInCall ? Activity.NO_CALL : clock == null || clock == CpuClock.NONE ? Activity.UNKNOWN
        : Math.round(Math.max(0, Math.min(toNs - fromNs, lost)));
  }

  /** Whether an event tells of time without a processor that is a state of its own. */
  private boolean isOffCpu(EventCursor cursor) {
    long loss = cursor.kind() == Kind.CPU ? offPositions.firstAtLeast(cursor.position()) : -1;
    return loss >= 0 && loss < offPositions.size()
        && offPositions.get(loss) == cursor.position();
  }

  /** Adds the time of whole steps. */
  void addRange(StateTimes times, int fromStep, int toStep) {
    sums.addRange(times, fromStep, toStep);
  }

  /** Adds the time of a step, or a share of it. */
  void addTo(StateTimes times, int step, double share) {
    sums.addTo(times, step, share);
  }

  /** The pieces of a step, each of one call path, in the order of time; none of them is empty. */
  final class Pieces {
    private final EventCursor cursor = record.thread().cursor();
    private final CallPaths callPaths = record.process().callPaths();
    private final long[] ends = new long[4 * stepEvents];
    private final int[] paths = new int[4 * stepEvents];
    private int count;

    /** Reads a step's events. */
    void read(int step) {
      count = 0;
      boolean more = cursor.seek(positions.get(step));
      long now = begins.get(step);
      int stack = (int) open.get(step);
      int unresolved = 0;
      for (int i = 0; more && i < stepEvents; i++) {
        long time = Math.max(now, cursor.timeNs());
        boolean lost = isOffCpu(cursor);
        long loss = lost ? offPositions.firstAtLeast(cursor.position()) : -1;
        long off = lost ? Math.max(now, offBegins.get(loss)) : time;
        if (stack != CallStacks.EMPTY) {
          add(known(stacks.innermost(stack)), now, off);
        } else if (off > now) {
          add(0, now, Math.min(off, gapEnd(now)));
          add(-1, Math.max(now, gapEnd(now)), off);
        }
        if (lost) {
          int path = (int) offPaths.get(loss);
          add(path, off, Math.max(off, preemptions.get(loss)));
          add(callPaths.preempted(callPaths.parent(path)), Math.max(off, preemptions.get(loss)), time);
        }
        now = time;
        switch (cursor.kind()) {
          case Kind.ENTER -> stack = stacks.enter(stack, cursor.operand());
          case Kind.LEAVE -> stack = stacks.leave(stack, cursor.operand());
          case Kind.SAMPLE -> {
            if (stack == CallStacks.EMPTY) {
              resolve(unresolved, known(cursor.operand()));
              unresolved = count;
            }
          }
          default -> { }
        }
        more = cursor.next();
      }
      resolve(unresolved, known((int) tailPaths.get(step)));
    }

    private void add(int path, long fromNs, long toNs) {
      if (toNs > fromNs) {
        ends[count] = toNs;
        paths[count++] = path;
      }
    }

    private void resolve(int from, int path) {
      for (int i = from; i < count; i++) {
        if (paths[i] < 0) {
          paths[i] = path;
        }
      }
    }

    int count() {
      return count;
    }

    long endNs(int piece) {
      return ends[piece];
    }

    int path(int piece) {
      return paths[piece];
    }
  }
}
