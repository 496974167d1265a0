package org.parallax.analysis.events;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.text.Quantity;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.Collective;
import org.parallax.trace.Communicator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.PartitionOp;
import org.parallax.trace.Metric;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.ProcessTrace.CpuClock;
import org.parallax.trace.Providers;
import org.parallax.trace.Region;
import org.parallax.trace.Stream;
import org.parallax.trace.SyncObject;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.WindowOp;

/** Says in words what events are, and who the other side is. */
final class EventText {
  private static final String[] FILE_OPERATIONS =
      {"?", "open", "close", "read", "write", "sync", "seek", "other"};
  private static final String[] CREATIONS = {"fork", "vfork", "posix_spawn", "PVM", "MPI"};

  /** Unlike a message of 0 bytes. */
  static final long NO_BYTES = -1;
  private static final int READ = 3;
  private static final int WRITE = 4;
  private static final int MOST_RANKS = 8;
  private static final int MOST_IN_CALL = 4096;

  /**
   * An event in words.
   *
   * @param what the procedure, communicator, object, stream, file, phase or metric; may be empty
   * @param partner who the other side is; may be empty
   * @param bytes that were moved; {@link #NO_BYTES} of an event that moves none, such as a sample
   */
  record Words(String what, String partner, long bytes, String details) {}

  private record Rank(long job, int rank) {}

  private final ApplicationAnalysis analysis;
  private final Map<Rank, ProcessTrace> ranks = new HashMap<>();
  private final Map<Rank, ProcessTrace> tasks = new HashMap<>();
  private final Map<String, Set<ProcessTrace>> streamUsers = new HashMap<>();

  EventText(ApplicationAnalysis analysis) {
    this.analysis = analysis;
    for (ProcessTrace process : analysis.workload().processes()) {
      if (process.mpi() != null) {
        ranks.putIfAbsent(new Rank(process.mpi().job(), process.mpi().worldRank()), process);
      }
      if (process.pvm() != null) {
        tasks.putIfAbsent(new Rank(process.pvm().machine(), process.pvm().task()), process);
      }
      for (int id = 1; id < process.streamCount(); id++) {
        Stream stream = process.stream(id);
        if (stream != null && stream.hasKey() && stream.isTrusted()) {
          streamUsers.computeIfAbsent(key(stream), each -> new LinkedHashSet<>()).add(process);
        }
      }
    }
  }

  private static String key(Stream stream) {
    return stream.kind() + ":" + stream.keyHigh() + ":" + stream.keyLow();
  }

  /** @return the name of a thread, as tables have it */
  String where(ThreadTrace thread) {
    ProgramThread model = analysis.workload().thread(thread.process(), thread.id());
    return model == null ? thread.toString() : Names.where(model, Level.THREAD);
  }

  private String name(ProcessTrace process) {
    ProgramThread first = process.threads().stream()
        .map(thread -> analysis.workload().thread(process, thread.id()))
        .filter(thread -> thread != null).findFirst().orElse(null);
    return first == null ? process.name() : Names.where(first, Level.PROCESS);
  }

  /** @return the words with how much of a call that ends had no processor, for which events before are read */
  Words withLoss(Words words, ThreadTrace thread, EventCursor at) {
    String lost = at.kind() == Kind.LEAVE ? lost(thread, at) : "";
    return lost.isEmpty() ? words : new Words(words.what, words.partner, words.bytes,
        lost + (words.details.isEmpty() ? "" : ", " + words.details));
  }

  /**
   * How much of the call that ends with an event had no processor; empty for nothing, without a CPU clock, and where
   * the begin is more than {@value #MOST_IN_CALL} events before.
   */
  private static String lost(ThreadTrace thread, EventCursor at) {
    CpuClock clock = thread.process().cpuClock();
    EventCursor cursor = thread.cursor();
    if (clock == null || clock == CpuClock.NONE || !cursor.seek(at.position())) {
      return "";
    }
    long lostNs = cursor.lostNs();
    int depth = 0;
    for (int i = 0; i < MOST_IN_CALL && cursor.previous(); i++) {
      if (cursor.kind() == Kind.ENTER && depth-- == 0) {
        long lengthNs = at.timeNs() - cursor.timeNs();
        long ns = Math.min(lostNs, lengthNs);
        return ns <= 0 ? "" : "took " + Quantity.time(lengthNs) + ", " + Quantity.time(ns)
            + " of it without a processor";
      }
      depth += cursor.kind() == Kind.LEAVE ? 1 : 0;
      lostNs += cursor.lostNs();
    }
    return "";
  }

  /** @return the event at which the cursor of a thread of the process stands */
  Words of(ProcessTrace process, EventCursor at) {
    int operand = at.operand();
    return switch (at.kind()) {
      case Kind.ENTER, Kind.LEAVE, Kind.SAMPLE -> call(process, operand, "");
      case Kind.VISITS -> call(process, operand, at.payload(0) + " visits");
      case Kind.THROTTLED -> call(process, operand, "after " + at.payload(0) + " calls");
      case Kind.CPU -> words("", "CPU time " + at.payload(0) + " ns, lost " + at.payload(1) + " ns"
          + (at.payloadCount() > 2 && at.payload(2) >> 62 == 0 ? ", preempted for " + at.payload(2) + " ns since the last such event"
              : ""));
      case Kind.SEND -> message(process, at, "to ");
      case Kind.RECEIVE, Kind.PROBE -> message(process, at, "from ");
      case Kind.PARTITIONED_SEND -> partitioned(process, at, "to ");
      case Kind.PARTITIONED_RECEIVE -> partitioned(process, at, "from ");
      case Kind.RECEIVE_POST -> message(process, at, "from ");
      case Kind.REQUEST_DONE, Kind.REQUEST_CANCEL -> words("", "request " + at.payload(0));
      case Kind.COLLECTIVE, Kind.COLLECTIVE_POST -> collective(process, at);
      case Kind.WINDOW -> window(process, at);
      case Kind.POLL -> words("", at.payload(0) + " attempts without success"
          + (operand == 0 ? "" : ", then one with success"));
      case Kind.ACQUIRE -> words(object(process, operand), "number "
          + Kind.acquireSequence(at.payload(0))
          + (Kind.acquireWaited(at.payload(0)) ? ", waited for" : ""));
      case Kind.RELEASE, Kind.SIGNAL -> words(object(process, operand), "number " + at.payload(0));
      case Kind.WAKE -> words(object(process, operand),
          at.payload(0) == 0 ? "by nobody" : "by number " + at.payload(0));
      case Kind.BARRIER -> words(object(process, operand), "generation " + at.payload(0) + ", "
          + at.payload(1) + " threads");
      case Kind.THREAD_BEGIN -> new Words("", at.payload(0) == 0 ? ""
          : "by " + thread(process, at.payload(0) - 1), NO_BYTES, "");
      case Kind.THREAD_CREATE, Kind.THREAD_JOIN ->
          new Words("", thread(process, at.payload(0)), NO_BYTES, "");
      case Kind.PROCESS_CREATE, Kind.PROCESS_WAIT -> child(process, at);
      case Kind.STREAM_SEND -> stream(process, at, "to ");
      case Kind.STREAM_RECEIVE -> stream(process, at, "from ");
      case Kind.FILE -> file(process, at);
      case Kind.PHASE_BEGIN, Kind.PHASE_END, Kind.MARK -> words(region(process, operand), "");
      case Kind.VALUE -> value(process.metric(operand), at);
      case Kind.THREAD_COUNTERS -> words("", at.payload(0) + " voluntary, " + at.payload(1)
          + " involuntary switches, " + at.payload(2) + " minor, " + at.payload(3)
          + " major page faults");
      default -> words("", "");
    };
  }

  /** @return the innermost procedure that has source, else where the event is; null where unknown */
  Procedure procedure(ProcessTrace process, EventCursor at) {
    return switch (at.kind()) {
      case Kind.ENTER, Kind.LEAVE, Kind.SAMPLE, Kind.VISITS, Kind.THROTTLED -> {
        int[] frames = analysis.procedures().frames(process.index(), at.operand());
        for (int i = frames.length - 1; i >= 0; i--) {
          Procedure procedure = analysis.procedure(frames[i]);
          if (procedure != null && !procedure.getFile().isEmpty()) {
            yield procedure;
          }
        }
        yield frames.length == 0 ? null : analysis.procedure(frames[frames.length - 1]);
      }
      default -> null;
    };
  }

  private static Words words(String what, String details) {
    return new Words(what, "", NO_BYTES, details);
  }

  private static String known(String name) {
    return name == null ? "?" : name;
  }

  private Words call(ProcessTrace process, int path, String details) {
    Procedures procedures = analysis.procedures();
    int[] frames = procedures.frames(process.index(), path);
    String leaf = procedures.get(procedures.leaf(process.index(), path)).name();
    String caller = frames.length < 2 ? "" : "in " + procedures.get(frames[frames.length - 2]).name();
    return words(leaf, details.isEmpty() ? caller
        : details + (caller.isEmpty() ? "" : ", " + caller));
  }

  private Words partitioned(ProcessTrace process, EventCursor at, String direction) {
    PartitionOp op = PartitionOp.of(Kind.partitionOp(at.payload(2)));
    long first = at.payload(3) >>> 32;
    long count = at.payload(3) & 0xffffffffL;
    String what = op == null ? "?" : op != PartitionOp.PARTITIONS ? op.label()
        : count == 1 ? "partition " + first : "partitions " + first + " to " + (first + count - 1);
    return new Words(communicator(process, at.operand()),
        direction + peer(process, at.operand(), Kind.peer(at.payload(0))), at.payload(4),
        what + " of " + Kind.partitions(at.payload(2)) + ", tag " + Kind.tag(at.payload(0)));
  }

  private Words message(ProcessTrace process, EventCursor at, String direction) {
    long peerAndTag = at.payload(0);
    boolean isPosted = at.kind() == Kind.RECEIVE_POST;
    int request = isPosted ? 1 : 2;
    String tag = isPosted && Kind.tag(peerAndTag) == Kind.ANY_TAG ? "any tag"
        : "tag " + Kind.tag(peerAndTag);
    boolean hasRequest = at.kind() != Kind.PROBE && at.payloadCount() > request;
    return new Words(communicator(process, at.operand()),
        direction + peer(process, at.operand(), Kind.peer(peerAndTag)),
        isPosted ? NO_BYTES : at.payload(1),
        tag + (hasRequest ? ", request " + at.payload(request) : ""));
  }

  private String communicator(ProcessTrace process, int id) {
    Communicator communicator = process.communicator(id);
    if (communicator != null && !communicator.name().isEmpty()) {
      return communicator.name();
    }
    return (communicator != null && communicator.isWindow() ? "window " : "communicator ") + id;
  }

  private String peer(ProcessTrace process, int id, int rank) {
    if (rank == Kind.ANY_SOURCE) {
      return "any";
    }
    Communicator communicator = process.communicator(id);
    ProcessTrace peer = null;
    if (communicator != null && communicator.isPvm() && process.pvm() != null) {
      peer = tasks.get(new Rank(process.pvm().machine(), rank));
    } else if (communicator != null && communicator.areMembersKnown() && process.mpi() != null) {
      peer = ranks.get(new Rank(process.mpi().job(), communicator.peerWorldRank(rank)));
    }
    String number = (communicator != null && communicator.isPvm() ? "task " : "rank ") + rank;
    return peer == null ? number : number + " (" + name(peer) + ")";
  }

  private Words collective(ProcessTrace process, EventCursor at) {
    Collective op = Collective.of(Kind.op(at.payload(0)));
    int root = Kind.root(at.payload(0));
    Communicator communicator = process.communicator(at.operand());
    return new Words(communicator(process, at.operand()),
        communicator == null ? "" : communicator.size() + " ranks"
            + (root == Kind.NO_ROOT ? "" : ", root " + peer(process, at.operand(), root)),
        at.payload(1) + at.payload(2), (op == null ? "?" : op.mpiName()) + ", number "
            + at.payload(3) + ", sent " + at.payload(1) + ", received " + at.payload(2)
            + from(Providers.of(at, communicator == null ? 0
                : communicator.isInter() ? communicator.remoteSize() : communicator.size())));
  }

  /** Of those whose data is received the first ones, if it is not that of all. */
  private static String from(int[] ranks) {
    if (ranks == null || ranks.length == 0) {
      return "";
    }
    return Arrays.stream(ranks).limit(MOST_RANKS).mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", " from rank ", ranks.length > MOST_RANKS ? ", ..." : ""));
  }

  private Words window(ProcessTrace process, EventCursor at) {
    WindowOp op = WindowOp.of(Kind.op(at.payload(0)));
    int rank = Kind.root(at.payload(0));
    boolean moves = at.payloadCount() > 2;
    return new Words(communicator(process, at.operand()),
        rank == Kind.NO_ROOT ? "all" : peer(process, at.operand(), rank),
        moves ? at.payload(1) + at.payload(2) : NO_BYTES, (op == null ? "?" : op.label())
            + (moves ? ", sent " + at.payload(1) + ", received " + at.payload(2) : "")
            + (at.payloadCount() > 3 ? ", request " + at.payload(3) : ""));
  }

  private static String object(ProcessTrace process, int id) {
    SyncObject object = process.syncObject(id);
    if (object != null && (object.kind() == SyncObject.Kind.SIGNAL || object.kind().isOfKernel())) {
      return Names.object(object);
    }
    return object == null ? "object " + id
        : object.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + id + " at "
            + Long.toHexString(object.address());
  }

  private static String region(ProcessTrace process, int id) {
    Region region = process.region(id);
    return region == null ? "region " + id : region.name();
  }

  private static String thread(ProcessTrace process, long id) {
    return process.threads().stream().filter(thread -> thread.id() == id).findFirst()
        .map(ThreadTrace::name).orElse("thread " + id);
  }

  private Words child(ProcessTrace process, EventCursor at) {
    long id = at.payload(0);
    int how = (int) Math.min(at.payload(1), CREATIONS.length - 1);
    List<ProcessTrace> children = analysis.workload().processes().stream()
        .filter(each -> how == 3 ? each.pvm() != null && each.pvm().task() == id
            : each.pid() == id && each.parentPid() == process.pid()
                && each.host().equals(process.host())).toList();
    String status = at.kind() == Kind.PROCESS_WAIT ? ", status " + at.payload(2) : "";
    return new Words("", children.isEmpty() ? "process " + id : name(children.get(0)),
        NO_BYTES, CREATIONS[how] + " " + id + status);
  }

  private Words stream(ProcessTrace process, EventCursor at, String direction) {
    Stream stream = process.stream(at.operand());
    if (stream == null) {
      return new Words("stream " + at.operand(), "", at.payload(1), "");
    }
    String others = String.join(", ", streamUsers.getOrDefault(key(stream), Set.of()).stream()
        .filter(other -> other != process).map(this::name).toList());
    long offset = at.payload(0);
    return new Words(stream.name(), others.isEmpty() ? "" : direction + others, at.payload(1),
        at.payload(1) == 0 ? "end, at " + offset
            : "bytes " + offset + " to " + (offset + at.payload(1)));
  }

  private static Words file(ProcessTrace process, EventCursor at) {
    int operation = (int) Math.min(at.payload(0), FILE_OPERATIONS.length - 1);
    boolean moves = operation == READ || operation == WRITE || at.payload(1) > 0;
    return new Words(known(process.file(at.operand())), "", moves ? at.payload(1) : NO_BYTES,
        FILE_OPERATIONS[operation]);
  }

  private static Words value(Metric metric, EventCursor at) {
    if (metric == null) {
      return words("metric " + at.operand(), "");
    }
    double value = metric.value(at.payload(0), at.payload(1));
    String number = metric.isDouble() ? Double.toString(value)
        : Long.toUnsignedString(Metric.bits(at.payload(0), at.payload(1)));
    return words(metric.name(), (number + " " + metric.unit()).strip());
  }
}
