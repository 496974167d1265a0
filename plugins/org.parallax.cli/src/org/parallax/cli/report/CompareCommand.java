package org.parallax.cli.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.cli.session.SessionCommand;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.RunResolver;
import org.parallax.model.files.SessionFile;
import org.parallax.trace.TraceException;

/**
 * Makes a session of runs to compare, as a file or for one report of it only.
 */
public final class CompareCommand implements Command {
  /** A file that need not be there, beside which the traces of a command line are. */
  public static final Path HERE = Path.of("comparison" + SessionFile.SUFFIX);

  private static final int MOST_NAMES = 3;

  @Override
  public String name() {
    return "compare";
  }

  @Override
  public String usage() {
    return "[KIND] BASE[,BASE...] NEW[,NEW...]... [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Prints how runs differ, and whether the differences exceed the noise";
  }

  @Override
  public String description() {
    return """

        KIND is a report (profile by default) with its options. Separate repeated runs of the same
        program by commas: their means are compared, with a confidence interval of the difference.
        Each NEW is compared with BASE. A renamed procedure is matched by its place in the source,
        or by a similar name near this place.

        With -o, the comparison is written as a session file, which all reports and exports accept:
        parallax report histogram FILE.parallax, parallax export flamegraph FILE.parallax.""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(new ReportCommand().options());
    options.add(0, Option.of("-o", "FILE.parallax", "write the comparison to a session file "
        + "instead of printing a report"));
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax compare run1 run2", "parallax compare metrics run1 run2",
        "parallax compare run1,run2,run3 fast1,fast2,fast3 --top 10",
        "parallax compare critical-path --level process run1 run2 --format csv",
        "parallax compare run1,run2,run3 fast1,fast2,fast3 -o faster.parallax");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, ReportException, TraceException {
    ReportCatalogue catalogue = ReportOptions.catalogue();
    catalogue.faults().forEach(console::warn);
    List<String> words = new ArrayList<>(arguments.positional());
    boolean hasKind = !words.isEmpty() && catalogue.ids().contains(words.get(0))
        && !Files.exists(Path.of(words.get(0)));
    ReportKind kind = hasKind ? catalogue.find(words.remove(0)) : StandardReport.PROFILE;
    if (!hasKind && words.size() > 2 && !NearNames.of(words.get(0), catalogue.ids()).isEmpty()
        && !Files.exists(Traces.paths(words).get(0))) {
      throw new UsageException("there is no report and no trace \"" + words.get(0) + "\""
          + NearNames.hint(words.get(0), catalogue.ids()));
    }
    if (words.size() < 2) {
      throw new UsageException("a comparison needs at least two runs, BASE and NEW"
          + (words.isEmpty() ? "" : "; there is only " + words.get(0)));
    }
    boolean writes = arguments.has("-o");
    Path file = writes ? Path.of(arguments.get("-o", "")) : HERE;
    if (writes && (hasKind || !SessionFile.isNamed(file))) {
      throw new UsageException(hasKind
          ? "-o writes only the comparison, not a report; first run: parallax compare BASE NEW -o "
          + "FILE, then: parallax report " + kind.id() + " FILE"
          : "the name of a session file must end with " + SessionFile.SUFFIX + ": " + file);
    }
    catalogue.check(kind, ReportOptions.values(arguments));
    if (kind.comparability() == ReportKind.Comparability.NONE) {
      throw new UsageException("the report " + kind.id() + " cannot be compared; to print all runs "
          + "on one time base: parallax report " + kind.id() + " --align start RUN...");
    }
    Session document = document(words, file, writes);
    if (!writes) {
      return ReportCommand.compare(kind, document, file, arguments, console);
    }
    SessionCommand.write(document, file);
    console.out().print(SessionCommand.text(document, file));
    console.out().flush();
    return 0;
  }

  /** Each word is a group of runs, the first one the base. */
  public static Session document(List<String> words, Path file, boolean writes)
      throws UsageException, CommandFailure, TraceException {
    Session document = ModelFactory.eINSTANCE.createSession();
    for (String word : words) {
      List<Run> group = new ArrayList<>();
      for (Path path : Traces.paths(Arrays.asList(word.split(",")))) {
        if (writes && !RunResolver.resolve(path).orThrow().isRecorded()) {
          throw new CommandFailure("there is no trace directory " + path + "; record one with: parallax "
              + "record -o " + path + " -- COMMAND");
        }
        Run run = SessionCommand.made(document,
            document.getRuns().size() == group.size() ? RunMode.COMPARISON : RunMode.REPLAY,
            SessionCommand.last(path));
        run.setTrace(writes ? SessionFile.named(file, path) : path.toString());
        group.add(run);
      }
      group.forEach(run -> run.setGroup(name(group)));
    }
    return document;
  }

  private static String name(List<Run> group) {
    List<String> names = group.stream().map(Run::getName).toList();
    return names.size() <= MOST_NAMES ? String.join(",", names)
        : names.get(0) + ",...," + names.get(names.size() - 1);
  }
}
