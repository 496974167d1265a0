package org.parallax.record.profiles;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ImportReport;
import org.parallax.trace.Kind;
import org.parallax.trace.ProfileValues;
import org.parallax.trace.ProfileValues.Unit;
import org.parallax.trace.Progress;
import org.parallax.trace.Region.Group;

/**
 * Writes a profile as a trace without a time line, which its manifest tells: each thread has a call of each of its call
 * paths, which takes the time of all calls without their callees. The calls are one after the other; their number is an
 * event Visits. Other metrics are in the file {@link ProfileValues#FILE_NAME}.
 */
public final class ProfileTrace {
  /** Regions are functions of a module with such addresses. */
  private static final long LOAD_BIAS = 0x1000_0000L;
  private static final long FIRST_OFFSET = 0x1000;
  private static final long CODE_BYTES = 16;
  private static final int FIRST_PID = 1000;
  /** What the clocks show at the begin: divisible by all lengths of ticks. */
  private static final long START_NS = 1L << 30;
  private static final long NS_PER_SECOND = 1_000_000_000L;
  /** An event can be so much later than its block begins. */
  private static final int TIME_BITS = 37;
  /** Threads with more than 8 blocks of this length have longer ticks, as far as there is a whole number in a second. */
  private static final int FEW_BLOCKS_BITS = TIME_BITS + 3;
  private static final int MOST_SHIFT = 9;

  private final Profile profile;
  private final Path original;
  private final Path directory;
  private final ByteBuffer block = EventsFile.block();
  private int tickShift;

  private ProfileTrace(Profile profile, Path original, Path directory) {
    this.profile = profile;
    this.original = original;
    this.directory = directory;
  }

  /**
   * Writes all files.
   *
   * @param original what the profile was read from
   * @param directory which is empty
   */
  public static void write(Profile profile, Path original, Path directory, Progress progress) throws IOException {
    new ProfileTrace(profile, original, directory).write(progress);
  }

  private void write(Progress progress) throws IOException {
    long[] threadNs = new long[profile.threads.size()];
    long longestNs = 0;
    for (int thread = 0; thread < threadNs.length; thread++) {
      for (int node = 0; node < profile.nodes(); node++) {
        threadNs[thread] += ns(node, thread);
      }
      longestNs = Math.max(longestNs, threadNs[thread]);
    }
    while (tickShift < MOST_SHIFT && longestNs >> tickShift >= 1L << FEW_BLOCKS_BITS) {
      tickShift++;
    }
    progress.begin("Writing " + original, profile.threads.size());
    try (Writer values = Files.newBufferedWriter(directory.resolve(ProfileValues.FILE_NAME))) {
      beginValues(values);
      for (int process = 0; process < profile.processes.size(); process++) {
        writeProcess(process, threadNs, values, progress);
      }
    }
    writeSymbols();
    writeManifest(longestNs);
    writeReport();
  }

  /** Rounded, and never so much that the sum of a thread overflows. */
  private long ns(int node, int thread) {
    return Math.min(Math.round(profile.timeNs(node, thread)), Long.MAX_VALUE / (4L * Math.max(1, profile.nodes())));
  }

  private String stem(int process) {
    return profile.processes.get(process).host().replaceAll("[^A-Za-z0-9-]", "_") + "." + (FIRST_PID + process) + ".0";
  }

  private void writeProcess(int process, long[] threadNs, Writer values, Progress progress) throws IOException {
    Profile.Process described = profile.processes.get(process);
    List<Integer> threads = new ArrayList<>();
    long longestNs = 0;
    for (int thread = 0; thread < profile.threads.size(); thread++) {
      if (profile.threads.get(thread).process() == process) {
        threads.add(thread);
        longestNs = Math.max(longestNs, threadNs[thread]);
      }
    }
    if (threads.isEmpty()) {
      return;
    }
    DefinitionsFile file = new DefinitionsFile();
    int pid = FIRST_PID + process;
    long startTicks = START_NS >> tickShift;
    file.record(DefinitionsFile.PROCESS).u64(startTicks).u64(START_NS).u64(START_NS).u64(NS_PER_SECOND >> tickShift)
        .u32(pid).u32(1).u16(tickShift == 0 ? 0 : 1).u16(0).u32(0).text(described.host()).text(profile.program)
        .text(profile.program).text("").end();
    if (described.rank() >= 0) {
      long ranks = profile.processes.stream().filter(each -> each.rank() >= 0).count();
      file.record(DefinitionsFile.MPI).u64(1).u32(described.rank()).u32((int) ranks).u32(0).u32(0).text("library unknown").end();
    }
    writeCode(file);
    for (int i = 0; i < threads.size(); i++) {
      file.record(DefinitionsFile.THREAD).u32(i).u32(pid * 1000 + i).u32(0).u32(0).u64(startTicks)
          .text(profile.threads.get(threads.get(i)).name()).end();
    }
    long endNs = START_NS + longestNs >> tickShift << tickShift;
    file.record(DefinitionsFile.PROCESS_END).u64(endNs >> tickShift).u64(endNs).u64(0).u16(0).u16(0).u32(0).end();
    for (int i = 0; i < threads.size(); i++) {
      progress.check();
      writeThread(process, i, threads.get(i), values);
      progress.worked(1);
    }
    Files.write(directory.resolve(stem(process) + ".def"), file.bytes());
  }

  /** If visits are unknown, all are functions, whose visits are told as a lower bound. */
  private boolean isFunction(Profile.Code code) {
    return code.group() == Group.USER || profile.visits == null;
  }

  private void writeCode(DefinitionsFile file) {
    long end = LOAD_BIAS + FIRST_OFFSET + CODE_BYTES * (profile.code.size() + 1L);
    file.record(DefinitionsFile.MODULE).u32(0).u32(0).u64(0).u64(LOAD_BIAS).u64(LOAD_BIAS).u64(end).text("")
        .text(original.toString()).end();
    int[] regions = new int[profile.code.size()];
    int regionCount = 0;
    for (int i = 0; i < regions.length; i++) {
      Profile.Code code = profile.code.get(i);
      if (!isFunction(code)) {
        regions[i] = ++regionCount;
        file.record(DefinitionsFile.REGION).u32(regions[i]).u16(code.group().ordinal()).u16(0).text(code.name()).end();
      }
    }
    int functionKind = profile.visits == null ? CallPaths.RETURN_ADDRESS : CallPaths.FUNCTION;
    long address = LOAD_BIAS + FIRST_OFFSET + (profile.visits == null ? 1 : 0);
    for (int node = 0; node < profile.nodes(); node++) {
      boolean isFunction = isFunction(profile.codeOf(node));
      file.record(DefinitionsFile.CALL_PATH).u32(node + 1).u32(profile.parent(node) + 1)
          .u16(isFunction ? functionKind : CallPaths.REGION).u16(0).u32(0)
          .u64(isFunction ? address + CODE_BYTES * profile.codeIndex(node) : regions[profile.codeIndex(node)]).end();
    }
  }

  private void writeThread(int process, int number, int thread, Writer values) throws IOException {
    Path path = directory.resolve(stem(process) + "." + number + ".evt");
    long atNs = 0;
    try (EventsFile file = new EventsFile(path, block, number, tickShift, START_NS)) {
      file.event(Kind.THREAD_BEGIN, 0, 0, 0);
      for (int node = 0; node < profile.nodes(); node++) {
        long ns = ns(node, thread);
        long visits = Math.round(profile.visits(node, thread));
        if (ns > 0 || visits > 0) {
          file.event(Kind.ENTER, node + 1, atNs);
          if (visits > 1) {
            file.event(Kind.VISITS, node + 1, atNs, visits - 1);
          }
          atNs += ns;
          file.event(Kind.LEAVE, node + 1, atNs);
        }
      }
      file.event(Kind.THREAD_END, 0, atNs);
    }
    values.append("thread\t").append(Integer.toString(FIRST_PID + process)).append('\t').append(Integer.toString(number))
        .append('\n');
    for (int metric = 0; metric < profile.metrics.size(); metric++) {
      Profile.Metric each = profile.metrics.get(metric);
      for (int node = 0; node < profile.nodes(); node++) {
        double value = Profile.at(each.rows(), node, thread);
        if (value != 0) {
          values.append(Integer.toString(metric)).append('\t').append(Integer.toString(node + 1)).append('\t')
              .append(each.what().unit() == Unit.NUMBER ? Double.toString(value) : Long.toString(Math.round(value)))
              .append('\n');
        }
      }
    }
  }

  private void beginValues(Writer values) throws IOException {
    values.append(ProfileValues.FIRST_LINE).append('\n');
    for (Profile.Metric metric : profile.metrics) {
      values.append("metric\t").append(oneLine(metric.what().name())).append('\t')
          .append(metric.what().unit().name().toLowerCase(Locale.ROOT)).append('\t')
          .append(metric.what().sum().name().toLowerCase(Locale.ROOT)).append('\n');
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\x00-\\x1f]", " ");
  }

  private void writeSymbols() throws IOException {
    try (BufferedWriter file = Files.newBufferedWriter(directory.resolve("symbols"))) {
      file.append("parallax-symbols\t1\nM\t0\t\t").append(oneLine(original.toString())).append('\n');
      for (int i = 0; i < profile.code.size(); i++) {
        Profile.Code code = profile.code.get(i);
        file.append("A\t0\t").append(Long.toHexString(FIRST_OFFSET + CODE_BYTES * i)).append("\nF\t")
            .append(oneLine(code.name())).append('\t').append(oneLine(code.file())).append('\t')
            .append(Integer.toString(code.line())).append('\t').append(Integer.toString(code.line())).append("\t0\n");
      }
    }
  }

  private void writeManifest(long longestNs) throws IOException {
    long files = profile.threads.size();
    long processes = profile.threads.stream().mapToInt(Profile.Thread::process).distinct().count();
    Files.writeString(directory.resolve("manifest"), String.join("\n", "parallax-trace = 1",
        "run = " + String.format("%032x", original.toString().hashCode() & 0xffffffffL), "content = profile",
        "imported = " + oneLine(profile.format), "ended = unknown", "elapsed-ns = " + longestNs, "exit-status = 0",
        "processes = " + processes, "event-files = " + files, ""), StandardCharsets.UTF_8);
  }

  private void writeReport() throws IOException {
    StringBuilder text = new StringBuilder("parallax-imported\t1\nformat\t").append(oneLine(profile.format))
        .append("\nfrom\t").append(oneLine(original.toString())).append('\n');
    for (ImportReport.Count count : profile.records) {
      text.append("record\t").append(count.type()).append('\t').append(count.read()).append('\t').append(count.left())
          .append('\n');
    }
    profile.warnings.forEach(warning -> text.append("warning\t").append(oneLine(warning)).append('\n'));
    Files.writeString(directory.resolve("imported"), text, StandardCharsets.UTF_8);
  }
}
