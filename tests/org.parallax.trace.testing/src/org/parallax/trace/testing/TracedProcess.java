package org.parallax.trace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.parallax.trace.Region;

/** A process of a {@link TraceBuilder}. Definitions are written in the order of the calls. */
public final class TracedProcess {
  private static final int REGION = 0;
  private static final int RETURN_ADDRESS = 1;
  private static final int ADDRESS = 2;

  private final TraceBuilder trace;
  private final String host;
  private final int pid;
  private final int seq;
  private int parentPid = 1;
  private final String executable;
  private String command;
  private final FunctionTable functions;
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();
  private final Map<Integer, TracedThread> threads = new TreeMap<>();
  private final Map<String, Integer> regions = new HashMap<>();
  private final Map<List<Object>, Integer> paths = new HashMap<>();
  private final Map<Integer, Long> nextSequence = new HashMap<>();
  private final Map<Long, Integer> communicatorsBefore = new LinkedHashMap<>();
  private long startNs;
  private long realtimeShiftNs;
  private int cpuClock = 1;
  private long endNs = -1;
  private long processCpuNs;
  private int endReason;
  private int status;
  private boolean killed;
  private int nextRegion = 1;
  private int nextPath = 1;
  private int nextObject = 1;
  private int nextStream = 1;
  private int nextFile = 1;
  private int nextMetric = 1;
  private int nextCommunicator = 2;
  private int nextModule;
  private final Map<String, FunctionTable> libraries = new HashMap<>();

  TracedProcess(TraceBuilder trace, String host, int pid, int seq, String executable) {
    this.trace = trace;
    this.host = host;
    this.pid = pid;
    this.seq = seq;
    this.executable = executable;
    this.command = executable;
    this.functions = trace.functions(executable);
    load(functions);
  }

  private void load(FunctionTable file) {
    record(5).u32(nextModule++).u32(0).u64(0).u64(file.loadBias())
        .u64(file.loadBias() + FunctionTable.FIRST_OFFSET)
        .u64(file.loadBias() + FunctionTable.END_OFFSET).string(file.buildId()).string(file.path())
        .end();
  }

  /** The process that created this one; 1 by default. */
  public TracedProcess parent(int newParentPid) {
    parentPid = newParentPid;
    return this;
  }

  /** The first word of the command line, if it is not the executable. */
  public TracedProcess startedAs(String newCommand) {
    command = newCommand;
    return this;
  }

  public int pid() {
    return pid;
  }

  public int parentPid() {
    return parentPid;
  }

  public String host() {
    return host;
  }

  int seq() {
    return seq;
  }

  /** When the agent started in this process; 0 by default. */
  public TracedProcess start(long ns) {
    startNs = ns;
    return this;
  }

  /** The machine's clocks show the time of day later by this. */
  public TracedProcess realtimeShift(long ns) {
    realtimeShiftNs = ns;
    return this;
  }

  /** Nothing tells the CPU time of its threads. */
  public TracedProcess noCpuClock() {
    cpuClock = 0;
    return this;
  }

  /** The process exits at this time instead of at its last event. */
  public TracedProcess exit(long ns, int exitStatus) {
    endNs = ns;
    status = exitStatus;
    return this;
  }

  /** Another program replaces this one at this time. */
  public TracedProcess exec(long ns) {
    endReason = 1;
    return exit(ns, 0);
  }

  /** The process goes on after this time without being recorded. */
  public TracedProcess sandbox(long ns) {
    endReason = 2;
    return exit(ns, 0);
  }

  /** The process continues without recording. */
  public TracedProcess detached(long ns) {
    endReason = 3;
    return exit(ns, 0);
  }

  /** The CPU time that the end of the process tells. */
  public TracedProcess cpu(long ns) {
    processCpuNs = ns;
    return this;
  }

  /** The process leaves no end, and its threads an open last block followed by reserved ones. */
  public TracedProcess killed() {
    killed = true;
    return this;
  }

  /** A rank of a job without {@code MPI_COMM_WORLD}. */
  public TracedProcess mpiSessions(long job, int worldRank, int worldSize) {
    record(9).u64(job).u32(worldRank).u32(worldSize).u32(3).u32(0).string("Open MPI 4.1.4").end();
    return this;
  }

  /** A rank of a job; defines communicator 1 as {@code MPI_COMM_WORLD}. */
  public TracedProcess mpi(long job, int worldRank, int worldSize) {
    return mpiSessions(job, worldRank, worldSize).communicator(1, worldSize, 0x5701_0000L + worldSize, worldRank, 0,
        new int[][] {{0, 1, worldSize}}, new int[0][], "MPI_COMM_WORLD");
  }

  /**
   * A communicator of these world ranks, of which one must be this process's.
   *
   * @return its number in this process
   */
  public int communicator(int worldRank, int... members) {
    int[][] runs = new int[members.length][];
    int own = -1;
    long hash = 0x9E37_79B9L;
    for (int i = 0; i < members.length; i++) {
      runs[i] = new int[] {members[i], 1, 1};
      own = members[i] == worldRank ? i : own;
      hash = hash * 31 + members[i];
    }
    int before = communicatorsBefore.merge(hash, 1, Integer::sum);
    int number = nextCommunicator++;
    communicator(number, members.length, hash * 1009 + before, own, 0, runs, new int[0][], "");
    return number;
  }

  /** A communicator in full; runs are (first world rank, stride, count). */
  public TracedProcess communicator(int number, int size, long globalId, int ownRank, int flags,
      int[][] runs, int[][] remoteRuns, String name) {
    Record record = record(10).u32(number).u32(size).u64(globalId).u32(ownRank).u32(flags)
        .u32(runs.length).u32(remoteRuns.length);
    for (int[][] group : new int[][][] {runs, remoteRuns}) {
      for (int[] run : group) {
        record.u32(run[0]).u32(run[1]).u32(run[2]);
      }
    }
    record.string(name).end();
    return this;
  }

  /** The number of a routine, defined when first asked for. */
  public int region(String name) {
    return regions.computeIfAbsent(name, missing -> {
      record(7).u32(nextRegion).u16(group(name)).u16(0).string(name).end();
      return nextRegion++;
    });
  }

  /** The group of a routine, as FORMAT.md numbers them; 0 for one of the program. */
  private static int group(String name) {
    return switch (name) {
      case "sem_wait" -> 2;
      case "fork", "waitpid", "kill", "nanosleep" -> 5;
      case "read", "write", "close", "accept", "poll", "select", "epoll_wait" -> 6;
      case Region.NOT_RECORDED -> 3;
      default -> name.startsWith("[call stack") ? 3 : name.startsWith("MPI_") ? 1 : name.startsWith("pthread_") ? 2
          : name.startsWith("omp ") || name.startsWith("[OpenMP") ? 4 : 0;
    };
  }

  /** Loads a library, whose functions call paths name as {@code libc.so.6:memcpy}. */
  public TracedProcess library(String path) {
    FunctionTable library = trace.functions(path);
    libraries.put(path.substring(path.lastIndexOf('/') + 1), library);
    load(library);
    return this;
  }

  /** The number of a phase or mark, defined when first asked for. */
  public int phase(String name) {
    return regions.computeIfAbsent(name, missing -> {
      record(7).u32(nextRegion).u16(9).u16(0).string(name).end();
      return nextRegion++;
    });
  }

  /**
   * The number of a call path such as {@code main/solve/MPI_Send}, defined when first asked for.
   * Names that begin with {@code MPI_} or {@code pthread_} or were given to {@link #region} are
   * intercepted routines. The others are functions of the executable, or of a {@link #library}, known
   * by an address inside them, with symbols.
   */
  public int path(String names) {
    int path = 0;
    String[] name = names.isEmpty() ? new String[0] : names.split("/");
    for (int i = 0; i < name.length; i++) {
      boolean isRegion = regions.containsKey(name[i]) || name[i].startsWith("MPI_")
          || name[i].startsWith("pthread_");
      if (isRegion) {
        path = path(path, REGION, region(name[i]));
      } else {
        int colon = name[i].indexOf(':');
        FunctionTable library = colon < 0 ? null : libraries.get(name[i].substring(0, colon));
        FunctionTable file = library == null ? functions : library;
        String function = library == null ? name[i] : name[i].substring(colon + 1);
        path = i < name.length - 1 ? path(path, RETURN_ADDRESS, file.returnAddress(function))
            : path(path, ADDRESS, file.sampledAddress(function));
      }
    }
    return path;
  }

  /** A call path by its parent, kind (0 region, 1 return address, 2 address) and leaf. */
  public int path(int parent, int kind, long value) {
    return paths.computeIfAbsent(List.of(parent, kind, value), missing -> {
      record(8).u32(nextPath).u32(parent).u16(kind).u16(0).u32(0).u64(value).end();
      return nextPath++;
    });
  }

  /** Where a function of the executable is when it has called another: a return address. */
  public long callSite(String function) {
    return functions.returnAddress(function);
  }

  /** An address in a function of the executable. */
  public long address(String function) {
    return functions.sampledAddress(function);
  }

  /** An object of this process alone; returns its number. */
  public int syncObject(int kind, long address) {
    return syncObject(kind, address, 0);
  }

  /** An object that processes of the host with the same key share; returns its number. */
  public int syncObject(int kind, long address, long key) {
    record(11).u32(nextObject).u16(kind).u16(0).u64(address).u64(key).end();
    return nextObject++;
  }

  /** One direction of a pipe (kind 1), of a TCP connection (3) ...; returns its number. */
  public int stream(int kind, long key, String name) {
    record(16).u32(nextStream).u16(kind).u16(0).u64(key).u64(0).string(name).end();
    return nextStream++;
  }

  /** Bytes of a stream went past the agent. */
  public void distrust(int stream, int kind, long key) {
    record(16).u32(stream).u16(kind).u16(1).u64(key).u64(0).string("").end();
  }

  /** A file; returns its number. */
  public int file(String path) {
    record(17).u32(nextFile).u32(0).string(path).end();
    return nextFile++;
  }

  /** A metric of the program; returns its number. */
  public int metric(boolean counter, boolean isDouble, String name, String unit) {
    record(15).u32(nextMetric).u16(counter ? 1 : 0).u16(isDouble ? 1 : 0).string(name)
        .string(unit).end();
    return nextMetric++;
  }

  /** How this process was measured. */
  public TracedProcess setting(String key, String value) {
    record(13).u32(0).string(key).string(value).end();
    return this;
  }

  /** A later name of a thread. */
  public TracedProcess threadName(int thread, String name) {
    record(14).u32(thread).u32(0).string(name).end();
    return this;
  }

  /** A task of PVM; defines communicator 1 as its virtual machine. */
  public TracedProcess pvm(long machine, int task, int parentTask) {
    record(18).u64(machine).u32(task).u32(parentTask).end();
    return communicator(1, 0, machine, task, 4, new int[0][], new int[0][], "PVM");
  }

  /** Something that a person must be told. */
  public TracedProcess note(String text) {
    record(12).u32(0).string(text).end();
    return this;
  }

  /** A pair of clock readings. */
  public TracedProcess clockSync(long ns) {
    record(3).u64(trace.ticks(ns)).u64(TraceBuilder.BASE_MONOTONIC_NS + ns)
        .u64(TraceBuilder.BASE_REALTIME_NS + realtimeShiftNs + ns).end();
    return this;
  }

  /** The thread with this number, defined when first asked for as created by the main thread. */
  public TracedThread thread(int number) {
    return thread(number, number == 0 ? -1 : 0, "");
  }

  /** The thread with this number, creator (-1 for none) and name. */
  public TracedThread thread(int number, int creator, String name) {
    return threads.computeIfAbsent(number, missing -> {
      record(4).u32(number).u32(pid + number).u32(creator + 1).u32(0).u64(trace.ticks(startNs))
          .string(name).end();
      return new TracedThread(trace, this, number,
          trace.directory().resolve(stem() + "." + number + ".evt"));
    });
  }

  void endThreads() {
    if (!killed) {
      threads.values().forEach(TracedThread::endIfBegun);
    }
  }

  /** A record of any type, for what the other methods do not offer. */
  public Record record(int type) {
    return new Record(type, records);
  }

  long nextSequence(int communicator) {
    return nextSequence.merge(communicator, 1L, Long::sum) - 1;
  }

  boolean isKilled() {
    return killed;
  }

  private String stem() {
    return host.replaceAll("[^A-Za-z0-9-]", "_") + "." + pid + "." + seq;
  }

  void write() throws IOException {
    long lastNs = startNs;
    for (TracedThread thread : threads.values()) {
      thread.finish();
      lastNs = Math.max(lastNs, thread.lastNs());
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("PLKDEFS\0".getBytes(StandardCharsets.UTF_8));
    file.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(1)
        .putInt(0x01020304).array());
    new Record(1, file).u64(trace.ticks(startNs)).u64(TraceBuilder.BASE_MONOTONIC_NS + startNs)
        .u64(TraceBuilder.BASE_REALTIME_NS + realtimeShiftNs + startNs).u64(trace.tickHz())
        .u32(pid).u32(parentPid).u16(trace.isTsc() ? 1 : 0).u16(cpuClock).u32(trace.sampleHz()).string(host)
        .string(executable).string(command + "\0--size\0" + 100).string("/home/user/run").end();
    file.writeBytes(records.toByteArray());
    if (killed) {
      file.writeBytes(new byte[4096]);
    } else {
      long end = endNs >= 0 ? endNs : lastNs;
      new Record(2, file).u64(trace.ticks(end)).u64(TraceBuilder.BASE_MONOTONIC_NS + end)
          .u64(processCpuNs).u16(endReason).u16(0).u32(status).end();
    }
    Path path = trace.directory().resolve(stem() + ".def");
    Files.write(path, file.toByteArray());
  }

  /** The body of a record, written when {@link #end} is called. */
  public static final class Record {
    private final int type;
    private final ByteArrayOutputStream target;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private Record(int type, ByteArrayOutputStream target) {
      this.type = type;
      this.target = target;
    }

    public Record u16(int value) {
      body.write(value);
      body.write(value >> 8);
      return this;
    }

    public Record u32(int value) {
      return u16(value).u16(value >> 16);
    }

    public Record u64(long value) {
      return u32((int) value).u32((int) (value >> 32));
    }

    public Record string(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      u32(bytes.length);
      body.writeBytes(bytes);
      return this;
    }

    public void end() {
      while (body.size() % 8 != 0) {
        body.write(0);
      }
      byte[] bytes = body.toByteArray();
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      target.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN)
          .putInt(bytes.length + 8).putShort((short) type).putShort((short) crc.getValue())
          .array());
      target.writeBytes(bytes);
    }
  }
}
