package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.time.SampleIntervals;
import org.parallax.analysis.waits.WaitCheck;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.OpenMpi;

/** A program of tests/programs, run under the agent, and the analysis of its trace. */
final class Recording implements AutoCloseable {
  static final Path NATIVE =
      Path.of(System.getProperty("parallax.native", "native/build")).toAbsolutePath().normalize();
  private static final int LIMIT_SECONDS = 120;

  private final String output;
  private final LoadedSession session;
  private final ApplicationAnalysis analysis;

  private Recording(String output, LoadedSession session) {
    this.output = output;
    this.session = session;
    assertEquals(1, session.getApplications().size(), "applications of the run");
    Application application = session.getApplications().get(0);
    analysis = new ApplicationAnalysis(application);
  }

  /** @return the path of a bundled program */
  static String program(String name) {
    Path program = NATIVE.resolve("programs").resolve(name);
    assertTrue(Files.isExecutable(program), program + " is not built; run: ./parallax setup");
    return program.toString();
  }

  /**
   * Whether an MPI of today was fetched; those of Debian are always there.
   *
   * @param mpi the ending of its programs
   */
  static boolean hasMpi(String mpi) {
    return !mpi.matches("openmpi5|mpich5|mpiabi") || Files.isExecutable(Path.of(mpirun(mpi)));
  }

  /** @return what starts the programs of an MPI */
  static String mpirun(String mpi) {
    Path libraries = NATIVE.resolveSibling("../.parallax/mpi").normalize();
    return switch (mpi) {
      case "openmpi5" -> libraries.resolve("openmpi/bin/mpirun").toString();
      case "mpich5", "mpiabi" -> libraries.resolve("mpich/bin/mpirun").toString();
      default -> "mpirun." + mpi;
    };
  }

  /** Runs a command that ends well under the agent, sampling 1,000 times a second of CPU time. */
  static Recording of(Path directory, String... command)
      throws IOException, InterruptedException, TraceException {
    return of(directory, List.of(), List.of(command));
  }

  /** The same with further options. */
  static Recording of(Path directory, List<String> options, List<String> command)
      throws IOException, InterruptedException, TraceException {
    Files.createDirectories(directory);
    Path trace = directory.resolve("trace");
    Result result = record(trace, options, command);
    assertEquals(0, result.status(), result.output());
    return new Recording(result.output(), SessionBuilder.open(List.of(trace), Progress.NONE));
  }

  /** How a command ended, and what it printed. */
  record Result(int status, String output) {}

  /** Runs a command under the agent, however it ends. */
  static Result record(Path trace, List<String> command) throws IOException, InterruptedException {
    return record(trace, List.of(), command);
  }

  static Result record(Path trace, List<String> options, List<String> command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(NATIVE.resolve("parallax-record").toString(),
        "--quiet", "--no-calibration", "--sample-hz", "1000", "-o", trace.toString()));
    line.addAll(options);
    line.add("--");
    line.addAll(command);
    Path output = Path.of(trace + ".output");
    ProcessBuilder builder = new ProcessBuilder(line)
        .redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(OpenMpi.VARIABLES);
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", line) + " still runs after " + LIMIT_SECONDS
          + " s; it printed: " + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readString(output));
  }

  ApplicationAnalysis analysis() {
    return analysis;
  }

  String output() {
    return output;
  }

  /** @return the numbers that the program printed as {@code name=number} */
  Map<String, Double> printed() {
    Map<String, Double> numbers = new HashMap<>();
    for (String word : output.split("\\s+")) {
      int equals = word.indexOf('=');
      if (equals > 0 && word.substring(equals + 1).matches("[0-9.]+")) {
        numbers.put(word.substring(0, equals), Double.valueOf(word.substring(equals + 1)));
      }
    }
    return numbers;
  }

  Table criticalPath(Level level) {
    return criticalPath(level, Weight.CPU);
  }

  Table criticalPath(Level level, Weight weight) {
    Table table = CriticalPathReport.of(analysis, level, weight, null, Progress.NONE);
    // A path of CPU time is shorter than a run with sleeps, and than one beside other programs.
    assertEquals(List.of(), table.warnings().stream()
        .filter(warning -> !warning.startsWith("the path weighs CPU time")).toList(), table.toString());
    assertEquals(table.total(), sum(table, "time", row -> true), "rows add up to the path");
    return table;
  }

  /** @return nanoseconds of a procedure on the critical path, by rank */
  long[] onPath(String procedure) {
    List<TreeNode> processes = processes();
    long[] ns = new long[processes.size()];
    for (int rank = 0; rank < ns.length; rank++) {
      Table table = CriticalPathReport.of(
          analysis, Level.PROCEDURE, Weight.CPU, processes.get(rank), Progress.NONE);
      ns[rank] = sum(table, "time", row -> row.name().equals(procedure));
    }
    return ns;
  }

  private List<TreeNode> processes() {
    List<TreeNode> processes = new ArrayList<>();
    for (TreeNode machine : ProgramTree.logical(analysis.application()).children()) {
      processes.addAll(machine.children());
    }
    return processes;
  }

  /** The critical path if a procedure were so many times faster. */
  Table whatIf(String procedure, double times) {
    return WhatIfReport.of(analysis, List.of(new WhatIfReport.Change(procedure, times)),
        WhatIfReport.Extent.INCLUSIVE, Weight.CPU, Progress.NONE);
  }

  /** Wait states with a row for each place, or for each cause. */
  Table waits(Level level, boolean causes) {
    Table table = WaitsReport.of(analysis, level, causes, null, Progress.NONE);
    assertEquals(table.total(), sum(table, "time", row -> true), "rows add up to what was lost");
    return table;
  }

  /** Wait states of a rank with a row for each path and cause. */
  Table waitsOfRank(int rank) {
    return WaitsReport.of(analysis, Level.PROCEDURE, true, processes().get(rank), Progress.NONE);
  }

  Table profile(Level level) {
    return ProfileReport.of(analysis, level, null, Progress.NONE);
  }

  Table efficiency() {
    return EfficiencyReport.of(List.of(analysis), false, Progress.NONE);
  }

  /** Efficiency in a phase that the program names. */
  Table efficiency(String phase) {
    return EfficiencyReport.of(List.of(during(phase)), false, Progress.NONE);
  }

  /** Wait states of threads in a phase that the program names. */
  Table waits(String phase) {
    return WaitsReport.of(during(phase), Level.THREAD, false, null, Progress.NONE);
  }

  private ApplicationAnalysis during(String phase) {
    return analysis.during(new Phase(phase,
        ProgramPhases.of(analysis, null, Progress.NONE).window(phase)));
  }

  Table metrics(Level level) {
    return MetricsReport.of(analysis, level, null, Progress.NONE);
  }

  /**
   * Four standard errors of a sampled share, and half a percent for what is not planted. A busy
   * machine takes fewer samples than were asked for.
   *
   * @param ns the CPU time of which it is a share
   */
  double tolerance(double share, long ns) {
    long sampledNs = 0;
    long samples = 0;
    for (Trace trace : session.traces()) {
      for (ProcessTrace process : trace.processes()) {
        for (ThreadTrace thread : process.threads()) {
          SampleIntervals intervals = SampleIntervals.of(thread, Progress.NONE);
          sampledNs += intervals.sampledNs(Weight.CPU);
          samples += intervals.count();
        }
      }
    }
    double samplesInNs = (double) ns * samples / sampledNs;
    assertTrue(samplesInNs > 50, samplesInNs + " samples tell nothing");
    return 4 * Math.sqrt(share * (1 - share) / samplesInNs) + 0.005;
  }

  static long sum(Table table, String column, Predicate<Row> which) {
    int index = table.column(column);
    return table.rows().stream().filter(which)
        .mapToLong(row -> (Long) row.values().get(index)).sum();
  }

  /** @return true for a row that is about work and not about an arc between threads */
  static Predicate<Row> work(Table table) {
    int kind = table.column("kind");
    return row -> row.values().get(kind).equals("CPU");
  }

  /** What was told as waiting and what was told as work are together the time of each thread. */
  @Override
  public void close() {
    try {
      for (Trace trace : session.traces()) {
        assertEquals(List.of(), WaitCheck.of(trace.processes(), Progress.NONE), "waits and work");
      }
    } finally {
      SessionBuilder.close(session);
    }
  }
}
