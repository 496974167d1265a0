package org.parallax.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Column;
import org.parallax.analysis.ComparisonReport.RunSet;
import org.parallax.analysis.ComparisonReport;
import org.parallax.analysis.Table;
import org.parallax.analysis.Unit;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Application;
import org.parallax.model.Level;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Prints by how much a table of one run differs from that of another. */
final class CompareCommand implements Command {
  /** The sessions of the repetitions of a run. */
  private record Runs(String name, List<Session> sessions) {}

  @Override
  public String name() {
    return "compare";
  }

  @Override
  public String usage() {
    return "[KIND] BASE[,BASE...] NEW[,NEW...] [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Prints how runs differ, and whether that is more than noise";
  }

  @Override
  public String description() {
    return """

        KIND is metrics, profile (which is meant without one), calltree, critical-path, npt or
        slack. Repeated runs of the same program stand with commas
        between them: their means are compared, with a confidence interval of the difference. Several
        NEW are each compared with BASE. Procedures that have other names now are found by their
        place in the source, or near it by a name that is alike.""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "what is printed (text)"),
        Option.of("--app", "NAME", "one application; without it those that all runs have, as text"),
        Option.of("--phase", "FROM..TO", "only this part of the time of each: 10%..90%, 1.5s..2s"),
        Option.of("--node", "PATH", "only this part of the tree of each"),
        Option.choice("--level", "LEVEL", ReportCommand.LEVELS, "what rows are"),
        Option.choice("--weight", "WEIGHT", List.of("cpu", "wall"), "what work weighs on paths (cpu)"),
        Option.of("--column", "KEY", "the column to compare (the one that adds up)"),
        Option.of("--confidence", "PERCENT", "of the intervals (95)"),
        Option.of("--top", "N", "only the first N rows"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax compare run1 run2", "parallax compare metrics run1 run2",
        "parallax compare run1,run2,run3 fast1,fast2,fast3 --top 10",
        "parallax compare critical-path --level process run1 run2 --format csv");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    List<String> words = new ArrayList<>(arguments.positional());
    boolean hasKind = !words.isEmpty() && Report.kinds().contains(words.get(0))
        && !Files.exists(Path.of(words.get(0)));
    Report report = hasKind ? Report.of(words.remove(0)) : Report.PROFILE;
    if (!report.isComparable()) {
      throw new UsageException("runs cannot be compared by report " + report.kind() + "; there is: "
          + String.join(", ", Arrays.stream(Report.values()).filter(Report::isComparable)
              .map(Report::kind).toList()));
    }
    report.checkOptions(arguments);
    if (report == Report.METRICS && !arguments.get("--level", "application").equals("application")) {
      throw new UsageException("metrics are compared of whole applications, or of one --node");
    }
    if (words.size() < 2) {
      throw new UsageException("there must be two runs or more, BASE and NEW"
          + (words.isEmpty() ? "" : "; there is only " + words.get(0)));
    }
    Progress progress = console.progress();
    List<Runs> sets = new ArrayList<>();
    try {
      for (String word : words) {
        List<Session> sessions = new ArrayList<>();
        sets.add(new Runs(word, sessions));
        for (Path path : Traces.paths(Arrays.asList(word.split(",")))) {
          sessions.add(SessionBuilder.open(List.of(path), progress));
        }
      }
      print(report, sets, arguments, console, progress);
    } finally {
      sets.forEach(set -> set.sessions.forEach(SessionBuilder::close));
    }
    return 0;
  }

  private static void print(Report report, List<Runs> sets, Arguments arguments, Console console,
      Progress progress) throws UsageException, CommandFailure {
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    List<String> applications = applications(sets, arguments);
    if (format != TableFormat.TEXT && (applications.size() > 1 || sets.size() > 2)) {
      throw new CommandFailure(format.name().toLowerCase(Locale.ROOT) + " holds one table; choose "
          + "two runs, and one application with --app: " + String.join(", ", applications));
    }
    double percent = confidence(arguments.get("--confidence", "95"));
    int top = arguments.number("--top", Integer.MAX_VALUE, 1);
    String separator = "";
    for (String application : applications) {
      RunSet base = tables(report, sets.get(0), application, arguments, progress);
      checkColumn(base.tables().get(0), arguments);
      for (Runs other : sets.subList(1, sets.size())) {
        RunSet now = tables(report, other, application, arguments, progress);
        Table table =
            ComparisonReport.of(base, now, arguments.get("--column", null), percent / 100);
        if (table == null) {
          throw new CommandFailure("no " + base.tables().get(0).nameLabel() + " of " + base.name()
              + " is in " + now.name() + ": they seem to be of different programs; see parallax info "
              + sets.get(0).name.split(",")[0]);
        }
        console.out().print(separator + (format == TableFormat.TEXT ? TextTable.print(table, top)
            : format.print(table, top, table.warnings())));
        console.out().flush();
        if (!format.holdsWarnings()) {
          table.warnings().forEach(console::warn);
        }
        separator = "\n";
      }
    }
  }

  /** Those that are in all runs, or the one that is asked for. */
  private static List<String> applications(List<Runs> sets, Arguments arguments)
      throws CommandFailure {
    Set<String> all = new LinkedHashSet<>();
    Set<String> common = null;
    for (Runs set : sets) {
      for (Session session : set.sessions) {
        List<String> names =
            session.getApplications().stream().map(Application::getName).toList();
        all.addAll(names);
        if (common == null) {
          common = new LinkedHashSet<>(names);
        }
        common.retainAll(names);
      }
    }
    if (arguments.has("--app")) {
      String wanted = arguments.get("--app", "");
      if (!common.contains(wanted)) {
        throw new CommandFailure("not all runs have an application \"" + wanted + "\""
            + NearNames.hint(wanted, common));
      }
      return List.of(wanted);
    }
    if (!common.isEmpty()) {
      return List.copyOf(common);
    }
    // A program that was renamed, if there is no choice.
    if (sets.stream().allMatch(set -> set.sessions.stream()
        .allMatch(session -> session.getApplications().size() == 1))) {
      return List.of("");
    }
    throw new CommandFailure("the runs have no application in common; there is: "
        + String.join(", ", all));
  }

  private static RunSet tables(Report report, Runs runs, String name, Arguments arguments,
      Progress progress) throws UsageException, CommandFailure {
    List<Table> tables = new ArrayList<>();
    Level level = arguments.has("--level") ? Level.valueOf(arguments.get("--level", "").toUpperCase(Locale.ROOT))
        : report == Report.METRICS ? Level.APPLICATION : report.defaultLevel();
    Weight weight = Weight.valueOf(arguments.get("--weight", "cpu").toUpperCase(Locale.ROOT));
    for (Session session : runs.sessions) {
      Application application = session.getApplications().stream()
          .filter(each -> name.isEmpty() || each.getName().equals(name)).findFirst().orElseThrow();
      Selection selected =
          Selection.of(session, new ApplicationAnalysis(application), arguments, progress);
      report.checkNode(selected.node());
      tables.add(report.make(selected.analysis(),
          ReportOptions.plain(level, weight, selected.node(), arguments),
          progress));
    }
    return new RunSet(runs.name, tables);
  }

  private static double confidence(String text) throws UsageException {
    try {
      double percent = Double.parseDouble(text);
      if (percent > 0 && percent < 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UsageException("\"" + text + "\" is no confidence; it takes percents between 0 and 100");
  }

  private static void checkColumn(Table table, Arguments arguments) throws CommandFailure {
    String key = arguments.get("--column", null);
    List<String> keys = table.columns().stream()
        .filter(column -> column.unit() != Unit.TEXT && column.unit() != Unit.FLAG)
        .map(Column::key).toList();
    if (key != null && !keys.contains(key)) {
      throw new CommandFailure("the report " + table.report() + " has no column of numbers \"" + key + "\""
          + NearNames.hint(key, keys));
    }
  }
}
