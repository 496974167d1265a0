package org.parallax.cli.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.analyzer.Summary;
import org.parallax.tuning.control.Commands;
import org.parallax.tuning.control.ControlClient;
import org.parallax.tuning.control.ControlException;
import org.parallax.tuning.control.ControlServer;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.ModelException;
import org.parallax.tuning.model.ModelFile;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.monitor.MonitorException;
import org.parallax.tuning.monitor.ProcessMonitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.Replay;
import org.parallax.tuning.session.SessionException;
import org.parallax.tuning.session.SessionWriter;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Tunes a program while it runs, or replays how one was tuned. */
public final class TuneCommand implements Command {
  private static final Pattern TIME = Pattern.compile("(\\d{1,7})(ms|s)");
  private static final long LEAST_MS = 10;
  private static final long MOST_MS = 60_000;
  private static final long NS_PER_MS = 1_000_000;
  /** The order of periods differs from run to run, and is recorded. */
  private static final String SEED = "--seed";
  private static final String CONTROL = "--control";
  private static final int TERMINATE = 15;
  private static final String REPLAY = "--replay";
  private static final String WATCH = "watch";
  private static final String ATTACH = "--attach";
  private static final String TRACE = "--trace";

  @Override
  public String name() {
    return "tune";
  }

  @Override
  public String usage() {
    return "[OPTIONS] -- COMMAND [ARGUMENTS]\n       parallax tune [OPTIONS] --attach PID[,PID...]|NAME\n"
        + "       parallax tune --control DIR [COMMAND]\n"
        + "       parallax tune --replay DIR\n       parallax tune --models";
  }

  @Override
  public String summary() {
    return "Tunes a program while it runs, by models of what makes programs slow";
  }

  @Override
  public String description() {
    return """

        Runs COMMAND and counts its calls. When the condition of a model holds, the reason and the
        action are printed. With --act, the action is done, its effect is measured, and an action
        that does not help is undone. COMMAND keeps its input, output and exit status; it needs
        no trace. Without --act, nothing is changed.

        With --attach, programs that run already are tuned, until they end or Ctrl-C ends the
        tuning. They go on.

        With -o DIR, the session takes commands from other terminals: parallax tune --control DIR
        status shows measure points, conditions and actions, watch shows them every second and takes
        letters for commands; act and advise switch between doing
        and advising; pause, resume; undo N undoes the action N, undo alone the last one, undo all
        all of them; stop ends the tuning. The program goes on.""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.flag("--advise", "print what would help, change nothing (the default)"),
        Option.flag("--act", "change the running program, and undo what does not help"),
        Option.of(ATTACH, "PID", "tune programs that run: numbers with commas, or a name"),
        Option.of(TRACE, "DIR", "with --attach: also record the programs, in the trace DIR"),
        Option.of("--model", "FILE", "also use the model in FILE, or a listed one that is not used by itself; may be given several times"),
        Option.of("--only", "NAME", "use only the model NAME; may be given several times"),
        Option.flag("--models", "list the models, and exit"),
        Option.of("--interval", "TIME", "how often metrics arrive, as 200ms or 1s (200ms)"),
        Option.of("-o", "DIR", "record the session in DIR, for --replay and --control"),
        Option.of("--control", "DIR",
            "give a command to the session in DIR: act, advise, pause, resume, undo [N], stop, status, watch"),
        Option.of(REPLAY, "DIR", "decide again from a recorded session, and compare"),
        Option.of(SEED, "N", "draw the order of periods from N (a different one in each run)"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax tune -- ./master 1000", "parallax tune --act -o session -- ./master 1000",
        "parallax tune --act --model chunk.yaml -- mpirun -n 4 ./solver", "parallax tune --act --attach 4711,4712", "parallax tune --replay session");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, CommandFailure {
    if (arguments.has("--act") && arguments.has("--advise")) {
      throw new UsageException("options --act and --advise exclude each other");
    }
    if (arguments.has(CONTROL)) {
      refuseOthers(arguments, CONTROL, "a directory and a command");
      return control(Path.of(arguments.get(CONTROL, "")), arguments.positional(), console);
    }
    if (arguments.has(REPLAY)) {
      refuseOthers(arguments, REPLAY, "a directory and nothing else");
      if (!arguments.positional().isEmpty()) {
        throw new UsageException("option --replay takes a directory and nothing else, not a program");
      }
      return replay(Path.of(arguments.get(REPLAY, "")), console);
    }
    List<TuningModel> models = models(arguments);
    if (arguments.has("--models")) {
      console.out().print(TuneTables.models(models));
      console.out().flush();
      return 0;
    }
    if (arguments.has(ATTACH)) {
      return attach(arguments, models, console);
    }
    if (arguments.has(TRACE)) {
      throw new UsageException("option --trace needs --attach; to record a program that is started, use: parallax tune -- "
          + "parallax record -o DIR -- COMMAND");
    }
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the program to tune is missing; name it after --");
    }
    try (UntilTheEnd end = new UntilTheEnd()) {
      return tune(arguments, models, arguments.positional(), false, console, end);
    }
  }

  /** The recorder attaches. Without a directory for its trace, that is only kept for the last second, and removed. */
  private static int attach(Arguments arguments, List<TuningModel> models, Console console) throws UsageException, CommandFailure {
    if (!arguments.positional().isEmpty()) {
      throw new UsageException("option --attach takes processes that run, and no program after --");
    }
    // The virtual machine ends only after the trace was removed, also if it is interrupted.
    try (UntilTheEnd end = new UntilTheEnd(); AttachedTrace trace = new AttachedTrace(arguments.get(TRACE, ""))) {
      return tune(arguments, models, trace.recorder(program(), arguments.get(ATTACH, "")), true, console, end);
    } catch (IOException e) {
      throw new CommandFailure("cannot make a directory for temporary files: " + e.getMessage());
    }
  }

  private static int tune(Arguments arguments, List<TuningModel> models, List<String> command, boolean isAttached, Console console,
      UntilTheEnd end) throws UsageException, CommandFailure {
    int seed = arguments.number(SEED, (int) (System.nanoTime() & Integer.MAX_VALUE), 0);
    SessionStart start = new SessionStart(arguments.has("--act"), seed, intervalMs(arguments) * NS_PER_MS, models,
        command);
    String directory = arguments.get("-o", "");
    try (SessionWriter writer = directory.isEmpty() ? null : new SessionWriter(newDirectory(directory), start)) {
      return tune(start, writer, directory, isAttached, console, end);
    } catch (IOException e) {
      throw new CommandFailure("cannot write the session to " + directory + ": " + e.getMessage());
    }
  }

  private void refuseOthers(Arguments arguments, String option, String takes) throws UsageException {
    for (Option other : options()) {
      if (!other.name().equals(option) && arguments.has(other.name())) {
        throw new UsageException("option " + option + " takes " + takes + ", not " + other.name()
            + ": the session has all that it needs");
      }
    }
  }

  private static int control(Path directory, List<String> words, Console console) throws UsageException, CommandFailure {
    String word = words.isEmpty() ? "status" : words.get(0);
    List<String> known = new ArrayList<>(Commands.WORDS);
    known.add(WATCH);
    if (!known.contains(word)) {
      throw new UsageException("unknown command " + word + NearNames.hint(word, known));
    }
    try {
      if (word.equals(WATCH)) {
        new TuneWatch(directory, System.in, console.out(), System.console() != null).run();
        return 0;
      }
      console.out().println(ControlClient.ask(directory, words.isEmpty() ? word : String.join(" ", words)).stripTrailing());
      console.out().flush();
      return 0;
    } catch (ControlException e) {
      throw new CommandFailure(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static Path newDirectory(String directory) throws CommandFailure {
    Path path = Path.of(directory);
    if (Files.exists(path)) {
      throw new CommandFailure("cannot write the session to " + directory
          + ": it exists; remove it, or choose another directory with -o");
    }
    return path;
  }

  private static long intervalMs(Arguments arguments) throws UsageException {
    String text = arguments.get("--interval", "200ms");
    Matcher time = TIME.matcher(text);
    long milliseconds = time.matches() ? Long.parseLong(time.group(1)) * (time.group(2).equals("s") ? 1000 : 1) : 0;
    if (milliseconds < LEAST_MS || milliseconds > MOST_MS) {
      throw new UsageException("option --interval cannot be \"" + text + "\"; the value must be a time from " + LEAST_MS
          + "ms to " + MOST_MS / 1000 + "s");
    }
    return milliseconds;
  }

  /** Those to use, with all errors of all files. */
  private static List<TuningModel> models(Arguments arguments) throws CommandFailure, UsageException {
    List<TuningModel> builtIn = BuiltInModels.all();
    Set<String> named = new LinkedHashSet<>(arguments.all("--model"));
    named.retainAll(namesOf(builtIn));
    List<TuningModel> models;
    try {
      models = ModelFile.readAll(builtIn, Path.of(""), arguments.all("--model").stream().filter(model -> !named.contains(model)).toList());
    } catch (ModelException e) {
      throw new CommandFailure(e.getMessage());
    }
    List<String> only = arguments.all("--only");
    for (String name : only) {
      if (!namesOf(models).contains(name)) {
        throw new UsageException("there is no model " + name + NearNames.hint(name, namesOf(models)));
      }
    }
    if (arguments.has("--models") && only.isEmpty()) {
      return models;
    }
    return models.stream().filter(model -> only.isEmpty()
        ? named.contains(model.name()) || !BuiltInModels.mustBeNamed(model) : only.contains(model.name())).toList();
  }

  private static List<String> namesOf(List<TuningModel> models) {
    return models.stream().map(TuningModel::name).toList();
  }

  private static Path program() {
    return Path.of(System.getProperty(ProcessMonitor.PROPERTY, "parallax-tune"));
  }

  private static int tune(SessionStart start, SessionWriter writer, String directory, boolean isAttached, Console console,
      UntilTheEnd end) throws CommandFailure {
    Summary summary = new Summary(start.models());
    Consumer<Decision> show = decision -> {
      summary.add(decision);
      console.note(decision.shown());
    };
    try (ProcessMonitor monitor = ProcessMonitor.start(program(), List.of(), start.command())) {
      LiveSession session = new LiveSession(monitor, start, writer, show);
      AtomicBoolean isInterrupted = new AtomicBoolean();
      AtomicBoolean isOver = new AtomicBoolean();
      end.whenInterrupted(() -> {
        isInterrupted.set(true);
        session.leave();
        endRecorder(isAttached && isOver.get(), monitor);
      });
      try (ControlServer control = writer == null ? null : listen(directory, session, console)) {
        if (!session.run()) {
          console.warn("the monitor has ended; the program goes on and is not tuned any more");
        }
      } catch (IOException e) {
        console.warn("cannot remove the socket of --control: " + e.getMessage());
      }
      isOver.set(true);
      endRecorder(isAttached && isInterrupted.get(), monitor);
      int status = monitor.waitFor();
      // The recorder has told why it could not attach.
      if (!isAttached || status == 0 || !session.state().processes().isEmpty()) {
        console.note(TuneTables.summary(summary));
      }
      if (isAttached && isInterrupted.get()) {
        console.note("tuning has ended, and the program goes on");
      }
      if (writer != null) {
        if (writer.failure() != null) {
          console.warn("the session in " + directory + " is not complete: " + writer.failure());
        }
        console.note("the session is in " + directory + "; next: parallax tune --replay " + directory);
      }
      return end.status(status);
    } catch (MonitorException e) {
      throw new CommandFailure(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted; the program goes on and is not tuned any more");
    }
  }

  /** A recorder that has attached ends after the tuning, so that the programs have undone what is to be undone. */
  private static void endRecorder(boolean isWanted, ProcessMonitor monitor) {
    if (isWanted) {
      monitor.send(Map.of("type", "kill", "signal", TERMINATE));
    }
  }

  /** @return null when the session cannot be controlled, which is told */
  private static ControlServer listen(String directory, LiveSession session, Console console) {
    try {
      ControlServer server = new ControlServer(Path.of(directory), session);
      console.note("commands for this session: parallax tune --control " + directory + " status|" + String.join("|",
          Commands.WORDS.subList(0, Commands.WORDS.size() - 1)));
      return server;
    } catch (IOException e) {
      console.warn("this session takes no commands from other terminals: " + e.getMessage());
      return null;
    }
  }

  private static int replay(Path directory, Console console) throws CommandFailure {
    try {
      Replay.Result result = Replay.of(directory);
      Summary summary = new Summary(result.models());
      for (Decision decision : result.decisions()) {
        summary.add(decision);
        console.out().println(decision.shown());
      }
      console.out().println(TuneTables.summary(summary));
      console.out().flush();
      if (!result.differences().isEmpty()) {
        throw new CommandFailure("the decisions differ from those of the session, as another version of Parallax may decide: "
            + result.differences().get(0));
      }
      return 0;
    } catch (SessionException e) {
      throw new CommandFailure(e.getMessage());
    }
  }
}
