package org.parallax.trace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Builds a trace of format 1 in a directory. Times are nanoseconds since the trace's start; the
 * first process should start at 0, as it does by default.
 */
public final class TraceBuilder {
  /** What the clocks show at time 0. */
  public static final long BASE_MONOTONIC_NS = 5_000_000_000L;
  /** The time of day at time 0. */
  public static final long BASE_REALTIME_NS = 1_700_000_000_000_000_000L;

  /** What a counter shows at time 0. */
  public static final long BASE_TICKS = 1L << 50;

  private final Path directory;
  private final Map<String, String> manifest = new LinkedHashMap<>();
  private final List<TracedProcess> processes = new ArrayList<>();
  private final Map<String, FunctionTable> functions = new LinkedHashMap<>();
  private final Map<String, StringBuilder> outcomes = new LinkedHashMap<>();
  private final Map<String, LongUnaryOperator> clocks = new HashMap<>();
  private long tickHz = 1_000_000_000L;
  private int sampleHz = 100;
  private boolean tsc;
  private int blockSlots = TracedThread.MAX_BLOCK_SLOTS;
  private boolean withSymbols = true;
  private int build;

  /** Creates the directory when it does not exist. */
  public TraceBuilder(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    manifest.put("parallax-trace", "1");
    manifest.put("run", "00112233445566778899aabbccddeeff");
    manifest.put("created", "2024-05-17T09:30:00Z");
    manifest.put("host", "node1");
    manifest.put("directory", "/home/user/run");
    manifest.put("command", "mpirun -n 4 ./heat");
    manifest.put("agent", "0.1.0");
    manifest.put("sample-hz", "100");
    manifest.put("tick-hz", Long.toString(tickHz));
    manifest.put("ended", "2024-05-17T09:30:10Z");
    manifest.put("elapsed-ns", "10000000000");
    manifest.put("exit-status", "0");
  }

  /** Ticks are those of a counter of this rate instead of nanoseconds. */
  public TraceBuilder tsc(long hz) {
    tsc = true;
    tickHz = hz;
    return property("tick-hz", Long.toString(hz));
  }

  /** The rate of samples, by which a test tells how long a sample speaks; 100 by default. */
  public TraceBuilder sampleHz(int hz) {
    sampleHz = hz;
    return property("sample-hz", Integer.toString(hz));
  }

  /** Sets what a machine's clock shows at a time when it should show the time, for all events there that follow. */
  public TraceBuilder clock(String host, LongUnaryOperator shownNs) {
    clocks.put(host, shownNs);
    return this;
  }

  long shownNs(String host, long ns) {
    LongUnaryOperator clock = clocks.get(host);
    return clock == null ? ns : clock.applyAsLong(ns);
  }

  int sampleHz() {
    return sampleHz;
  }

  /** Sets a line of the manifest; null removes it. */
  public TraceBuilder property(String key, String value) {
    if (value == null) {
      manifest.remove(key);
    } else {
      manifest.put(key, value);
    }
    return this;
  }

  /** The run has not ended. */
  public TraceBuilder live() {
    return property("ended", null).property("elapsed-ns", null).property("exit-status", null);
  }

  /** Somebody on the host saw at this time that a process ended, with a status as wait gives it. */
  public TraceBuilder seenEnd(String host, int pid, int waitStatus, long ns) {
    return outcome(host, "end\t" + pid + "\t" + waitStatus + "\t" + (BASE_MONOTONIC_NS + ns));
  }

  /** Adds a line of the outcomes on a host. */
  public TraceBuilder outcome(String host, String line) {
    outcomes.computeIfAbsent(host, missing -> new StringBuilder()).append(line).append('\n');
    return this;
  }

  /** Begins a new block after this many slots, so that small traces have many blocks. */
  public TraceBuilder blockSlots(int slots) {
    blockSlots = slots;
    return this;
  }

  /** The programs were built again, if it differs from that of another trace; 0 by default. */
  public TraceBuilder build(int number) {
    build = number;
    return this;
  }

  /** Writes no symbols file. */
  public TraceBuilder withoutSymbols() {
    withSymbols = false;
    return this;
  }

  /** Adds a process; its pid is 1000 and on. */
  public TracedProcess process(String host, String executable) {
    return add(new TracedProcess(this, host, 1000 + processes.size(), 0, executable));
  }

  /** Adds a process that another one, on the same host, created. */
  public TracedProcess child(TracedProcess parent, String executable) {
    return add(new TracedProcess(this, parent.host(), 1000 + processes.size(), 0, executable))
        .parent(parent.pid());
  }

  /** Adds the program that a process calls exec for. */
  public TracedProcess execOf(TracedProcess before, String executable) {
    return add(new TracedProcess(this, before.host(), before.pid(), before.seq() + 1, executable))
        .parent(before.parentPid());
  }

  private TracedProcess add(TracedProcess process) {
    processes.add(process);
    return process;
  }

  /** The process that was added as the {@code index}-th, from 0. */
  public TracedProcess process(int index) {
    return processes.get(index);
  }

  /** Adds a communicating application of {@code size} ranks on one host, in a job of its own. */
  public TraceBuilder mpiJob(String host, String executable, int size) {
    long job = 0x1000 + processes.size();
    for (int rank = 0; rank < size; rank++) {
      process(host, executable).mpi(job, rank, size);
    }
    return this;
  }

  /** Adds a ThreadEnd to all threads that have events and none. */
  public TraceBuilder endThreads() {
    processes.forEach(TracedProcess::endThreads);
    return this;
  }

  /** Writes all files and returns the directory. Nothing can be added afterwards. */
  public Path write() {
    try {
      StringBuilder text = new StringBuilder();
      manifest.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
      Files.writeString(directory.resolve("manifest"), text);
      for (TracedProcess process : processes) {
        process.write();
      }
      for (Map.Entry<String, StringBuilder> lines : outcomes.entrySet()) {
        Files.writeString(directory.resolve(lines.getKey() + ".outcomes"), lines.getValue());
      }
      if (withSymbols) {
        writeSymbols();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }

  private void writeSymbols() throws IOException {
    StringBuilder text = new StringBuilder("parallax-symbols\t1\n");
    int number = 0;
    for (FunctionTable table : functions.values()) {
      table.appendSymbols(text, number++);
    }
    Files.writeString(directory.resolve("symbols"), text);
  }

  FunctionTable functions(String executable) {
    return functions.computeIfAbsent(
        executable, path -> new FunctionTable(path, functions.size(), build));
  }

  Path directory() {
    return directory;
  }

  boolean isTsc() {
    return tsc;
  }

  long tickHz() {
    return tickHz;
  }

  int blockSlots() {
    return blockSlots;
  }

  /** Ticks of a time, rounded down. */
  public long ticks(long ns) {
    if (!tsc) {
      return BASE_MONOTONIC_NS + ns;
    }
    return BASE_TICKS + BigInteger.valueOf(ns).multiply(BigInteger.valueOf(tickHz))
        .divide(BigInteger.valueOf(1_000_000_000L)).longValueExact();
  }
}
