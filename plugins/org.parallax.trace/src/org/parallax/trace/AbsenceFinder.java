package org.parallax.trace;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Finds processes and threads that existed and whose events are missing. What tells of them:
 *
 * <ul>
 * <li>the definition of a thread: the agent writes it just before the thread's first event;
 * <li>the last block of a thread: it is closed where the next one begins, or after ThreadEnd;
 * <li>files of events without the definitions of their process;
 * <li>the size of an MPI world, or the members of communicators if the program has sessions alone;
 * <li>the numbers of files in the manifest, counted when the run ended.
 * </ul>
 *
 * <p>A process that recorded nothing has no files and is not counted, and a process that is live or that
 * lost events for want of space is not told of as incomplete by these rules. Cost: the header and the
 * last slots of one block for each thread.
 */
final class AbsenceFinder {
  private static final int MAX_NAMED = 4;
  private static final int MPI_COMM_WORLD = 1;
  private static final String WORLD_OF_SESSIONS = "mpi://WORLD";
  private static final String START_ALL = "Copy the whole trace again, or start all ranks under the same "
      + "recorder";

  /** The transport that keeps no event. */
  private static final String DISCARDED = "discard";
  private static final String RECORD_AGAIN = "Record again without --transport " + DISCARDED;

  private record Part(Definitions definitions, Map<Integer, EventFile> files) {
  }

  private static final class Job {
    private final BitSet ranks = new BitSet();
    private final BitSet expected = new BitSet();
    /** The global ids of communicators whose members are expected. */
    private final Set<Long> known = new HashSet<>();
    private int size;
    private String program = "";
  }

  private final TraceDirectory directory;
  private final List<Part> parts = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  AbsenceFinder(TraceDirectory directory) {
    this.directory = directory;
  }

  /** A process that has a definitions file. */
  void add(Definitions definitions, Map<Integer, EventFile> files) {
    String stem = TraceDirectory.stem(definitions.file);
    if (definitions.process != null) {
      parts.add(new Part(definitions, files));
    } else if (!definitions.isUnbegun() || directory.events.containsKey(stem)) {
      unreadable.add(stem);
    }
  }

  /** @return what is missing, processes first */
  List<Absence> find() {
    List<Absence> found = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    directory.events.keySet().stream().filter(stem -> !directory.definitions.containsKey(stem))
        .forEach(lost::add);
    for (String stem : lost) {
      found.add(new Absence("process " + stem, "its events cannot be read, because its definitions file "
          + stem + TraceDirectory.DEFINITIONS_SUFFIX + " is "
          + (directory.empty.contains(stem) ? "empty" : "missing"), FindingList.RESTORE, true));
    }
    for (String stem : unreadable) {
      found.add(new Absence("process " + stem, "its definitions file cannot be read", FindingList.RESTORE,
          true));
    }
    long missing = missing(directory.manifest.processes(),
        directory.definitions.size() + directory.empty.size());
    long ranks = addRanks(found, missing > 0);
    long others = missing - Math.max(ranks, lost.stream().filter(stem -> !directory.empty.contains(stem)).count());
    if (others > 0) {
      found.add(new Absence(others == 1 ? "a process" : others + " processes",
          "the files are missing: the run had " + directory.manifest.processes()
          + " processes with events", FindingList.RESTORE, true));
    }
    if (directory.manifest.transport().equals(DISCARDED)) {
      found.add(new Absence("all events", "they were not kept, to measure what they cost", RECORD_AGAIN, true));
      return found;
    }
    int threads = found.size();
    parts.forEach(part -> addThreads(part, found));
    long files = missing(directory.manifest.eventFiles(),
        directory.events.values().stream().mapToInt(Map::size).sum());
    if (files > 0 && missing <= 0 && found.size() == threads) {
      found.add(new Absence(files == 1 ? "a thread" : files + " threads", "the event files are missing: "
          + "the run had " + directory.manifest.eventFiles() + " of them", FindingList.RESTORE, true));
    }
    return found;
  }

  private static long missing(long recorded, long present) {
    return recorded < 0 ? 0 : recorded - present;
  }

  /** @return how many ranks are missing */
  private long addRanks(List<Absence> found, boolean areFilesMissing) {
    Map<Long, Job> jobs = new LinkedHashMap<>();
    for (Part part : parts) {
      Mpi mpi = part.definitions.mpi;
      if (mpi != null && mpi.worldRank() >= 0 && mpi.worldRank() < mpi.worldSize()) {
        Job job = jobs.computeIfAbsent(mpi.job(), missing -> new Job());
        job.ranks.set(mpi.worldRank());
        job.size = Math.max(job.size, mpi.worldSize());
        expect(job, part.definitions);
        job.program = ProcessTrace.program(part.definitions.process);
      }
    }
    long missing = 0;
    for (Job job : jobs.values()) {
      BitSet ranks = job.expected;
      ranks.andNot(job.ranks);
      if (!ranks.isEmpty()) {
        missing += ranks.cardinality();
        found.add(new Absence(ranks(ranks) + " of " + job.size + " (" + job.program + ")", "not in the "
            + "trace: " + (areFilesMissing ? "the files are missing" : "the files are missing, or the "
            + "recorder did not start " + (ranks.cardinality() == 1 ? "this rank" : "these ranks")),
            areFilesMissing ? FindingList.RESTORE : START_ALL, areFilesMissing));
      }
    }
    return missing;
  }

  /**
   * All ranks call MPI_Init. A program with sessions alone, which has communicators but not MPI_COMM_WORLD, may use MPI
   * in some of its processes: those are expected with which it has a communicator.
   */
  private static void expect(Job job, Definitions process) {
    boolean hasSessionsAlone = false;
    for (int id = MPI_COMM_WORLD + 1; id < process.communicators.limit()
        && process.communicators.get(MPI_COMM_WORLD) == null; id++) {
      Communicator each = process.communicators.get(id);
      hasSessionsAlone |= each != null;
      if (each != null && each.areMembersKnown() && !each.name().equals(WORLD_OF_SESSIONS)
          && job.known.add(each.globalId())) {
        setRanks(job.expected, each.size(), each::worldRank);
        setRanks(job.expected, each.remoteSize(), each::remoteWorldRank);
      }
    }
    if (!hasSessionsAlone) {
      job.expected.set(0, job.size);
    }
  }

  private static void setRanks(BitSet into, int size, IntUnaryOperator worldRank) {
    for (int rank = 0; rank < size; rank++) {
      into.set(worldRank.applyAsInt(rank));
    }
  }

  /** Such as {@code rank 2}, {@code ranks 0 to 3 and 7}, {@code ranks 1, 3, 5, 7 and 12 more}. */
  private static String ranks(BitSet ranks) {
    List<String> runs = new ArrayList<>();
    int named = 0;
    for (int from = ranks.nextSetBit(0); from >= 0 && runs.size() < MAX_NAMED;) {
      int to = ranks.nextClearBit(from) - 1;
      runs.add(from == to ? Integer.toString(from) : from + (to == from + 1 ? " and " : " to ") + to);
      named += to - from + 1;
      from = ranks.nextSetBit(to + 1);
    }
    int more = ranks.cardinality() - named;
    if (more > 0) {
      runs.add(more + " more");
    }
    String last = runs.remove(runs.size() - 1);
    return (ranks.cardinality() == 1 ? "rank " : "ranks ")
        + (runs.isEmpty() ? last : String.join(", ", runs) + " and " + last);
  }

  private void addThreads(Part part, List<Absence> found) {
    Definitions process = part.definitions;
    boolean isOver = process.end != null;
    if (process.losses.any() || !isOver && !directory.manifest.hasEnded()) {
      return;
    }
    Map<Integer, Definitions.ThreadRecord> threads = new TreeMap<>();
    process.threads.forEach(thread -> threads.putIfAbsent(thread.id(), thread));
    int lost = 0;
    for (Definitions.ThreadRecord thread : threads.values()) {
      EventFile file = part.files.get(thread.id());
      String name = TraceDirectory.stem(process.file) + "." + thread.id()
          + TraceDirectory.EVENTS_SUFFIX;
      String fact = "";
      boolean isCertain = isOver;
      if ((thread.flags() & ThreadTrace.RUNTIME_THREAD) != 0) {
        continue;
      } else if (file == null) {
        fact = "it has no events: the event file " + name + " is missing";
      } else if (file.blockCount() == 0) {
        fact = "it has no events: the event file " + name + " is empty";
        isCertain &= thread.id() == 0;
      } else if (file.lacksRest()) {
        fact = "it has no events after the first " + (file.blockCount() == 1 ? "block"
            : file.blockCount() + " blocks") + ": the event file " + name + (file.hasFile()
            ? " is cut short" : " is missing");
      }
      if (!fact.isEmpty() && ++lost <= MAX_NAMED) {
        found.add(new Absence(who(process, thread), isOver ? fact
            : fact + ", or the process was killed at this moment", FindingList.RESTORE, isCertain));
      }
    }
    if (lost > MAX_NAMED) {
      found.add(new Absence(lost - MAX_NAMED + " more threads of " + ProcessTrace.name(process),
          "their events are missing, too", FindingList.RESTORE, isOver));
    }
  }

  private static String who(Definitions process, Definitions.ThreadRecord thread) {
    return ProcessTrace.name(process) + " (pid " + process.process.pid() + " on "
        + process.process.host() + ")" + (thread.id() == 0 ? "" : ", thread " + thread.id());
  }
}
