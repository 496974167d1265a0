package org.parallax.trace;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The content of one definitions file, as far as it can be read. */
final class Definitions implements RecordReader.Visitor {
  static final int PROCESS = 1;
  static final int PROCESS_END = 2;
  static final int CLOCK_SYNC = 3;
  private static final int CLOCK_OFFSET = 22;
  static final int THREAD = 4;
  static final int MODULE = 5;
  static final int MODULE_UNLOAD = 6;
  static final int REGION = 7;
  static final int CALL_PATH = 8;
  static final int MPI = 9;
  static final int COMMUNICATOR = 10;
  static final int SYNC_OBJECT = 11;
  static final int NOTE = 12;
  static final int SETTING = 13;
  static final int THREAD_NAME = 14;
  static final int METRIC = 15;
  static final int STREAM = 16;
  private static final int STREAM_UNTRUSTED = 1;
  static final int FILE = 17;
  static final int PVM = 18;
  /** The first block of a thread, a small one: its check is that of the block. */
  static final int EVENTS = 21;
  /** The last type that is known. */
  static final int LAST_TYPE = EVENTS;

  private static final int MIN_MAX_ID = 1 << 21;
  private static final String THIS = "this definition";

  record ProcessRecord(long startTicks, long monotonicNs, long realtimeNs, long tickHz, int pid,
      int parentPid, int clock, int cpuClock, int sampleHz, String host, String executable,
      List<String> arguments, String directory) {
  }

  record End(long ticks, long monotonicNs, long cpuNs, int reason, int status) {
    EndReason how() {
      return switch (reason) {
        case 1 -> EndReason.EXEC;
        case 2 -> EndReason.SANDBOX;
        case 3 -> EndReason.DETACHED;
        default -> EndReason.EXIT;
      };
    }
  }

  record ClockPair(long ticks, long monotonicNs) {
  }

  /** What another host's CLOCK_MONOTONIC showed at a moment, within an error. */
  record ClockOffset(long monotonicNs, long otherMonotonicNs, long errorNs, String otherHost) {
  }

  record ThreadRecord(int id, int kernelTid, int creator, int flags, long ticks, String name) {
  }

  record ModuleRecord(int id, long ticks, long loadBias, long first, long end, String buildId,
      String path) {
  }

  record Unload(int module, long ticks) {
  }

  /** Where a block of events stands in the file. */
  record FirstBlock(long byteOffset, int sizeBytes) {
  }

  final Path file;
  ProcessRecord process;
  End end;
  Mpi mpi;
  final List<ClockPair> clockSyncs = new ArrayList<>();
  final List<ClockOffset> clockOffsets = new ArrayList<>();
  final List<ThreadRecord> threads = new ArrayList<>();
  final List<ModuleRecord> modules = new ArrayList<>();
  final List<Unload> unloads = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  Pvm pvm;
  Losses losses = Losses.NONE;
  final Map<String, String> settings = new LinkedHashMap<>();
  final Map<Integer, String> threadNames = new HashMap<>();
  /** The blocks of events in this file, by thread. */
  final Map<Integer, FirstBlock> firstBlocks = new HashMap<>();
  final NumberedTable<Region> regions = new NumberedTable<>(Region[]::new);
  final NumberedTable<SyncObject> syncObjects = new NumberedTable<>(SyncObject[]::new);
  final NumberedTable<Communicator> communicators = new NumberedTable<>(Communicator[]::new);
  /** Those with members of several MPI jobs. */
  final List<Communicator> betweenJobs = new ArrayList<>();
  final NumberedTable<Metric> metrics = new NumberedTable<>(Metric[]::new);
  final NumberedTable<Stream> streams = new NumberedTable<>(Stream[]::new);
  final NumberedTable<String> files = new NumberedTable<>(String[]::new);

  private int[] pathParent = new int[256];
  private byte[] pathKind = new byte[256];
  private long[] pathValue = new long[256];
  private int pathCount = 1;
  private boolean hasRecords;

  /** Numbers are dense: one far above the file's size is damage, no reason to allocate memory. */
  private final long maxId;
  private final DamageSink damage;

  private Definitions(Path file, long sizeBytes, DamageSink damage) {
    this.file = file;
    this.maxId = Math.max(MIN_MAX_ID, Math.min(sizeBytes / 8, Integer.MAX_VALUE / 2));
    this.damage = damage;
    Arrays.fill(pathKind, CallPaths.UNDEFINED);
  }

  static Definitions read(Path file, DamageSink damage) throws IOException {
    Definitions definitions = new Definitions(file, Files.size(file), damage);
    RecordReader.read(file, definitions);
    return definitions;
  }

  CallPaths callPaths() {
    return new CallPaths(Arrays.copyOf(pathParent, pathCount), Arrays.copyOf(pathKind, pathCount),
        Arrays.copyOf(pathValue, pathCount));
  }

  @Override
  public void problem(long byteOffset, RecordReader.Fault fault, String fact, String loss) {
    hasRecords = true;
    lost(byteOffset, fact, loss);
  }

  private void lost(long byteOffset, String fact, String loss) {
    damage.damage(file, DamageSink.NONE, byteOffset, fact, loss);
  }

  /** Whether the process was killed before it had written its first record. */
  boolean isUnbegun() {
    return !hasRecords;
  }

  @Override
  public void record(int type, ByteBuffer body, long byteOffset) {
    hasRecords = true;
    try {
      String problem = type == EVENTS ? firstBlock(body, byteOffset) : parse(type, body);
      if (problem != null) {
        lost(byteOffset, problem, THIS);
      }
    } catch (BufferUnderflowException e) {
      lost(byteOffset, "a record of type " + type + " is too short for its content", THIS);
    }
  }

  /** A block that is reserved and was never begun has magic 0. */
  private String firstBlock(ByteBuffer body, long byteOffset) {
    int at = body.position();
    int size = body.remaining();
    if (size < EventFile.HEADER_BYTES || size > EventFile.BLOCK_BYTES) {
      return "a block of events has " + size + " bytes";
    }
    if (body.getInt(at) != 0) {
      firstBlocks.putIfAbsent(body.getInt(at + EventFile.AT_THREAD),
          new FirstBlock(byteOffset + RecordReader.RECORD_HEADER_BYTES, size));
    }
    return null;
  }

  private String parse(int type, ByteBuffer body) {
    switch (type) {
      case PROCESS:
        if (process != null) {
          return "a second Process record";
        }
        process = process(body);
        return null;
      case PROCESS_END:
        long ticks = body.getLong();
        long monotonicNs = body.getLong();
        long cpuNs = body.getLong();
        int reason = body.getShort() & 0xffff;
        body.getShort();
        end = new End(ticks, monotonicNs, cpuNs, reason, body.getInt());
        return null;
      case CLOCK_SYNC:
        clockSyncs.add(new ClockPair(body.getLong(), body.getLong()));
        return null;
      case CLOCK_OFFSET:
        clockOffsets.add(new ClockOffset(body.getLong(), body.getLong(), body.getLong(), string(body)));
        return null;
      case THREAD:
        return thread(body);
      case MODULE:
        int module = body.getInt();
        body.getInt();
        modules.add(new ModuleRecord(module, body.getLong(), body.getLong(), body.getLong(),
            body.getLong(), string(body), string(body)));
        return null;
      case MODULE_UNLOAD:
        int unloaded = body.getInt();
        body.getInt();
        unloads.add(new Unload(unloaded, body.getLong()));
        return null;
      case REGION:
        return region(body);
      case CALL_PATH:
        return callPath(body);
      case MPI:
        long job = body.getLong();
        int rank = body.getInt();
        int size = body.getInt();
        int level = body.getInt();
        body.getInt();
        mpi = new Mpi(job, rank, size, level, string(body));
        return null;
      case COMMUNICATOR:
        return communicator(body);
      case SYNC_OBJECT:
        return syncObject(body);
      case NOTE:
        body.getInt();
        notes.add(string(body));
        return null;
      case SETTING:
        body.getInt();
        settings.put(string(body), string(body));
        return null;
      case THREAD_NAME:
        int named = body.getInt();
        body.getInt();
        threadNames.put(named, string(body));
        return null;
      case METRIC:
        return metric(body);
      case STREAM:
        return stream(body);
      case FILE:
        return file(body);
      case PVM:
        pvm = new Pvm(body.getLong(), body.getInt(), body.getInt());
        return null;
      case RecordReader.LOSSES:
        losses = losses(body);
        return null;
      default:
        return null;
    }
  }

  private static Losses losses(ByteBuffer body) {
    long firstTicks = body.getLong();
    long lastTicks = body.getLong();
    long events = body.getLong();
    long definitions = body.getLong();
    long callPaths = body.getLong();
    int cause = body.getShort() & 0xffff;
    return new Losses(events, definitions, callPaths, firstTicks, lastTicks,
        cause < Losses.Cause.values().length ? Losses.Cause.values()[cause] : Losses.Cause.OTHER);
  }

  private static ProcessRecord process(ByteBuffer body) {
    long startTicks = body.getLong();
    long monotonicNs = body.getLong();
    long realtimeNs = body.getLong();
    long tickHz = body.getLong();
    int pid = body.getInt();
    int parentPid = body.getInt();
    int clock = body.getShort() & 0xffff;
    int cpuClock = body.getShort() & 0xffff;
    int sampleHz = body.getInt();
    String host = string(body);
    String executable = string(body);
    String command = string(body);
    List<String> arguments = command.isEmpty() ? List.of()
        : List.of((command.endsWith("\0") ? command.substring(0, command.length() - 1) : command)
            .split("\0", -1));
    return new ProcessRecord(startTicks, monotonicNs, realtimeNs, tickHz, pid, parentPid, clock,
        cpuClock, sampleHz, host, executable, arguments, string(body));
  }

  private String thread(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("thread", id);
    }
    int kernelTid = body.getInt();
    int creator = body.getInt() - 1;
    threads.add(new ThreadRecord(id, kernelTid, creator, body.getInt(), body.getLong(),
        string(body)));
    return null;
  }

  private String region(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("region", id);
    }
    int group = body.getShort() & 0xffff;
    body.getShort();
    regions.put(id, new Region(id, Region.Group.of(group), string(body)));
    return null;
  }

  private String syncObject(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("sync object", id);
    }
    int kind = body.getShort() & 0xffff;
    body.getShort();
    syncObjects.put(id,
        new SyncObject(id, SyncObject.Kind.of(kind), body.getLong(), body.getLong()));
    return null;
  }

  private String metric(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("metric", id);
    }
    int kind = body.getShort() & 0xffff;
    int type = body.getShort() & 0xffff;
    metrics.put(id, new Metric(id, kind == 1, type == 1, string(body), string(body)));
    return null;
  }

  private String stream(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("stream", id);
    }
    int kind = body.getShort() & 0xffff;
    boolean isTrusted = (body.getShort() & STREAM_UNTRUSTED) == 0;
    Stream stream = new Stream(id, Stream.Kind.of(kind), body.getLong(), body.getLong(),
        string(body), isTrusted);
    Stream before = streams.get(id);
    streams.put(id, before == null ? stream : before.withTrust(before.isTrusted() && isTrusted));
    return null;
  }

  private String file(ByteBuffer body) {
    int id = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("file", id);
    }
    body.getInt();
    files.put(id, string(body));
    return null;
  }

  private String callPath(ByteBuffer body) {
    int id = body.getInt();
    int parent = body.getInt();
    int kind = body.getShort() & 0xffff;
    body.getShort();
    body.getInt();
    long value = body.getLong();
    if (id == 0 || isOutOfRange(id)) {
      return outOfRange("call path", id);
    }
    if (parent < 0 || parent >= id) {
      return "call path " + id + " has parent " + Integer.toUnsignedString(parent)
          + ", expected a lower number";
    }
    if (kind > CallPaths.FUNCTION) {
      return "call path " + id + " has kind " + kind + ", expected at most " + CallPaths.FUNCTION;
    }
    if (id >= pathKind.length) {
      int length = Math.max(id + 1, pathKind.length * 2);
      pathParent = Arrays.copyOf(pathParent, length);
      pathValue = Arrays.copyOf(pathValue, length);
      int old = pathKind.length;
      pathKind = Arrays.copyOf(pathKind, length);
      Arrays.fill(pathKind, old, length, CallPaths.UNDEFINED);
    }
    pathParent[id] = parent;
    pathKind[id] = (byte) kind;
    pathValue[id] = value;
    pathCount = Math.max(pathCount, id + 1);
    return null;
  }

  private String communicator(ByteBuffer body) {
    int id = body.getInt();
    int size = body.getInt();
    long globalId = body.getLong();
    int ownRank = body.getInt();
    int flags = body.getInt();
    int runs = body.getInt();
    int remoteRuns = body.getInt();
    if (isOutOfRange(id)) {
      return outOfRange("communicator", id);
    }
    if (runs < 0 || remoteRuns < 0 || (long) runs + remoteRuns > body.remaining() / 12) {
      return "communicator " + id + " has more runs of members than its record";
    }
    Communicator.Group local = group(body, runs);
    Communicator.Group remote = group(body, remoteRuns);
    if (local == null || remote == null) {
      return "communicator " + id + " has a run of members with a count below 1 or too large";
    }
    Communicator communicator =
        new Communicator(id, globalId, size, ownRank, flags, local, remote, string(body));
    communicators.put(id, communicator);
    if (communicator.isBetweenJobs()) {
      betweenJobs.add(communicator);
    }
    return null;
  }

  private static Communicator.Group group(ByteBuffer body, int runs) {
    int[] first = new int[runs];
    int[] stride = new int[runs];
    int[] end = new int[runs];
    long total = 0;
    for (int i = 0; i < runs; i++) {
      first[i] = body.getInt();
      stride[i] = body.getInt();
      int count = body.getInt();
      total += count;
      if (count < 1 || total > Integer.MAX_VALUE) {
        return null;
      }
      end[i] = (int) total;
    }
    return new Communicator.Group(first, stride, end);
  }

  private boolean isOutOfRange(int id) {
    return id < 0 || id > maxId;
  }

  private String outOfRange(String what, int id) {
    return what + " has number " + Integer.toUnsignedString(id)
        + ", which cannot be in a file of this size";
  }

  private static String string(ByteBuffer body) {
    int length = body.getInt();
    if (length < 0 || length > body.remaining()) {
      throw new BufferUnderflowException();
    }
    String text = new String(body.array(), body.arrayOffset() + body.position(), length,
        StandardCharsets.UTF_8);
    body.position(body.position() + length);
    return text;
  }
}
