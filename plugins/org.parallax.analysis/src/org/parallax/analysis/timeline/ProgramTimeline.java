package org.parallax.analysis.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.parallax.analysis.internal.ParallelWork;
import org.parallax.analysis.internal.SharedResult;
import org.parallax.analysis.path.PathSegments;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.waits.Interplay;
import org.parallax.analysis.waits.ThreadStops;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.Workload;
import org.parallax.trace.Progress;

/**
 * What the threads of applications do when, at the level of detail that a picture can show: what a
 * picture costs depends on its pixels, not on the length of the trace.
 *
 * <p>What is known grows: at first the states of single moments; then, thread by thread, those of all
 * events ({@link #read}); then what they waited for and the messages ({@link #readInterplay}), and the
 * critical path ({@link #readPath}). What was read of a large trace is kept on disk, and is read from there the next time.
 * Pictures can be made meanwhile, of what is known. States are
 * numbered: first the procedures, as {@link Procedures} has them, then the {@link WaitState}s.
 *
 * <p>Threads are meant by their index in {@link #threads}. All methods can be called from any thread.
 */
public final class ProgramTimeline {
  private static final int LEAST_STEP = 64;
  private static final int MOST_STEP = 1 << 16;
  /** Steps of all threads together: 100 million events have steps of 256. */
  private static final long MOST_STEPS = 1 << 19;
  /** Events that are read again for one picture without being asked for exact states. */
  private static final long EVENTS_AT_ONCE = 300_000;
  /** Moments that are looked at for one picture while events have not been read. */
  private static final int MOST_MOMENTS = 1024;
  /** How many steps to either side are looked at to find where a call begins and ends. */
  private static final int STEPS_AROUND = 16;

  /** Slots of events, which are read in less than a tenth of a second. */
  private static final long LEAST_KEPT = 4_000_000;
  private static final int COLUMNS_TO_CHECK = 64;
  private static final int WAITS_TO_CHECK = 1 << 16;

  private final String name;
  private final Workload workload;
  private final List<ThreadRecord> threads;
  private final Procedures procedures;
  private final int stepEvents;
  /** Null if nothing is kept. */
  private final StateFiles files;
  private final InterplayFiles interplayFiles;
  private final AtomicReferenceArray<StateIndex> indexes;
  /** Of each thread, without waits. */
  private final List<SharedResult<StateIndex>> events;
  private final SharedResult<Interplay> interplayResult;
  private final SharedResult<PathSegments> pathResult;
  private volatile Interplay interplay;
  private volatile PathSegments path;
  private volatile long[] bounds;
  private volatile List<String> warnings = List.of();
  /** The states with most time first; empty until all is known. */
  private volatile int[] longest = {};

  /**
   * Reads nothing yet.
   *
   * @param name of what is shown, for people
   * @param workload the processes of the threads
   * @param threads those that are shown
   * @param replay replays the workload; is called when {@link #readPath} is
   * @param pathName what the critical path depends on beside the events of the threads
   */
  public ProgramTimeline(String name, Workload workload, List<ThreadRecord> threads,
      Function<Progress, Replay> replay, String pathName) {
    this(name, workload, threads, replay, stepEvents(slots(threads)), slots(threads) >= LEAST_KEPT ? pathName : null);
  }

  private static long slots(List<ThreadRecord> threads) {
    return threads.stream().mapToLong(record -> record.thread().slotCount()).sum();
  }

  private static int stepEvents(long slots) {
    int events = LEAST_STEP;
    while (slots / events > MOST_STEPS && events < MOST_STEP) {
      events *= 2;
    }
    return events;
  }

  /** For tests: another length of steps, and null as {@code pathName} to keep nothing on disk. */
  ProgramTimeline(String name, Workload workload, List<ThreadRecord> threads,
      Function<Progress, Replay> replay, int stepEvents, String pathName) {
    this.name = name;
    this.workload = workload;
    this.threads = threads;
    procedures = workload.procedures();
    this.stepEvents = stepEvents;
    indexes = new AtomicReferenceArray<>(threads.size());
    files = pathName == null ? null : new StateFiles(procedures, stepEvents);
    interplayFiles = pathName == null ? null : new InterplayFiles(threads, files, pathName);
    events = threads.stream().map(
        record -> new SharedResult<StateIndex>(progress -> index(record, progress))).toList();
    interplayResult = new SharedResult<>(this::interplay);
    pathResult = new SharedResult<>(progress -> path(replay, progress));
  }

  private Interplay interplay(Progress progress) {
    Interplay kept = interplayFiles == null ? null : interplayFiles.read();
    return kept != null ? kept : Interplay.of(workload.processes(), progress);
  }

  private PathSegments path(Function<Progress, Replay> replay, Progress progress) {
    PathSegments kept = interplayFiles == null ? null : interplayFiles.readPath();
    if (kept != null) {
      return kept;
    }
    PathSegments made = PathSegments.of(replay.apply(progress), progress);
    if (interplayFiles != null) {
      interplayFiles.writePath(made);
    }
    return made;
  }

  private StateIndex index(ThreadRecord record, Progress progress) {
    StateIndex kept = files == null ? null : files.read(record);
    if (kept != null) {
      progress.worked(record.thread().slotCount());
      return kept;
    }
    StateIndex made = StateIndex.of(record, procedures, stepEvents, progress);
    if (files != null) {
      files.write(record, made);
    }
    return made;
  }

  // ---------------------------------------------------------------- what there is

  /** @return the name of what is shown, for people */
  public String name() {
    return name;
  }

  /** @return the applications that are shown, with their processes on one time base */
  public Workload workload() {
    return workload;
  }

  public List<ThreadRecord> threads() {
    return threads;
  }

  /** @return when the first thread begins; the first call reads a block of each thread */
  public long beginNs() {
    return bounds()[0];
  }

  /** @return when the last thread ends, at least a nanosecond later than the begin */
  public long endNs() {
    return bounds()[1];
  }

  private long[] bounds() {
    long[] known = bounds;
    if (known == null) {
      long begin = threads.stream().mapToLong(each -> each.thread().beginNs()).min().orElse(0);
      long end = threads.stream().mapToLong(each -> each.thread().endNs()).max().orElse(0);
      known = new long[] {begin, Math.max(begin + 1, end)};
      bounds = known;
    }
    return known;
  }

  /** @return how many states there are */
  public int stateCount() {
    return procedures.count() + WaitState.values().length;
  }

  /** @return the wait, or null for a state that is a procedure */
  public WaitState wait(int state) {
    return state < procedures.count() ? null : WaitState.at(state - procedures.count());
  }

  /** @return the number of a wait among the states */
  public int state(WaitState wait) {
    return procedures.count() + wait.ordinal();
  }

  /** @return the name of a state, for people */
  public String name(int state) {
    WaitState wait = wait(state);
    return wait == null ? procedures.get(state).name() : wait.label();
  }

  /** @return what a person must know of how far waits, messages and the path can be trusted */
  public List<String> warnings() {
    return files == null ? warnings
        : Stream.of(files.warnings(), interplayFiles.warnings(), warnings).flatMap(List::stream).distinct().toList();
  }

  // ---------------------------------------------------------------- reading

  /** @return true if the events of a thread were read */
  public boolean isRead(int thread) {
    return indexes.get(thread) != null;
  }

  /** @return true once it is known what threads waited for, and what they sent each other */
  public boolean hasInterplay() {
    return interplay != null;
  }

  /** @return true once the critical path is known */
  public boolean hasPath() {
    return path != null;
  }

  /**
   * Reads the events of threads that were not read yet, of as many at once as there are processors.
   *
   * @param first these before the others
   * @param after is run after each thread, once at a time
   * @throws java.util.concurrent.CancellationException when the progress says so; what was read stays
   */
  public void read(int[] first, Runnable after, Progress progress) {
    List<Integer> order = new ArrayList<>();
    IntStream.concat(IntStream.of(first), IntStream.range(0, threads.size())).distinct()
        .filter(thread -> !isRead(thread)).forEach(order::add);
    if (order.isEmpty()) {
      return;
    }
    progress.begin("Reading events",
        order.stream().mapToLong(thread -> threads.get(thread).thread().slotCount()).sum());
    ParallelWork.map(order, (thread, shared) -> {
      read(thread, shared);
      synchronized (order) {
        after.run();
      }
      return thread;
    }, progress);
    if (interplay != null && longest.length == 0) {
      longest = statesByTime();
    }
  }

  /**
   * Reads the events of a thread, unless they were read.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public void read(int thread, Progress progress) {
    if (!isRead(thread)) {
      setRead(thread, events.get(thread).get(progress));
    }
  }

  private synchronized void setRead(int thread, StateIndex index) {
    if (!isRead(thread)) {
      indexes.set(thread, interplay == null ? index : withWaits(index, interplay, thread));
      events.get(thread).forget();
    }
  }

  private StateIndex withWaits(StateIndex index, Interplay found, int thread) {
    StateIndex kept = interplayFiles == null ? null : interplayFiles.with(index, found.stops(thread), thread);
    return kept != null ? kept : index.with(found.stops(thread));
  }

  private void keepInterplay(Progress progress) {
    List<StateIndex> all = IntStream.range(0, threads.size()).mapToObj(indexes::get).toList();
    if (interplayFiles != null && !all.contains(null)) {
      interplayFiles.write(interplay, all, progress);
    }
  }

  /**
   * Finds out what the threads waited for, and what they sent each other: a replay.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public void readInterplay(Progress progress) {
    if (interplay == null) {
      setInterplay(interplayResult.get(progress));
      longest = statesByTime();
      keepInterplay(progress);
    }
  }

  private synchronized void setInterplay(Interplay found) {
    if (interplay == null) {
      interplay = found;
      warnings = List.copyOf(found.warnings());
      for (int thread = 0; thread < threads.size(); thread++) {
        if (isRead(thread)) {
          indexes.set(thread, withWaits(indexes.get(thread), found, thread));
        }
      }
    }
  }

  /**
   * Finds the critical path, with {@link ApplicationAnalysis#criticalPath}.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public void readPath(Progress progress) {
    if (path == null) {
      path = pathResult.get(progress);
    }
  }

  private int[] statesByTime() {
    StateTimes times = new StateTimes(stateCount());
    for (int thread = 0; thread < threads.size(); thread++) {
      StateIndex index = indexes.get(thread);
      if (index != null) {
        new StateReader(index, beginNs(), false).addUntil(endNs(), times);
      }
    }
    return IntStream.of(times.states()).boxed()
        .sorted(Comparator.comparingLong((Integer state) -> times.ns(state)).reversed()
            .thenComparing(Comparator.naturalOrder()))
        .mapToInt(Integer::intValue).toArray();
  }

  /**
   * The states in which the threads were longest, all of them together.
   *
   * @param most how many are wanted
   * @return the one with most time first; none until it is known what threads waited for
   */
  public int[] longest(int most) {
    int[] known = longest;
    return Arrays.copyOf(known, Math.min(known.length, most));
  }

  /**
   * The time of all threads in each wait, in nanoseconds by {@link WaitState#ordinal}. Replays unless that was done.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public long[] waitNs(Progress progress) {
    Interplay known = interplay;
    Interplay found = known == null ? interplayResult.get(progress) : known;
    long[] sums = new long[WaitState.values().length];
    for (int thread = 0; thread < threads.size(); thread++) {
      ThreadStops stops = found.stops(thread);
      for (long wait = 0; wait < stops.count(); wait++) {
        if (wait % WAITS_TO_CHECK == 0) {
          progress.check();
        }
        sums[stops.state(wait).ordinal()] += stops.lengthNs(wait);
      }
    }
    return sums;
  }

  /** Gives the memory back; what is needed again must be read again. */
  public synchronized void forget() {
    for (int thread = 0; thread < threads.size(); thread++) {
      indexes.set(thread, null);
    }
    interplayResult.forget();
    if (interplayFiles != null) {
      interplayFiles.forget();
    }
    pathResult.forget();
    interplay = null;
    path = null;
  }

  // ---------------------------------------------------------------- pictures

  /**
   * The states of lanes by columns. A lane is some threads, whose times are added.
   *
   * <p>Cost: for columns of many events, {@value #MOST_STEPS} steps at most; for others, the events
   * in them; and always a lookup for each thread and column. Exact states cost at most the events of a
   * step more for each thread and column.
   *
   * @param lanes the threads of each
   * @param exact whether it may take longer; false gives {@link StateColumns.Quality#EXACT} ones too,
   *     where there are few events
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public StateColumns states(
      int[][] lanes, long fromNs, long toNs, int columns, boolean exact, Progress progress) {
    int[] shown = Arrays.stream(lanes).flatMapToInt(IntStream::of).toArray();
    StateColumns.Quality quality = StateColumns.Quality.EXACT;
    if (IntStream.of(shown).anyMatch(thread -> !isRead(thread))) {
      quality = StateColumns.Quality.SAMPLED;
    } else if (!exact && eventsToRead(shown, fromNs, toNs, columns) > EVENTS_AT_ONCE) {
      quality = StateColumns.Quality.SHARES;
    }
    boolean reads = quality == StateColumns.Quality.EXACT;
    int[][] states = new int[lanes.length][];
    IntStream.range(0, lanes.length).parallel().forEach(i -> {
      int[] known = IntStream.of(lanes[i]).filter(this::isRead).toArray();
      states[i] = known.length > 0 ? dominating(known, fromNs, toNs, columns, reads, progress)
          : sampled(lanes[i], fromNs, toNs, columns, shown.length);
    });
    return new StateColumns(fromNs, toNs, columns, states, quality);
  }

  private long eventsToRead(int[] shown, long fromNs, long toNs, int columns) {
    long steps = 0;
    for (int thread : shown) {
      StateIndex index = indexes.get(thread);
      steps += Math.min(columns + 1, index.stepAt(toNs) - index.stepAt(fromNs) + 1);
    }
    return steps * stepEvents;
  }

  private int[] dominating(
      int[] lane, long fromNs, long toNs, int columns, boolean exact, Progress progress) {
    int[] states = new int[columns];
    StateTimes times = new StateTimes(stateCount());
    StateReader[] readers = IntStream.of(lane)
        .mapToObj(thread -> new StateReader(indexes.get(thread), fromNs, exact))
        .toArray(StateReader[]::new);
    long beginNs = fromNs;
    int first = 0;
    for (int column = 0; column < columns; column++) {
      // Columns in which all threads go on with the same are one.
      long steadyNs = Long.MAX_VALUE;
      for (StateReader reader : readers) {
        steadyNs = Math.min(steadyNs, reader.steadyUntilNs());
      }
      column = StateColumns.lastBefore(fromNs, toNs, columns, column, steadyNs);
      long endNs = StateColumns.beginNs(fromNs, toNs, columns, column + 1);
      if (endNs > beginNs) {
        for (StateReader reader : readers) {
          reader.addUntil(endNs, times);
        }
        // Columns before that have no nanosecond of their own are parts of this one.
        Arrays.fill(states, first, column + 1, times.dominating());
        times.clear();
        beginNs = endNs;
        first = column + 1;
      }
      if (column % COLUMNS_TO_CHECK == 0) {
        progress.check();
      }
    }
    return states;
  }

  /** The threads of a lane take turns. */
  private int[] sampled(int[] lane, long fromNs, long toNs, int columns, int shown) {
    int[] states = new int[columns];
    Arrays.fill(states, StateTimes.NONE);
    if (lane.length == 0) {
      return states;
    }
    SampledStates[] moments = IntStream.of(lane)
        .mapToObj(thread -> new SampledStates(threads.get(thread), procedures))
        .toArray(SampledStates[]::new);
    int width = Math.max(1, (int) ((long) columns * shown / lane.length / MOST_MOMENTS));
    for (int column = 0; column < columns; column += width) {
      int end = Math.min(columns, column + width);
      long middle = StateColumns.beginNs(fromNs, toNs, 2 * columns, column + end);
      Arrays.fill(states, column, end, moments[column / width % lane.length].at(middle));
    }
    return states;
  }

  /** How long a thread was in a state. */
  public record Share(int state, long ns) {}

  /**
   * What the threads of a lane did in a part of the time, exactly.
   *
   * @return the states, the one with most time first, without those of threads that were not read yet
   */
  public List<Share> shares(int[] lane, long fromNs, long toNs) {
    StateTimes times = new StateTimes(stateCount());
    for (int thread : lane) {
      if (isRead(thread)) {
        new StateReader(indexes.get(thread), fromNs, true).addUntil(toNs, times);
      }
    }
    return IntStream.of(times.states()).mapToObj(state -> new Share(state, times.ns(state)))
        .sorted(Comparator.comparingLong(Share::ns).reversed().thenComparing(Share::state))
        .toList();
  }

  /**
   * What a thread does at a moment.
   *
   * @param path the call path; 0 where no sample tells
   * @param beginNs since when; looked for in some thousand events only
   * @param lostNs how much of this time the thread was in the call without a processor; {@link #NO_CALL},
   *     {@link #UNKNOWN}
   * @param waiting for what it waits, null if for nothing or if it is not known yet
   * @param waitBeginNs since when it waits
   */
  public record Activity(int path, long beginNs, long endNs, long lostNs, WaitState waiting,
      long waitBeginNs, long waitEndNs) {
    /** The thread is in no call: its time without a processor is a state of its own. */
    public static final long NO_CALL = -1;
    /** The trace has no CPU clock of the process. */
    public static final long UNKNOWN = -2;
  }

  /** @return null where the thread has no time, and for one that was not read yet */
  public Activity at(int thread, long timeNs) {
    StateIndex index = indexes.get(thread);
    if (index == null || index.steps() == 0 || timeNs < index.beginNs(0)
        || timeNs >= index.endNs(index.steps() - 1)) {
      return null;
    }
    return ActivityFinder.of(index, timeNs, STEPS_AROUND);
  }

  /** @return what finds states and messages of a thread; null for one that was not read yet */
  public Occurrences occurrences(int thread, Progress progress) {
    StateIndex index = indexes.get(thread);
    return index == null ? null : new Occurrences(
        index, interplay, thread, threads.size(), stateCount(), progress);
  }

  // ---------------------------------------------------------------- what passes between threads

  /**
   * The messages that are under way in a part of the time between some threads.
   *
   * @param most how many are wanted; where there are more, some of them are chosen evenly
   * @return none while they are not known
   */
  public MessageLines messages(int[] shown, long fromNs, long toNs, int most) {
    Interplay known = interplay;
    return known == null ? new MessageLines(List.of(), 0)
        : MessageLines.of(known, shown, fromNs, toNs, most);
  }

  /**
   * The critical path in a part of the time.
   *
   * @param columns where the path has more pieces than this, the piece at the middle of each
   *     column stands for all in it
   * @return nothing while it is not known
   */
  public PathPieces path(long fromNs, long toNs, int columns) {
    PathSegments known = path;
    return known == null ? new PathPieces(List.of(), 0, false)
        : PathPieces.of(known, fromNs, toNs, columns);
  }
}
