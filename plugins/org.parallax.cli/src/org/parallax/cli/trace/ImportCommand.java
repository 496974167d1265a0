package org.parallax.cli.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceSeries;
import org.parallax.trace.series.ExternalSeries;
import org.parallax.trace.series.SeriesException;

/** Adds the measurements of other monitors to a trace. */
public final class ImportCommand implements Command {
  private static final String STANDARD_INPUT = "-";

  @Override
  public String name() {
    return "import";
  }

  @Override
  public String usage() {
    return "TRACE FILE... [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Adds the measurements of other monitors to a trace";
  }

  @Override
  public String description() {
    return """

        FILE is a series, or - for standard input. A series is a text with metrics of a machine, process
        or application over time; docs/external-data.md describes its lines. If a line is wrong, nothing
        is added to the trace.""";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.of("--name", "NAME",
        "name of the series in the trace (that of the file)"),
        Option.flag("--replace", "replace an existing series of this name"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax import run1 sensors.series",
        "ssh node7 cat power.log | ./to-series.sh | parallax import --name power run1 -");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    List<String> names = arguments.positional();
    if (names.size() < 2) {
      throw new UsageException(names.isEmpty() ? "the trace's directory is missing"
          : "the file of a series is missing");
    }
    if (names.size() > 2 && arguments.has("--name")) {
      throw new UsageException("--name can name only one series");
    }
    if (names.subList(1, names.size()).stream().filter(STANDARD_INPUT::equals).count() > 1) {
      throw new UsageException("standard input can be read only once");
    }
    List<Path> paths = Traces.paths(names);
    try (Trace trace = Trace.open(paths.get(0), console.progress())) {
      Set<String> taken = new LinkedHashSet<>();
      for (int i = 1; i < names.size(); i++) {
        Path target = target(trace, names.get(i), arguments);
        if (!taken.add(target.toString())) {
          throw new CommandFailure("two series would be written to " + target
              + "; import them one at a time, with --name");
        }
      }
      for (int i = 1; i < names.size(); i++) {
        take(trace, names.get(i), paths.get(i), target(trace, names.get(i), arguments), console);
      }
    }
    warn(paths.get(0), console);
    return 0;
  }

  private static Path target(Trace trace, String file, Arguments arguments)
      throws UsageException, CommandFailure {
    String name = arguments.get("--name", file.equals(STANDARD_INPUT) ? "external"
        : Path.of(file).getFileName().toString());
    name = name.endsWith(ExternalSeries.SUFFIX)
        ? name.substring(0, name.length() - ExternalSeries.SUFFIX.length()) : name;
    if (name.isEmpty() || name.startsWith(".") || name.contains("/")) {
      throw new UsageException("\"" + name + "\" cannot be the name of a series; choose one with "
          + "--name");
    }
    if (!Trace.mayBeTrace(trace.directory())) {
      throw new CommandFailure(trace.directory() + " is a trace of another tool, which Parallax does not change; "
          + "import into a trace made by parallax record");
    }
    Path target = trace.directory().resolve(name + ExternalSeries.SUFFIX);
    if (Files.exists(target) && !arguments.has("--replace")) {
      throw new CommandFailure("the trace already has a series " + name + ", " + target
          + "; choose another name with --name, or replace it with --replace");
    }
    return target;
  }

  /** Copies it first: what is read twice, as a pipe, cannot be checked before. */
  private static void take(Trace trace, String name, Path file, Path target, Console console)
      throws CommandFailure {
    boolean standard = name.equals(STANDARD_INPUT);
    String shown = standard ? "standard input" : name;
    Path beside = target.resolveSibling("." + target.getFileName() + ".new");
    List<ExternalSeries> series;
    try {
      try (InputStream from = standard ? System.in : open(file)) {
        Files.copy(from, beside, StandardCopyOption.REPLACE_EXISTING);
      }
      try (InputStream copy = Files.newInputStream(beside)) {
        series = TraceSeries.read(trace, named(target), copy);
      }
      if (series.isEmpty()) {
        throw new CommandFailure(
            shown + " is empty; a series begins with the line parallax-series 1");
      }
      move(beside, target);
    } catch (SeriesException e) {
      throw new CommandFailure(shown + ":" + e.line() + ": " + e.getMessage()
          + "; correct the line and import it again: parallax import " + trace.directory() + " "
          + name + "; docs/external-data.md describes the lines");
    } catch (IOException e) {
      throw new CommandFailure(shown + " cannot be added to the trace " + trace.directory() + ": "
          + e);
    } finally {
      beside.toFile().delete();
    }
    for (ExternalSeries each : series) {
      console.out().println(SeriesInfo.series(each));
    }
  }

  private static String named(Path target) {
    String file = target.getFileName().toString();
    return file.substring(0, file.length() - ExternalSeries.SUFFIX.length());
  }

  private static InputStream open(Path file) throws IOException, CommandFailure {
    if (!Files.exists(file)) {
      throw new CommandFailure("there is no file " + file);
    }
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + " is a directory; name a file in it");
    }
    return Files.newInputStream(file);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** What is there now and yet will not be seen where it is looked for. */
  private static void warn(Path directory, Console console) throws TraceException {
    LoadedSession session = SessionBuilder.open(List.of(directory), console.progress());
    try {
      for (ExternalData data : session.getExternals()) {
        ExternalSeries series = data.getSeries();
        if (data.getMachine() == null && data.getProcess() == null
            && data.getApplication() == null) {
          console.warn(series + " belongs to no machine, process or application of the trace, and "
              + "is shown with the whole workload; to list the contents of the trace: parallax "
              + "info " + directory);
        }
        String apart = TraceSeries.apart(data.getTrace(), series);
        if (!apart.isEmpty()) {
          console.warn(apart);
        }
      }
    } finally {
      SessionBuilder.close(session);
    }
  }
}
