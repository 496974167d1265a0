package org.parallax.trace;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The canonical text of a trace, as {@code native/format/golden/README.md} specifies it. */
final class TraceDump {
  private static final DamageSink NOBODY = (file, block, offset, fact, loss) -> { };
  private static final String[] CLOCKS = {"monotonic", "tsc"};
  private static final String[] CPU_CLOCKS = {"none", "threadClock", "perfPage", "switchMark"};
  private static final String[] REASONS = {"exit", "exec", "sandbox"};
  private static final String[] GROUPS = {"user", "mpi", "pthread", "agent", "openmp", "process",
      "stream", "file", "pvm", "phase"};
  private static final String[] PATH_KINDS = {"region", "returnAddress", "address", "function"};
  private static final String[] SYNC_KINDS = {"", "mutex", "condition", "barrier",
      "readWriteLock", "spinLock", "semaphore", "openmpLock", "openmpTasks",
      "signal"};
  private static final String[] METRIC_KINDS = {"gauge", "counter"};
  private static final String[] METRIC_TYPES = {"unsigned", "double"};
  private static final String[] STREAM_KINDS = {"", "pipe", "unixStream", "tcp", "unixPacket",
      "udp"};
  private static final String[] LOSS_CAUSES = {"none", "diskFull", "diskReserved",
      "traceTooLarge", "fileTooLarge", "memory", "descriptors", "other", "forbidden"};
  private static final String[] CREATIONS = {"fork", "vfork", "spawn", "pvmSpawn", "mpiSpawn"};
  private static final String[] PARTITION_OPS = {"", "start", "partitions", "done"};
  private static final String[] WINDOW_OPS = {"", "put", "get", "accumulate", "getAccumulate", "fetchAndOp",
      "compareAndSwap", "done", "post", "start", "complete", "wait", "lockShared", "lockExclusive", "unlock",
      "flush", "flushLocal"};
  private static final String[] FILE_OPS = {"", "open", "close", "read", "write", "sync", "seek",
      "other"};

  private record Stem(String name, byte[] host, long pid, long seq) {
    static Stem of(String name) {
      int seqDot = name.lastIndexOf('.');
      int pidDot = name.lastIndexOf('.', seqDot - 1);
      return new Stem(name, name.substring(0, pidDot).getBytes(StandardCharsets.UTF_8),
          Long.parseLong(name.substring(pidDot + 1, seqDot)),
          Long.parseLong(name.substring(seqDot + 1)));
    }
  }

  private final StringBuilder text = new StringBuilder();

  private TraceDump() {
  }

  static String of(Path trace) throws IOException, TraceException {
    TraceDump dump = new TraceDump();
    dump.trace(TraceDirectory.find(trace, Progress.NONE));
    if (Files.exists(trace.resolve(Symbols.FILE_NAME))) {
      dump.text.append(SymbolsDump.of(trace.resolve(Symbols.FILE_NAME)));
    }
    return dump.text.toString();
  }

  /** Without the symbols, also of a damaged trace. */
  static String ofEvents(Path trace) throws IOException, TraceException {
    TraceDump dump = new TraceDump();
    dump.trace(TraceDirectory.find(trace, Progress.NONE));
    return dump.text.toString();
  }

  private void trace(TraceDirectory directory) throws IOException {
    directory.manifest.values().forEach((key, value) ->
        text.append("manifest ").append(key).append(" = ").append(value).append('\n'));
    Set<String> names = new TreeSet<>(directory.definitions.keySet());
    names.addAll(directory.events.keySet());
    List<Stem> stems = new ArrayList<>();
    names.forEach(name -> stems.add(Stem.of(name)));
    stems.sort(Comparator.comparing(Stem::host, Arrays::compareUnsigned)
        .thenComparing(Stem::pid).thenComparing(Stem::seq));
    for (Stem stem : stems) {
      text.append("process ").append(stem.name()).append('\n');
      Path definitions = directory.definitions.get(stem.name());
      if (definitions == null) {
        text.append("definitions missing\n");
      } else {
        definitions(definitions);
      }
      Map<Integer, Path> files = directory.events.getOrDefault(stem.name(), Map.of());
      Map<Integer, EventFile> threads = new TreeMap<>();
      if (definitions != null) {
        threads = EventFile.openAll(Definitions.read(definitions, NOBODY), files, 0, NOBODY);
      } else {
        for (Map.Entry<Integer, Path> events : files.entrySet()) {
          threads.put(events.getKey(),
              EventFile.open(events.getValue(), events.getKey(), 0, NOBODY));
        }
      }
      for (Map.Entry<Integer, EventFile> thread : threads.entrySet()) {
        text.append("thread ").append(thread.getKey()).append('\n');
        blocks(thread.getValue());
      }
    }
  }

  // ---- definitions

  private void definitions(Path file) throws IOException {
    boolean[] states = new boolean[2];
    RecordReader.read(file, new RecordReader.Visitor() {
      @Override
      public void record(int type, ByteBuffer body, long byteOffset) {
        int before = text.length();
        try {
          TraceDump.this.record(type, body);
        } catch (BufferUnderflowException e) {
          text.setLength(before);
          states[1] = true;
        }
      }

      @Override
      public void problem(long byteOffset, RecordReader.Fault fault, String fact, String loss) {
        states[0] |= fault == RecordReader.Fault.TRUNCATED;
        states[1] |= fault == RecordReader.Fault.CHECK || fault == RecordReader.Fault.SIZE;
      }
    });
    if (states[0] || states[1]) {
      text.append(states[0] ? "definitions truncated\n" : "definitions damaged\n");
    }
  }

  private void record(int type, ByteBuffer b) {
    switch (type) {
      case Definitions.PROCESS:
        text.append("Process");
        u64("startTicks", b);
        u64("monotonicNs", b);
        u64("realtimeNs", b);
        u64("tickHz", b);
        u32("pid", b);
        u32("parentPid", b);
        named("clock", CLOCKS, b);
        named("cpuClock", CPU_CLOCKS, b);
        u32("sampleHz", b);
        strings(b, "host", "executable", "command", "directory");
        break;
      case Definitions.PROCESS_END:
        text.append("ProcessEnd");
        u64("ticks", b);
        u64("monotonicNs", b);
        u64("cpuNs", b);
        named("reason", REASONS, b);
        b.getShort();
        text.append(" status=").append(b.getInt());
        break;
      case Definitions.CLOCK_SYNC:
        text.append("ClockSync");
        u64("ticks", b);
        u64("monotonicNs", b);
        u64("realtimeNs", b);
        break;
      case Definitions.THREAD:
        text.append("Thread");
        u32("thread", b);
        u32("kernelTid", b);
        u32("creatorPlusOne", b);
        u32("flags", b);
        u64("ticks", b);
        strings(b, "name");
        break;
      case Definitions.MODULE:
        text.append("Module");
        u32("module", b);
        b.getInt();
        u64("ticks", b);
        hex("loadBias", b.getLong());
        hex("firstAddress", b.getLong());
        hex("endAddress", b.getLong());
        strings(b, "buildId", "path");
        break;
      case Definitions.MODULE_UNLOAD:
        text.append("ModuleUnload");
        u32("module", b);
        b.getInt();
        u64("ticks", b);
        break;
      case Definitions.REGION:
        text.append("Region");
        u32("region", b);
        named("group", GROUPS, b);
        b.getShort();
        strings(b, "name");
        break;
      case Definitions.CALL_PATH:
        text.append("CallPath");
        u32("path", b);
        u32("parent", b);
        int kind = b.getShort();
        named("kind", PATH_KINDS, kind);
        b.getShort();
        b.getInt();
        if (kind == 0) {
          u64("value", b);
        } else {
          hex("value", b.getLong());
        }
        break;
      case Definitions.MPI:
        text.append("Mpi");
        hex("job", b.getLong());
        u32("worldRank", b);
        u32("worldSize", b);
        u32("threadLevel", b);
        b.getInt();
        strings(b, "library");
        break;
      case Definitions.COMMUNICATOR:
        communicator(b);
        break;
      case Definitions.SYNC_OBJECT:
        text.append("SyncObject");
        u32("object", b);
        named("kind", SYNC_KINDS, b);
        b.getShort();
        hex("address", b.getLong());
        hex("key", b.getLong());
        break;
      case Definitions.NOTE:
        b.getInt();
        text.append("Note");
        strings(b, "text");
        break;
      case Definitions.SETTING:
        b.getInt();
        text.append("Setting");
        strings(b, "key", "value");
        break;
      case Definitions.THREAD_NAME:
        text.append("ThreadName");
        u32("thread", b);
        b.getInt();
        strings(b, "name");
        break;
      case Definitions.METRIC:
        text.append("Metric");
        u32("metric", b);
        named("kind", METRIC_KINDS, b);
        named("type", METRIC_TYPES, b);
        strings(b, "name", "unit");
        break;
      case Definitions.STREAM:
        text.append("Stream");
        u32("stream", b);
        named("kind", STREAM_KINDS, b);
        int flags = b.getShort() & 0xffff;
        hex("keyHigh", b.getLong());
        hex("keyLow", b.getLong());
        strings(b, "name");
        if (flags != 0) {
          text.append(" flags=").append(flags);
        }
        break;
      case Definitions.FILE:
        text.append("File");
        u32("file", b);
        b.getInt();
        strings(b, "path");
        break;
      case Definitions.PVM:
        text.append("Pvm");
        hex("machine", b.getLong());
        u32("task", b);
        u32("parentTask", b);
        break;
      case RecordReader.LOSSES:
        text.append("Losses");
        u64("firstTicks", b);
        u64("lastTicks", b);
        u64("events", b);
        u64("definitions", b);
        u64("callPaths", b);
        named("cause", LOSS_CAUSES, b);
        b.getShort();
        u32("error", b);
        break;
      default:
        return;
    }
    text.append('\n');
  }

  private void communicator(ByteBuffer b) {
    text.append("Communicator");
    u32("communicator", b);
    u32("size", b);
    hex("globalId", b.getLong());
    u32("ownRank", b);
    u32("flags", b);
    int own = b.getInt();
    int remote = b.getInt();
    for (int group = 0; group < 2; group++) {
      text.append(group == 0 ? " own=" : " remote=");
      for (int i = 0; i < (group == 0 ? own : remote); i++) {
        text.append(i == 0 ? "" : ",").append(Integer.toUnsignedString(b.getInt())).append(':')
            .append(b.getInt()).append(':').append(Integer.toUnsignedString(b.getInt()));
      }
    }
    strings(b, "name");
  }

  // ---- events

  private void blocks(EventFile file) {
    EventCursor cursor = new EventCursor(file,
        MachineClock.of("", MachineClock.Source.MONOTONIC, true, 1, 1, 0, 0, 0), null, 0);
    for (int block = 0; block < file.blockCount(); block++) {
      if (file.isMissing(block)) {
        continue;
      }
      if (isForeign(file, block)) {
        return;
      }
      text.append("block ").append(Long.toUnsignedString(number(file, block)));
      number("baseTicks", file.baseTicks(block));
      number("monotonicNs", file.monotonicNs(block));
      number("cpuNs", file.cpuNs(block));
      number("lost", file.lost(block));
      number("openPath", file.openPath(block) & 0xffffffffL);
      String state = state(file, block);
      text.append(" state=").append(state).append('\n');
      if (state.equals("damaged")) {
        continue;
      }
      long position = (long) block << EventFile.BLOCK_SHIFT - 3;
      for (boolean found = cursor.seek(position); found && cursor.block() == block;
          found = cursor.next()) {
        if (cursor.payloadCount() >= Kind.minimumPayload(cursor.kind())) {
          event(cursor);
        }
      }
    }
  }

  private static long number(EventFile file, int block) {
    return file.segment(block).getLong(file.offset(block) + EventFile.AT_NUMBER);
  }

  private static boolean isForeign(EventFile file, int block) {
    ByteBuffer buffer = file.segment(block);
    int at = file.offset(block);
    return buffer.getInt(at) != EventFile.MAGIC
        || buffer.getShort(at + EventFile.AT_VERSION) != Manifest.VERSION;
  }

  private static String state(EventFile file, int block) {
    if (!file.isClosed(block)) {
      return "open";
    }
    int used = file.segment(block).getInt(file.offset(block) + EventFile.AT_USED);
    return file.isDamaged(block) || used != file.usedSlots(block) ? "damaged" : "closed";
  }

  private void event(EventCursor e) {
    text.append(Long.toUnsignedString(e.ticks())).append(' ');
    int kind = e.kind();
    if (kind == Kind.NONE || kind >= Kind.COUNT) {
      text.append("Kind").append(kind);
      number("operand", e.operand() & 0xffffffffL);
      text.append(" payload=");
      for (int i = 0; i < e.payloadCount(); i++) {
        text.append(i == 0 ? "" : ",").append(e.payload(i));
      }
      text.append('\n');
      return;
    }
    text.append(Kind.name(kind));
    switch (kind) {
      case Kind.ENTER, Kind.LEAVE, Kind.SAMPLE -> operand("path", e);
      case Kind.CPU -> {
        payload(e, "cpuNs", "lostNs");
        if (e.payloadCount() > 2) {
          number("runnableNs", e.payload(2));
        }
      }
      case Kind.SEND, Kind.RECEIVE -> {
        message(e);
        number("bytes", e.payload(1));
        if (e.payloadCount() > 2) {
          number("request", e.payload(2));
        }
      }
      case Kind.RECEIVE_POST -> {
        message(e);
        number("request", e.payload(1));
      }
      case Kind.PARTITIONED_SEND, Kind.PARTITIONED_RECEIVE -> partitioned(e);
      case Kind.PROBE -> {
        message(e);
        number("bytes", e.payload(1));
      }
      case Kind.REQUEST_DONE, Kind.REQUEST_CANCEL -> payload(e, "request");
      case Kind.COLLECTIVE, Kind.COLLECTIVE_POST -> collective(e);
      case Kind.WINDOW -> window(e);
      case Kind.POLL -> {
        operand("success", e);
        payload(e, "attempts", "workNs");
      }
      case Kind.ACQUIRE -> {
        operand("object", e);
        number("sequence", Kind.acquireSequence(e.payload(0)));
        number("waited", Kind.acquireWaited(e.payload(0)) ? 1 : 0);
        if (e.payloadCount() > 1) {
          number("shared", e.payload(1));
        }
      }
      case Kind.RELEASE, Kind.SIGNAL, Kind.WAKE -> {
        operand("object", e);
        payload(e, "sequence");
      }
      case Kind.BARRIER -> {
        operand("object", e);
        payload(e, "generation", "participants");
      }
      case Kind.THREAD_BEGIN -> payload(e, "creatorPlusOne");
      case Kind.THREAD_CREATE, Kind.THREAD_JOIN -> payload(e, "thread");
      case Kind.VISITS, Kind.THROTTLED -> {
        operand("path", e);
        payload(e, e.kind() == Kind.VISITS ? "visits" : "calls");
      }
      case Kind.PHASE_BEGIN, Kind.PHASE_END, Kind.MARK -> operand("region", e);
      case Kind.VALUE -> {
        operand("metric", e);
        hex("value", Metric.bits(e.payload(0), e.payload(1)));
      }
      case Kind.THREAD_COUNTERS ->
          payload(e, "voluntary", "involuntary", "minorFaults", "majorFaults");
      case Kind.PROCESS_CREATE, Kind.PROCESS_WAIT -> {
        payload(e, "id");
        named("how", CREATIONS, (int) e.payload(1));
        if (e.kind() == Kind.PROCESS_WAIT) {
          number("status", e.payload(2));
        }
      }
      case Kind.STREAM_SEND, Kind.STREAM_RECEIVE -> {
        operand("stream", e);
        payload(e, "offset", "bytes");
      }
      case Kind.FILE -> {
        operand("file", e);
        named("op", FILE_OPS, (int) e.payload(0));
        number("bytes", e.payload(1));
      }
      default -> { }
    }
    text.append('\n');
  }

  private void message(EventCursor e) {
    operand("comm", e);
    boolean pattern = e.kind() == Kind.RECEIVE_POST;
    int peer = Kind.peer(e.payload(0));
    int tag = Kind.tag(e.payload(0));
    text.append(" peer=").append(pattern && peer == Kind.ANY_SOURCE ? "any"
        : Integer.toUnsignedString(peer));
    text.append(" tag=").append(pattern && tag == Kind.ANY_TAG ? "any"
        : Integer.toUnsignedString(tag));
  }

  private void collective(EventCursor e) {
    operand("comm", e);
    int op = Kind.op(e.payload(0));
    Collective collective = Collective.of(op);
    text.append(" op=").append(collective == null ? Integer.toUnsignedString(op)
        : camelCase(collective.mpiName()));
    int root = Kind.root(e.payload(0));
    text.append(" root=").append(root == Kind.NO_ROOT ? "none" : Integer.toString(root));
    number("sent", e.payload(1));
    number("received", e.payload(2));
    number("sequence", e.payload(3));
  }

  private void partitioned(EventCursor e) {
    message(e);
    number("ordinal", e.payload(1) >>> 32);
    number("start", e.payload(1) & 0xffffffffL);
    named("op", PARTITION_OPS, Kind.partitionOp(e.payload(2)));
    number("partitions", Kind.partitions(e.payload(2)));
    number("first", e.payload(3) >>> 32);
    number("count", e.payload(3) & 0xffffffffL);
    number("bytes", e.payload(4));
  }

  private void window(EventCursor e) {
    operand("window", e);
    named("op", WINDOW_OPS, Kind.op(e.payload(0)));
    int rank = Kind.root(e.payload(0));
    text.append(" rank=").append(rank == Kind.NO_ROOT ? "all" : Integer.toString(rank));
    if (e.payloadCount() > 2) {
      number("sent", e.payload(1));
      number("received", e.payload(2));
    }
    if (e.payloadCount() > 3) {
      number("request", e.payload(3));
    }
  }

  /** Reduce_scatter_block becomes ReduceScatterBlock. */
  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return camel.toString();
  }

  // ---- fields

  private void number(String name, long value) {
    text.append(' ').append(name).append('=').append(Long.toUnsignedString(value));
  }

  private void u32(String name, ByteBuffer b) {
    number(name, b.getInt() & 0xffffffffL);
  }

  private void u64(String name, ByteBuffer b) {
    number(name, b.getLong());
  }

  private void hex(String name, long value) {
    text.append(' ').append(name).append("=0x").append(Long.toHexString(value));
  }

  private void named(String name, String[] names, ByteBuffer b) {
    named(name, names, b.getShort() & 0xffff);
  }

  private void named(String name, String[] names, int value) {
    text.append(' ').append(name).append('=').append(
        value < names.length && !names[value].isEmpty() ? names[value] : Integer.toString(value));
  }

  private void operand(String name, EventCursor e) {
    number(name, e.operand() & 0xffffffffL);
  }

  private void payload(EventCursor e, String... names) {
    for (int i = 0; i < names.length; i++) {
      number(names[i], e.payload(i));
    }
  }

  private void strings(ByteBuffer b, String... names) {
    for (String name : names) {
      int length = b.getInt();
      if (length > b.remaining()) {
        throw new BufferUnderflowException();
      }
      byte[] bytes = new byte[length];
      b.get(bytes);
      text.append(' ').append(name).append('=').append(SymbolsDump.quoted(new String(bytes,
          StandardCharsets.UTF_8)));
    }
  }
}
