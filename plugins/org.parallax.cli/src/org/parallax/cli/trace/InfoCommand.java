package org.parallax.cli.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.text.Quantity;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.Losses;
import org.parallax.trace.MachineClock;
import org.parallax.trace.Manifest;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.UnrecordedProgram;

/** Says what a trace holds. */
public final class InfoCommand implements Command {
  private static final int MOST_UNRECORDED = 5;

  @Override
  public String name() {
    return "info";
  }

  @Override
  public String usage() {
    return "TRACE...|FILE.parallax";
  }

  @Override
  public String summary() {
    return "Prints the contents of a trace or a session";
  }

  @Override
  public String description() {
    return "";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.choice("--format", "FORMAT", List.of("text", "json"),
        "output format (text)"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax info run1", "parallax info --verbose run1",
        "parallax info --format json run1");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, TraceException {
    String separator = "";
    boolean asJson = arguments.get("--format", "text").equals("json");
    List<Path> paths = Traces.paths(arguments.positional());
    List<Object> documents = new ArrayList<>();
    boolean damaged = false;
    for (Path path : paths) {
      ResolvedRuns resolved = RunResolver.resolve(path);
      if (resolved.document() != null) {
        SessionInfo session = SessionInfo.of(resolved, console.progress());
        if (asJson) {
          documents.add(session.json());
        } else {
          console.out().print(separator + session.text());
          console.out().flush();
          session.warnings().forEach(console::warn);
        }
        damaged |= session.isDamaged();
        separator = "\n";
        continue;
      }
      for (Path directory : resolved.orThrow().traces()) {
        Progress progress = console.progress();
        try (Trace trace = Trace.open(directory, progress)) {
          TraceCounts counts = TraceCounts.of(trace, progress);
          if (asJson) {
            documents.add(json(trace, counts));
          } else {
            console.out().print(separator + text(trace, counts)
                + ProgramInfo.text(trace, arguments.has("--verbose"))
                + ImportInfo.text(trace)
                + SeriesInfo.external(trace, arguments.has("--verbose")));
            console.out().flush();
            trace.warnings().forEach(console::warn);
          }
          damaged |= trace.isDamaged();
        }
        separator = "\n";
      }
    }
    if (asJson) {
      console.out().print(Traces.json(documents.size() > 1, documents));
    }
    return damaged ? 1 : 0;
  }

  // ---- for people

  private static String text(Trace trace, TraceCounts counts) {
    Manifest manifest = trace.manifest();
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("trace", trace.directory() + " (format "
        + Math.max(manifest.version(), Manifest.VERSION) + ", "
        + Quantity.size(counts.total().sizeBytes()) + " of events)");
    lines.put("run", manifest.run());
    lines.put("command", manifest.command());
    lines.put("directory", manifest.directory());
    lines.put("imported", ImportInfo.summary(trace));
    lines.put("recorded", recorded(manifest));
    lines.put("transport", manifest.transport());
    lines.put("limits", manifest.limits());
    lines.put("control", control(trace));
    lines.put("kept", trace.keptFromNs() == 0 ? "" : "all threads from " + Quantity.time(trace.keptFromNs()) + " on");
    lines.put("duration", Quantity.time(trace.durationNs()));
    lines.put("machines", machines(trace));
    lines.put("applications", applications(trace));
    lines.put("processes", Quantity.count(trace.processes().size()));
    lines.put("not recorded", unrecorded(trace));
    lines.put("threads", Quantity.count(counts.total().threads()));
    lines.put("events", Quantity.count(counts.total().events()));
    lines.put("samples", Quantity.count(counts.total().samples()) + sampling(trace));
    lines.put("functions", functions(trace, counts));
    lines.put("CPU time", cpuClocks(trace));
    lines.put("lost", lost(trace, counts));
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> {
      if (!value.isEmpty()) {
        text.append(String.format("%-13s%s%n", key, value));
      }
    });
    return text.append('\n').append(processes(trace, counts)).toString();
  }

  /** How recording began if it could be paused, and in how many processes it was. */
  private static String control(Trace trace) {
    int paused = trace.pausedProcesses().size();
    String began = trace.manifest().control();
    return began + (paused == 0 ? "" : (began.isEmpty() ? "" : ", ") + "paused for some time in "
        + paused + (paused == 1 ? " process" : " processes"));
  }

  /** What is missing of all processes; the causes are those of each process's first loss. */
  private static String lost(Trace trace, TraceCounts counts) {
    long definitions = 0;
    long callPaths = 0;
    Set<String> causes = new LinkedHashSet<>();
    for (ProcessTrace process : trace.processes()) {
      Losses losses = process.losses();
      if (losses.any()) {
        definitions += losses.definitions();
        callPaths += losses.callPaths();
        causes.add(losses.cause().text());
      }
    }
    String what = new Losses(counts.total().lost(), definitions, callPaths, 0, 0,
        Losses.Cause.NONE).text();
    return what.isEmpty() ? "no events" : what
        + (causes.isEmpty() ? "" : ": " + String.join("; ", causes));
  }

  private static String recorded(Manifest manifest) {
    StringBuilder text = new StringBuilder(manifest.created());
    if (!manifest.host().isEmpty()) {
      text.append(" on ").append(manifest.host());
    }
    if (!manifest.agent().isEmpty()) {
      text.append(", agent ").append(manifest.agent());
    }
    if (manifest.hasEnded()) {
      text.append(text.isEmpty() ? "" : ", ").append(Quantity.time(Math.max(0, manifest.elapsedNs())))
          .append(", exit status ").append(manifest.exitStatus());
    }
    return text.toString();
  }

  private static String machines(Trace trace) {
    List<String> machines = new ArrayList<>();
    for (MachineClock clock : trace.clocks()) {
      machines.add(clock.host() + " (" + (clock.source() == MachineClock.Source.TSC
          ? trace.imported() != null ? String.format(Locale.ROOT, "clock of the original, %.6f GHz", clock.tickHz() / 1e9)
          : String.format(Locale.ROOT, "time stamp counter, %.6f GHz, %s", clock.tickHz() / 1e9,
              clock.isMeasured() ? "measured over the run" : "calibrated before the run")
          : "monotonic clock") + (clock.offsets() == null ? "" : ", offset to another machine measured "
              + Quantity.of(clock.offsets().knots(), "time", "times")) + ")");
    }
    return String.join(", ", machines);
  }

  private static String applications(Trace trace) {
    Map<String, String> names = new LinkedHashMap<>();
    for (ProcessTrace process : trace.processes()) {
      if (process.mpi() != null) {
        names.putIfAbsent(process.program() + process.mpi().job(), process.program() + " ("
            + Quantity.of(process.mpi().worldSize(), "rank", "ranks") + ", "
            + process.mpi().library() + ")");
      } else {
        names.putIfAbsent(process.program(), process.program());
      }
    }
    return String.join(", ", names.values());
  }

  /** By reason; empty when all programs could have the agent. */
  private static String unrecorded(Trace trace) {
    Map<UnrecordedProgram.Reason, List<String>> programs = new LinkedHashMap<>();
    for (UnrecordedProgram program : trace.unrecorded()) {
      programs.computeIfAbsent(program.reason(), reason -> new ArrayList<>()).add(program.path());
    }
    List<String> parts = new ArrayList<>();
    programs.forEach((reason, paths) -> parts.add(
        String.join(", ", paths.subList(0, Math.min(MOST_UNRECORDED, paths.size())))
        + (paths.size() > MOST_UNRECORDED ? " and " + (paths.size() - MOST_UNRECORDED) + " more" : "")
        + " (" + reason.text() + ")"));
    return String.join("; ", parts);
  }

  /** Empty for programs without instrumented functions. */
  private static String functions(Trace trace, TraceCounts counts) {
    int throttled = counts.throttledFunctions();
    if (throttled == 0
        && trace.processes().stream().noneMatch(p -> p.settings().containsKey("instrument"))) {
      return "";
    }
    return "instrumented" + (throttled == 0 ? "" : "; " + Quantity.count(throttled)
        + " throttled: short and frequent, so later calls were only counted");
  }

  private static String sampling(Trace trace) {
    int hz = trace.processes().stream().mapToInt(ProcessTrace::sampleHz).max().orElse(0);
    if (hz == 0) {
      return " (sampling was off)";
    }
    Set<String> clocks = settings(trace, "sample-clock");
    Set<String> sources = settings(trace, "sample-source");
    return " (" + hz + " requested per second of CPU time"
        + (clocks.contains("wall") ? ", sleeps included" : "")
        + (sources.isEmpty() ? "" : ", by " + String.join(" and ", sources)) + ")";
  }

  private static Set<String> settings(Trace trace, String key) {
    Set<String> values = new LinkedHashSet<>();
    for (ProcessTrace process : trace.processes()) {
      if (process.settings().containsKey(key)) {
        values.add(process.settings().get(key));
      }
    }
    return values;
  }

  private static String cpuClocks(Trace trace) {
    Set<String> clocks = new LinkedHashSet<>();
    for (ProcessTrace process : trace.processes()) {
      ProcessTrace.CpuClock clock = process.cpuClock();
      if (clock == null) {
        continue;
      }
      clocks.add(switch (clock) {
        case NONE -> "not measured";
        case THREAD_CLOCK -> "clock of the thread, read at the ends of waits";
        case PERF_PAGE -> "clock of the thread, read when a perf page shows a context switch";
        case SWITCH_MARK -> "clock of the thread, read when the kernel cleared the switch mark";
        case SAMPLES -> "from the samples and context switches of another tool";
      });
    }
    return String.join("; ", clocks);
  }

  private static String processes(Trace trace, TraceCounts counts) {
    List<String[]> lines = new ArrayList<>();
    String unit = Quantity.timeUnit(trace.durationNs());
    lines.add(new String[] {"process", "pid", "machine", "begin [" + unit + "]",
        "end [" + unit + "]", "threads",
        "events", "samples", "lost", "end of the process"});
    for (ProcessTrace process : trace.processes()) {
      TraceCounts.Counts count = counts.of(process);
      lines.add(new String[] {process.name(), Integer.toString(process.pid()), process.host(),
          Quantity.timeIn(unit, process.startNs()), Quantity.timeIn(unit, process.endNs()),
          Quantity.count(count.threads()), Quantity.count(count.events()),
          Quantity.count(count.samples()), Quantity.count(count.lost()), end(process)});
    }
    StringBuilder text = new StringBuilder();
    for (String[] line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int column = 0; column < line.length; column++) {
        int width = 0;
        for (String[] other : lines) {
          width = Math.max(width, other[column].length());
        }
        boolean left = column == 0 || column == 2 || column == line.length - 1;
        padded.append(String.format("%" + (left ? "-" : "") + width + "s  ", line[column]));
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String end(ProcessTrace process) {
    return switch (process.endReason()) {
      case EXIT -> "exit " + process.exitStatus();
      case EXEC -> "exec";
      case SANDBOX -> "continued in a sandbox";
      case DETACHED -> "continued without recording";
      case KILLED -> "killed by " + process.signal();
      case UNTOLD -> "ended without notice to the agent";
      case RUNNING -> "running, or killed with its recorder";
    };
  }

  // ---- for programs

  private static Map<String, Object> json(Trace trace, TraceCounts counts) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("trace", trace.directory().toString());
    object.put("manifest", trace.manifest().values());
    object.put("durationNs", trace.durationNs());
    List<Object> machines = new ArrayList<>();
    for (MachineClock clock : trace.clocks()) {
      Map<String, Object> machine = new LinkedHashMap<>();
      machine.put("host", clock.host());
      machine.put("clock", clock.source().name().toLowerCase(Locale.ROOT));
      machine.put("tickHz", clock.tickHz());
      machine.put("measured", clock.isMeasured());
      machine.put("offsets", clock.offsets() == null ? 0 : clock.offsets().knots());
      machines.add(machine);
    }
    object.put("machines", machines);
    List<Object> processes = new ArrayList<>();
    for (ProcessTrace process : trace.processes()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", process.name());
      fields.put("executable", process.executable());
      fields.put("pid", process.pid());
      fields.put("host", process.host());
      fields.put("rank", process.mpi() == null ? null : process.mpi().worldRank());
      fields.put("cpuClock", process.cpuClock() == null ? null
          : process.cpuClock().name().toLowerCase(Locale.ROOT));
      fields.put("startNs", process.startNs());
      fields.put("endNs", process.endNs());
      fields.put("endReason", process.endReason().name().toLowerCase(Locale.ROOT));
      fields.put("exitStatus", process.exitStatus());
      fields.put("signal", process.signal());
      fields.putAll(counts.of(process).fields());
      fields.putAll(ProgramInfo.fields(process));
      processes.add(fields);
    }
    object.putAll(counts.total().fields());
    object.put("throttledFunctions", counts.throttledFunctions());
    object.put("processes", processes);
    List<Object> unrecorded = new ArrayList<>();
    for (UnrecordedProgram program : trace.unrecorded()) {
      unrecorded.add(Map.of("path", program.path(),
          "reason", program.reason().name().toLowerCase(Locale.ROOT)));
    }
    object.put("unrecorded", unrecorded);
    object.put("external", SeriesInfo.fields(trace));
    object.put("imported", ImportInfo.fields(trace));
    object.put("warnings", trace.warnings());
    return object;
  }
}
