package org.parallax.cli.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.RunResolver;
import org.parallax.model.files.SessionFile;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;
import org.parallax.record.SessionRunner;
import org.parallax.trace.TraceException;

/** Makes sessions of several applications, and runs them again. */
public final class SessionCommand implements Command {
  @Override
  public String name() {
    return "session";
  }

  @Override
  public String usage() {
    return "FILE.parallax [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Creates, runs or shows a session of several applications";
  }

  @Override
  public String description() {
    return """

        A session is a text file that names runs. Reports, comparisons and exports accept it in
        place of a trace, and analyse its applications together. Replayed and active runs share one
        time base. If the session has a base to compare with, reports show the differences from the
        base. Runs of one group are repetitions, which separate noise from differences.""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.of("--replay", "TRACE", "add an existing trace"),
        Option.of("--compare", "TRACE", "add an existing trace as the base of a comparison"),
        Option.of("--active", "COMMAND", "add a shell command that --run executes"),
        Option.of("--name", "NAME", "name of the added run (that of the trace or program)"),
        Option.of("--group", "NAME", "group of the added run: runs of a group are repetitions"),
        Option.of("--remove", "NAME", "remove a run from the session; its trace is kept"),
        Option.flag("--run", "run and record all active commands at the same time")));
    options.addAll(RecordOptions.ALL);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of(
        "parallax session db.parallax --active './server --port 7000' --active './client 7000'",
        "parallax session db.parallax --compare old.trace",
        "parallax session db.parallax --run",
        "parallax session db.parallax --run --sample-hz 1000 --adapters -file",
        "parallax report profile db.parallax",
        "parallax session db.parallax");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    if (arguments.positional().size() != 1) {
      throw new UsageException("name one session file");
    }
    Path file = Path.of(arguments.positional().get(0));
    if (!SessionFile.isNamed(file)) {
      throw new UsageException(
          "the name of a session file must end with " + SessionFile.SUFFIX + ": " + file);
    }
    String recordOption = RecordOptions.given(arguments);
    if (recordOption != null && !arguments.has("--run")) {
      throw new UsageException("option " + recordOption + " is for recording; add --run");
    }
    boolean changes = List.of("--replay", "--compare", "--active", "--remove").stream()
        .anyMatch(arguments::has);
    Session session = changes && !Files.exists(file) ? ModelFactory.eINSTANCE.createSession()
        : SessionFile.read(file);
    if (changes) {
      change(session, file, arguments);
      write(session, file);
    }
    int status = 0;
    if (arguments.has("--run")) {
      status = run(session, file, RecordOptions.words(arguments), console);
    }
    console.out().print(text(session, file));
    console.out().flush();
    return status;
  }

  /** Writes a session file. */
  public static void write(Session session, Path file) throws CommandFailure {
    try {
      SessionFile.write(session, file);
    } catch (IOException e) {
      throw new CommandFailure("the session file " + file + " cannot be written: "
          + e.getMessage());
    }
  }

  private static void change(Session session, Path file, Arguments arguments)
      throws UsageException, CommandFailure, TraceException {
    for (String name : arguments.all("--remove")) {
      if (!session.getRuns().removeIf(run -> run.getName().equals(name))) {
        throw new CommandFailure("there is no run \"" + name + "\""
            + NearNames.hint(name, session.getRuns().stream().map(Run::getName).toList()));
      }
    }
    List<Run> added = new ArrayList<>();
    for (RunMode mode : List.of(RunMode.REPLAY, RunMode.COMPARISON)) {
      for (String trace : arguments.all(mode == RunMode.REPLAY ? "--replay" : "--compare")) {
        Path directory = Path.of(trace);
        if (!RunResolver.resolve(directory).orThrow().isRecorded()) {
          throw new CommandFailure("there is no trace in " + trace + "; record one with: parallax "
              + "record -o " + trace + " -- COMMAND");
        }
        Run run = made(session, mode, arguments.get("--name", last(directory)));
        run.setTrace(SessionFile.named(file, directory));
        run.setGroup(arguments.get("--group", null));
        added.add(run);
      }
    }
    for (String command : arguments.all("--active")) {
      if (command.isBlank()) {
        throw new UsageException("--active needs a command");
      }
      Run run = made(session, RunMode.ACTIVE,
          arguments.get("--name", last(Path.of(command.strip().split("\\s+")[0]))));
      run.setCommand(command);
      run.setTrace(run.getName() + ".trace");
      run.setGroup(arguments.get("--group", null));
      added.add(run);
    }
    if (arguments.has("--name") && added.size() > 1) {
      throw new UsageException("--name can name only one run, but " + added.size() + " are added");
    }
  }

  /** @return the name of a run that is read from a path: its last part, without the suffix of sessions */
  public static String last(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? "run" : !SessionFile.isNamed(name) ? name.toString()
        : name.toString().substring(0, name.toString().length() - SessionFile.SUFFIX.length());
  }

  /** A run of a name that no other has, added to the session. */
  public static Run made(Session session, RunMode mode, String name) throws UsageException {
    if (name.isBlank() || name.contains("/")) {
      throw new UsageException("\"" + name + "\" cannot be the name of a run");
    }
    Run run = ModelFactory.eINSTANCE.createRun();
    String unique = name;
    for (int number = 2; isTaken(session, unique); number++) {
      unique = name + "-" + number;
    }
    run.setName(unique);
    run.setMode(mode);
    session.getRuns().add(run);
    return run;
  }

  private static boolean isTaken(Session session, String name) {
    return session.getRuns().stream().anyMatch(run -> name.equals(run.getName()));
  }

  /** Runs all active commands at once; their output is that of this command. */
  private static int run(Session session, Path file, List<String> options, Console console)
      throws CommandFailure {
    try {
      int status = 0;
      for (Map.Entry<Run, Integer> each
          : SessionRunner.run(session, file, Agent.named(), options).entrySet()) {
        if (each.getValue() != 0) {
          console.warn(each.getKey().getName() + " exited with status " + each.getValue());
          status = 1;
        }
      }
      return status;
    } catch (RecordException e) {
      throw new CommandFailure(e.getMessage());
    } catch (InterruptedException e) {
      return 1;
    }
  }

  /** @return the runs of a session, a line for each, for people */
  public static String text(Session session, Path file) {
    StringBuilder text = new StringBuilder();
    for (Run run : session.getRuns()) {
      Path trace = SessionFile.trace(file, run);
      boolean recorded = RunResolver.resolve(trace).isRecorded();
      text.append(String.format(Locale.ROOT, "%-20s %-11s %s%s%n", run.getName(),
          run.getMode().getName().toLowerCase(Locale.ROOT), run.getTrace()
              + (run.getGroup() == null ? "" : "  group " + run.getGroup()),
          recorded ? "" : run.getMode() == RunMode.ACTIVE ? " (not recorded yet: --run)"
              : " (missing)"));
      if (run.getCommand() != null) {
        text.append(String.format("%-32s %s%n", "", run.getCommand()));
      }
    }
    return text.isEmpty() ? "no runs\n" : text.toString();
  }
}
