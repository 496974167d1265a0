package org.parallax.cli;

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
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.CollapsedStacks;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Level;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Writes what other tools can show. */
final class ExportCommand implements Command {
  private static final List<String> FORMATS = List.of("collapsed", "flamegraph", "chrome");

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
    return "Writes call paths and timelines for other tools";
  }

  @Override
  public String description() {
    return """

        FORMAT is one of
          collapsed      call paths with their time in nanoseconds, a line each, names between ;
          flamegraph     a flame graph, as SVG for any browser
          chrome         timelines with messages, as JSON for Perfetto and chrome://tracing""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.of("--base", "TRACE", "flamegraph: coloured by the difference from this run"),
        Option.of("-o", "FILE", "where to write (standard output)"),
        Option.choice("--weight", "WEIGHT", List.of("cpu", "wall"), "time of call paths (wall)"),
        Option.choice("--level", "LEVEL", List.of("machine", "process", "thread"),
            "call paths begin with its name")));
    options.addAll(Selection.OPTIONS);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax export flamegraph run1 -o run1.svg",
        "parallax export flamegraph --base run0 run1 -o difference.svg",
        "parallax export collapsed --level process --weight cpu run1",
        "parallax export chrome --phase 10%..20% run1 -o run1.json");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the format is missing; there is: " + String.join(", ", FORMATS));
    }
    String format = arguments.positional().get(0);
    if (!FORMATS.contains(format)) {
      throw new UsageException("unknown format \"" + format + "\"" + NearNames.hint(format, FORMATS));
    }
    if (format.equals("chrome") && (arguments.has("--weight") || arguments.has("--level"))) {
      throw new UsageException("a timeline has no --weight and no --level");
    }
    if (!format.equals("flamegraph") && arguments.has("--base")) {
      throw new UsageException("--base is for flame graphs");
    }
    List<Path> traces =
        Traces.paths(arguments.positional().subList(1, arguments.positional().size()));
    Progress progress = console.progress();
    Session session = SessionBuilder.open(traces, progress);
    Session baseSession = null;
    try {
      Selection selected = Selection.of(session, arguments, null, "a file holds one",
          progress).get(0);
      Selection base = null;
      if (arguments.has("--base")) {
        baseSession = SessionBuilder.open(
            Traces.paths(List.of(arguments.get("--base", ""))), progress);
        base = Selection.of(baseSession, arguments, null, "a file holds one",
          progress).get(0);
      }
      try (Writer out = writer(arguments, console)) {
        write(format, selected, base, arguments, out, progress);
      } catch (IOException e) {
        throw new CommandFailure("the file " + arguments.get("-o", "") + " cannot be written: "
            + e.getMessage());
      }
      selected.analysis().traceWarnings().forEach(console::warn);
    } finally {
      SessionBuilder.close(session);
      if (baseSession != null) {
        SessionBuilder.close(baseSession);
      }
    }
    return 0;
  }

  private static Writer writer(Arguments arguments, Console console) throws IOException {
    return arguments.has("-o") ? Files.newBufferedWriter(Path.of(arguments.get("-o", "")))
        : new BufferedWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8));
  }

  private static void write(String format, Selection selected, Selection base,
      Arguments arguments, Writer out, Progress progress) throws IOException {
    ApplicationAnalysis analysis = selected.analysis();
    if (format.equals("chrome")) {
      new ChromeTrace(analysis, selected.node(), out).write(progress);
      return;
    }
    Weight weight = Weight.valueOf(arguments.get("--weight", "wall").toUpperCase(Locale.ROOT));
    Level level = arguments.has("--level")
        ? Level.valueOf(arguments.get("--level", "").toUpperCase(Locale.ROOT)) : null;
    var stacks = CollapsedStacks.of(analysis, level, weight, selected.node(), progress);
    if (format.equals("flamegraph")) {
      out.write(FlameGraph.svg(analysis.name() + ", "
          + (weight == Weight.CPU ? "CPU time" : "time of all threads")
          + (base == null ? "" : ", less that of " + arguments.get("--base", "")), stacks,
          base == null ? null : CollapsedStacks.of(
              base.analysis(), level, weight, base.node(), progress)));
      return;
    }
    for (var stack : stacks.entrySet()) {
      List<String> names = stack.getKey().stream().map(name -> name.replace(';', ':')).toList();
      out.write(String.join(";", names) + " " + stack.getValue() + "\n");
    }
  }
}
