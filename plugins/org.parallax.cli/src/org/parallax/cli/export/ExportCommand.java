package org.parallax.cli.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.catalogue.NeededEvents;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.export.CollapsedStacks;
import org.parallax.analysis.export.ExportFormat;
import org.parallax.analysis.export.ExportFormats;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.cli.report.ChosenPart;
import org.parallax.cli.report.CompareCommand;
import org.parallax.model.Session;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** Writes what other tools can show. */
public final class ExportCommand implements Command {
  /** Formats that can also show differences. */
  private static final List<String> COMPARED = List.of("collapsed", "flamegraph", "chrome");
  private static final List<String> ONLY_STACKS = List.of("--of", "--weight", "--level");

  /** @return the names of the formats */
  public static List<String> formats() {
    return Stream.concat(COMPARED.stream(), ExportFormats.all().stream().map(ExportFormat::id)).distinct().toList();
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public String usage() {
    return "FORMAT TRACE... [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Writes traces, call paths and timelines for other tools";
  }

  @Override
  public String description() {
    return """

        FORMAT is one of
          collapsed      a line for each call path, names separated by ;, with its time in ns
          flamegraph     a flame graph, as SVG for any browser
          chrome         timelines with messages, as JSON for Perfetto and chrome://tracing
        """ + ExportFormats.all().stream().map(format -> String.format("  %-14s %s%n", format.id(), format.summary()))
        .collect(Collectors.joining()) + """

        The first two show the time of threads, the critical path, or waits (--of). Where a thread
        waited, the call path of the thread that it waited for is on top, innermost first.

        For a comparison, flame graphs are coloured by the difference, call paths have two times
        (base and new), and the timelines of all runs begin together. The other formats take no
        comparison. TRACE --format FORMAT is the same as FORMAT TRACE.""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.of("--base", "TRACE", "write the difference from this run, or from several: "
            + "run1,run2"),
        Option.of("--group", "NAME", "comparisons: compare only these runs with the base"),
        Option.flag("--normalize",
            "compare shares of the time, as if all runs had the same length"),
        Option.of("-o", "FILE", "output file (standard output); of otf2, a new directory"),
        Option.of("--format", "FORMAT", "the format, if it is not the first word"),
        Option.choice("--of", "WHAT", FlameSubject.ids(), "quantity shown as width (time)"),
        Option.choice("--weight", "WEIGHT", List.of("cpu", "wall"), "clock for the time of call "
            + "paths (wall), of the critical path (cpu)"),
        Option.choice("--level", "LEVEL", List.of("machine", "process", "thread"),
            "begin call paths with the name of this part")));
    options.addAll(ChosenPart.OPTIONS);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax export flamegraph run1 -o run1.svg",
        "parallax export flamegraph --of critical-path run1 -o path.svg",
        "parallax export flamegraph --of waits --level process run1 -o waits.svg",
        "parallax export flamegraph --base run1 run2 -o difference.svg",
        "parallax export collapsed --base run1 --normalize run2",
        "parallax export collapsed --level process --weight cpu run1",
        "parallax export chrome --phase 10%..20% run1 -o run1.json",
        "parallax export otf2 run1 -o run1-otf2",
        "parallax export perfetto run1 -o run1.perfetto-trace",
        "parallax export speedscope run1 -o run1.speedscope.json",
        "parallax export callgrind run1 -o run1.callgrind");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, ReportException, TraceException {
    List<String> formats = formats();
    ExportFormats.faults().forEach(console::warn);
    List<String> words = new ArrayList<>(arguments.positional());
    if (arguments.has("--format")) {
      words.add(0, arguments.get("--format", ""));
    }
    if (words.isEmpty()) {
      throw new UsageException("the format is missing; choose from: " + String.join(", ", formats));
    }
    String format = words.remove(0);
    if (!formats.contains(format)) {
      throw new UsageException("unknown format \"" + format + "\"" + NearNames.hint(format, formats));
    }
    if (!COMPARED.contains(format)) {
      return export(ExportFormats.of(format), Traces.paths(words), arguments, console);
    }
    if (format.equals("chrome") && (arguments.has("--weight") || arguments.has("--level")
        || arguments.has("--of"))) {
      throw new UsageException("the format chrome has no options --of, --weight and --level");
    }
    if (subject(arguments) == FlameSubject.WAITS && arguments.has("--weight")) {
      throw new UsageException("waits have no option --weight: they are in wall time");
    }
    List<Path> traces = Traces.paths(words);
    ResolvedRuns compared = Traces.comparison(traces);
    Session document = compared == null ? null : compared.document();
    Path file = compared == null ? traces.get(0) : compared.path();
    if (arguments.has("--base")) {
      if (traces.size() > 1 || document != null) {
        throw new UsageException("--base takes one run, or repeated runs separated by commas");
      }
      String now = file.toString();
      file = CompareCommand.HERE;
      document = CompareCommand.document(List.of(arguments.get("--base", ""), now), file, false);
    }
    for (String option : List.of("--group", "--normalize")) {
      if (document == null && arguments.has(option)) {
        throw new UsageException("option " + option + " is only for comparisons");
      }
    }
    if (format.equals("chrome") && arguments.has("--normalize")) {
      throw new UsageException("the format chrome has no option --normalize");
    }
    Progress progress = console.progress();
    if (document == null) {
      export(format, traces, arguments, console, progress);
    } else {
      try (ComparedRuns comparison = ComparedRuns.open(document, file, progress)) {
        ComparedExport export = ComparedExport.of(comparison, arguments, progress);
        if (needsEvents(format, arguments)) {
          checkEvents(named(format, arguments), export.analyses());
        }
        write(arguments, console, out -> export.write(format, subject(arguments),
            title(arguments), weight(arguments), level(arguments), arguments.has("--normalize"), out, progress));
        export.warnings().forEach(console::warn);
      }
    }
    return 0;
  }

  /** In a format that takes no comparison. */
  private static int export(ExportFormat format, List<Path> traces, Arguments arguments, Console console)
      throws UsageException, CommandFailure, ReportException, TraceException {
    List<String> others = new ArrayList<>(ONLY_STACKS);
    others.addAll(List.of("--base", "--group", "--normalize"));
    if (!format.takesParts()) {
      ChosenPart.OPTIONS.forEach(option -> others.add(option.name()));
    }
    for (String option : others) {
      if (arguments.has(option)) {
        throw new UsageException("the format " + format.id() + " has no option " + option);
      }
    }
    if (Traces.comparison(traces) != null || (!format.takesParts() && traces.size() > 1)) {
      throw new UsageException("the format " + format.id() + " takes one run");
    }
    if (format.suffix().isEmpty() && !arguments.has("-o")) {
      throw new UsageException("the format " + format.id() + " writes a directory: name it with -o DIR");
    }
    Progress progress = console.progress();
    LoadedSession session = SessionBuilder.open(traces, progress);
    try {
      // A session file is one name for several traces.
      if (!format.takesParts()
          && session.getApplications().stream().map(application -> application.getTrace()).distinct().count() > 1) {
        throw new UsageException("the format " + format.id() + " takes one run");
      }
      ChosenPart selected =
          format.takesParts() ? ChosenPart.of(session, arguments, null, "a file contains only one", progress).get(0)
              : new ChosenPart(new ApplicationAnalysis(session.getApplications().get(0)), null);
      if (!format.takesProfiles()) {
        checkEvents(format.id(), List.of(selected.analysis()));
      }
      ExportedFile file = new ExportedFile(arguments.get("-o", null), format.suffix().isEmpty());
      List<String> notes = file.write(
          target -> format.write(new ExportFormat.Part(selected.analysis(), selected.node()), target, progress), console);
      notes.forEach(console::warn);
      selected.analysis().traceWarnings().forEach(console::warn);
    } finally {
      SessionBuilder.close(session);
    }
    return 0;
  }

  private static void export(String format, List<Path> traces, Arguments arguments,
      Console console, Progress progress) throws UsageException, CommandFailure, ReportException, TraceException {
    LoadedSession session = SessionBuilder.open(traces, progress);
    try {
      ChosenPart selected =
          ChosenPart.of(session, arguments,
          subject(arguments) == FlameSubject.CRITICAL_PATH ? StandardReport.CRITICAL_PATH : null,
          "a file contains only one", progress).get(0);
      if (needsEvents(format, arguments)) {
        checkEvents(named(format, arguments), List.of(selected.analysis()));
      }
      write(arguments, console, out -> write(format, selected, arguments, out, progress));
      selected.analysis().traceWarnings().forEach(console::warn);
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** Whether it is about more than the time of call paths. */
  private static boolean needsEvents(String format, Arguments arguments) {
    return format.equals("chrome") || subject(arguments) != FlameSubject.TIME;
  }

  private static String named(String format, Arguments arguments) {
    return arguments.has("--of") ? format + " --of " + subject(arguments).id() : format;
  }

  private static void checkEvents(String format, List<ApplicationAnalysis> analyses) throws CommandFailure {
    Optional<Trace> profile = NeededEvents.profile(analyses);
    if (profile.isPresent()) {
      throw new CommandFailure(profile.get() + " has no events, only the sums of a profile: " + format
          + " cannot be written; formats of profiles are collapsed, flamegraph, callgrind");
    }
  }

  private interface Content {
    void write(Writer out) throws IOException;
  }

  private static void write(Arguments arguments, Console console, Content content)
      throws CommandFailure, TraceException {
    if (arguments.has("-o")) {
      new ExportedFile(arguments.get("-o", ""), false).write(target -> {
        try (Writer out = Files.newBufferedWriter(target)) {
          content.write(out);
        }
        return List.of();
      }, console);
      return;
    }
    try (Writer out = new BufferedWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8))) {
      content.write(out);
    } catch (IOException e) {
      throw new CommandFailure("the file " + arguments.get("-o", "") + " cannot be written: " + e.getMessage());
    }
  }

  private static void write(String format, ChosenPart selected, Arguments arguments, Writer out,
      Progress progress) throws IOException {
    ApplicationAnalysis analysis = selected.analysis();
    if (format.equals("chrome")) {
      ChromeTrace.write(List.of(new ChromeTrace.Part("", analysis, selected.node())), out, progress);
      return;
    }
    Map<List<String>, Long> stacks = CollapsedStacks.of(analysis, subject(arguments),
        level(arguments), weight(arguments), selected.node(), progress);
    if (format.equals("flamegraph")) {
      out.write(FlameGraph.svg(analysis.name() + ", " + title(arguments),
          subject(arguments) == FlameSubject.WAITS, stacks, null));
      return;
    }
    for (Map.Entry<List<String>, Long> stack : stacks.entrySet()) {
      out.write(line(stack.getKey()) + " " + stack.getValue() + "\n");
    }
  }

  /** A call path as a line of collapsed stacks begins. */
  static String line(List<String> names) {
    return String.join(";", names.stream().map(name -> name.replace(';', ':').replaceAll("[\\r\\n]", " ")).toList());
  }

  static FlameSubject subject(Arguments arguments) {
    return FlameSubject.of(arguments.get("--of", FlameSubject.TIME.id()));
  }

  private static String title(Arguments arguments) {
    return switch (subject(arguments)) {
      case TIME -> weight(arguments) == Weight.CPU ? "CPU time" : "time of all threads";
      case CRITICAL_PATH -> "critical path";
      case WAITS -> "time lost waiting, and what the awaited threads did";
    };
  }

  private static Weight weight(Arguments arguments) {
    String usual = subject(arguments) == FlameSubject.CRITICAL_PATH ? "cpu" : "wall";
    return Weight.valueOf(arguments.get("--weight", usual).toUpperCase(Locale.ROOT));
  }

  /** @return null when call paths do not begin with the name of a place */
  private static Level level(Arguments arguments) {
    return arguments.has("--level")
        ? Level.valueOf(arguments.get("--level", "").toUpperCase(Locale.ROOT)) : null;
  }
}
