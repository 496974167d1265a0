package org.parallax.cli.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.text.Quantity;
import org.parallax.analysis.time.TimeCheck;
import org.parallax.analysis.waits.WaitCheck;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.Finding;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceChecker;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceSeries;

/** Validates traces. */
public final class CheckCommand implements Command {
  @Override
  public String name() {
    return "check";
  }

  @Override
  public String usage() {
    return "TRACE...";
  }

  @Override
  public String summary() {
    return "Validates traces and explains their damage";
  }

  @Override
  public String description() {
    return """

        Each finding has its place (file, block, byte), the found and the expected value, the
        consequence, and the next step. The exit status is 1 if there is an error, which means that
        a part of the trace cannot be used. A warning means that the trace is sound but incomplete.
        For a session file, the traces of all runs are checked.""";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.choice("--format", "FORMAT", List.of("text", "json"),
        "output format (text)"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax check run1", "parallax check --format json run1 run2");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, TraceException {
    boolean sound = true;
    boolean asJson = arguments.get("--format", "text").equals("json");
    List<Path> paths = new ArrayList<>();
    for (Path path : Traces.paths(arguments.positional())) {
      paths.addAll(RunResolver.resolve(path).orThrow().traces());
    }
    List<Object> documents = new ArrayList<>();
    for (Path path : paths) {
      try {
        TraceChecker.Result result = check(path, console.progress());
        if (asJson) {
          documents.add(json(result));
        } else {
          console.out().print(text(result));
          console.out().flush();
        }
        sound &= result.isSound();
      } catch (TraceException e) {
        console.error(e.getMessage(), e);
        sound = false;
      }
    }
    if (asJson) {
      console.out().print(Traces.json(paths.size() > 1, documents));
    }
    return sound ? 0 : 1;
  }

  /** What the format demands, and that the times of threads add up. */
  private static TraceChecker.Result check(Path path, Progress progress) throws TraceException {
    TraceChecker.Result result = TraceChecker.check(path, progress);
    if (!result.isSound()) {
      return result;
    }
    try (Trace trace = Trace.open(path, progress)) {
      List<Finding> findings = new ArrayList<>(TimeCheck.of(trace, progress));
      findings.addAll(WaitCheck.of(trace.processes(), progress));
      findings.addAll(TraceSeries.check(trace));
      findings.addAll(result.findings());
      findings.sort(Comparator.comparing(Finding::severity));
      return result.with(findings);
    }
  }

  private static String text(TraceChecker.Result result) {
    StringBuilder text = new StringBuilder();
    for (Finding finding : result.findings()) {
      String place = finding.place();
      text.append(finding.severity().name().toLowerCase(Locale.ROOT)).append(": ").append(place)
          .append(place.isEmpty() ? "" : ": ").append(finding.fact()).append('\n');
      text.append("    ").append(finding.meaning()).append(".\n");
      if (!finding.nextStep().isEmpty()) {
        text.append("    ").append(finding.nextStep()).append(".\n");
      }
    }
    long errors = result.count(Finding.Severity.ERROR);
    long warnings = result.count(Finding.Severity.WARNING);
    text.append(result.trace()).append(": ").append(errors > 0
        ? Quantity.of(errors, "error", "errors") : result.absences().isEmpty() ? "sound"
        : "incomplete").append(warnings > 0
        ? ", " + Quantity.of(warnings, "warning", "warnings") : "").append(" (")
        .append(Quantity.of(result.processes(), "process", "processes")).append(", ")
        .append(Quantity.of(result.threads(), "thread", "threads")).append(", ")
        .append(Quantity.of(result.definitions(), "definition", "definitions")).append(", ")
        .append(Quantity.of(result.blocks(), "block", "blocks")).append(", ")
        .append(Quantity.of(result.events(), "event", "events")).append(")\n");
    return text.toString();
  }

  private static Map<String, Object> json(TraceChecker.Result result) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("trace", result.trace().toString());
    object.put("sound", result.isSound());
    object.put("complete", result.absences().isEmpty());
    object.put("processes", result.processes());
    object.put("threads", result.threads());
    object.put("definitions", result.definitions());
    object.put("blocks", result.blocks());
    object.put("events", result.events());
    List<Object> findings = new ArrayList<>();
    for (Finding finding : result.findings()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
      fields.put("file", finding.file());
      fields.put("block", finding.block() < 0 ? null : finding.block());
      fields.put("byteOffset", finding.byteOffset() < 0 ? null : finding.byteOffset());
      fields.put("fact", finding.fact());
      fields.put("meaning", finding.meaning());
      fields.put("nextStep", finding.nextStep());
      findings.add(fields);
    }
    object.put("findings", findings);
    return object;
  }
}
