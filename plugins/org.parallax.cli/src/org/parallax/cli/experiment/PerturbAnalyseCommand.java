package org.parallax.cli.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.NearNames;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.effects.Anova;
import org.parallax.experiment.effects.Correction;
import org.parallax.experiment.effects.Diagnosis;
import org.parallax.experiment.effects.EffectTables;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Nonlinearity;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.effects.Proposal;
import org.parallax.experiment.effects.Ranking;
import org.parallax.experiment.effects.Responses;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Places;
import org.parallax.experiment.run.TrialTables;
import org.parallax.experiment.suggest.Prediction;
import org.parallax.model.Experiment;
import org.parallax.model.Response;
import org.parallax.model.files.ExperimentFile;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Says which places matter. */
public final class PerturbAnalyseCommand implements Command {
  private static final List<String> REPORTS = List.of("effects", "robust", "anova", "ranking",
      "levels", "aliases", "proposals", "trials", "counts");
  private static final List<String> SHOWN =
      List.of("effect", "error", "percent", "percentLow", "percentHigh", "holm", "verdict", "aliases");
  private static final Map<String, Correction> CORRECTIONS = corrections();

  private static Map<String, Correction> corrections() {
    Map<String, Correction> corrections = new LinkedHashMap<>();
    for (Correction correction : Correction.values()) {
      corrections.put(correction.text().toLowerCase(Locale.ROOT), correction);
    }
    return corrections;
  }

  @Override
  public String name() {
    return "perturb analyse";
  }

  @Override
  public String usage() {
    return "[OPTIONS] FILE" + ExperimentFile.SUFFIX;
  }

  @Override
  public String summary() {
    return "Prints which places matter, with standard errors, and the next steps";
  }

  @Override
  public String description() {
    return """

        An effect is the mean response with a treatment minus the mean response without it. It includes
        all aliases, which the design cannot separate from it. The source of the standard errors is
        stated. Experiments with more than two levels rank the settings instead. Reports are

          effects    main effects and interactions, warnings, and the next experiment
          robust     the same with medians, permutations, bootstrap and ranks
          anova      the analysis of variance
          ranking    the settings, the best first
          levels     mean responses at each level of each factor
          aliases    the effects that the design cannot separate
          proposals  the next experiment
          trials     the measurements, in the order of time
          counts     requested, achieved and counted delays of each factor""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.choice("--report", "KIND", REPORTS, "table (effects, or ranking)"),
        Option.of("--response", "NAME", "the response to analyse (the first)"),
        Option.of("--other", "FILE", "an experiment with other delays: check whether effects grow "
            + "with the delay"),
        Option.of("--predict", "TRACE", "trace of the program without delays: also print predicted "
            + "effects"),
        Option.of("--order", "N", "interactions of up to N factors (3; with many factors 2)"),
        Option.choice("--correction", "NAME", List.copyOf(CORRECTIONS.keySet()),
            "correction for many tests (holm)"),
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "format of the table (text)"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax perturb analyse qs.experiment",
        "parallax perturb analyse --report counts qs.experiment",
        "parallax perturb analyse --format json qs.experiment");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    Path file = PerturbFiles.one(arguments);
    Experiment experiment = ExperimentFile.read(file);
    Response response = response(experiment, arguments);
    boolean two = experiment.getLevels() == 2;
    String report = arguments.get("--report", two ? "effects" : "ranking");
    if (!two && List.of("effects", "robust", "aliases", "proposals").contains(report)) {
      throw new CommandFailure("effects need factors with two levels, but these have "
          + experiment.getLevels() + "; see: parallax perturb analyse --report ranking " + file);
    }
    List<Table> tables;
    try {
      tables = arguments.has("--other") ? List.of(delays(file, experiment, response,
          PerturbFiles.named(arguments.get("--other", ""))))
          : arguments.has("--predict") ? List.of(prediction(file, experiment, response,
          Path.of(arguments.get("--predict", "")), console.progress()))
          : tables(report, file.toString(), experiment, response, arguments);
    } catch (ExperimentException | IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage());
    }
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    if (format != TableFormat.TEXT) {
      tables = tables.subList(0, 1);
    }
    String separator = "";
    for (Table table : tables) {
      if (table.report().equals("ranking") || table.report().equals("levels")) {
        experiment.getFactors().forEach(factor -> table.parameters()
            .put(factor.getName(), factor.getSettings()));
      }
      console.out().print(separator + (format == TableFormat.TEXT ? head(table) : "")
          + format.print(format == TableFormat.TEXT && table.report().equals("effects")
              ? forPeople(table) : table, Integer.MAX_VALUE, table.warnings()));
      separator = "\n";
      if (!format.holdsWarnings()) {
        console.out().flush();
        table.warnings().forEach(console::warn);
      }
    }
    return 0;
  }

  /** Effects for each nanosecond, byte or share of the treatment, of this and another experiment. */
  private static Table delays(Path file, Experiment experiment, Response response, Path other)
      throws ExperimentException, TraceException {
    Experiment second = ExperimentFile.read(other);
    Response same = second.getResponses().stream()
        .filter(each -> each.getName().equals(response.getName())).findFirst()
        .orElseThrow(() -> new ExperimentException(
            other + " has no response " + response.getName()));
    if (experiment.getLevels() != 2 || second.getLevels() != 2) {
      throw new ExperimentException("effects need factors with two levels; for more levels, use "
          + "--report levels");
    }
    List<Nonlinearity.Delay> delays = Nonlinearity.compare(effects(experiment, response),
        ExperimentData.amounts(experiment), effects(second, same), ExperimentData.amounts(second));
    if (delays.isEmpty()) {
      throw new ExperimentException(other + " has no factor in common with " + file + "");
    }
    return EffectTables.delays(file.toString(), delays);
  }

  private static Effects effects(Experiment experiment, Response response)
      throws ExperimentException {
    Responses responses = ExperimentData.responses(experiment, response);
    return Effects.of(responses, Options.of(responses.design().factors()));
  }

  private static Table prediction(Path file, Experiment experiment, Response response, Path trace,
      Progress progress) throws ExperimentException, TraceException {
    if (experiment.getLevels() != 2 || !"ns".equals(response.getUnit())) {
      throw new ExperimentException(
          "the graph predicts only effects on times, of factors with two levels");
    }
    Places places = PerturbFiles.tools().places(file, experiment);
    Map<String, Set<String>> functions = new HashMap<>();
    for (int i = 0; i < experiment.getFactors().size(); i++) {
      functions.put(experiment.getFactors().get(i).getName(), places.functions(i));
    }
    Effects effects = effects(experiment, response);
    LoadedSession session = SessionBuilder.open(List.of(trace), progress);
    try {
      return Prediction.of(file.toString(), ApplicationAnalysis.global(session.getApplications()),
          experiment, effects, functions, progress);
    } finally {
      SessionBuilder.close(session);
    }
  }

  private static Response response(Experiment experiment, Arguments arguments)
      throws UsageException {
    List<String> names = experiment.getResponses().stream().map(Response::getName).toList();
    String name = arguments.get("--response", names.get(0));
    if (!names.contains(name)) {
      throw new UsageException("the experiment has no response \"" + name + "\""
          + NearNames.hint(name, names));
    }
    return experiment.getResponses().get(names.indexOf(name));
  }

  private static List<Table> tables(String report, String file, Experiment experiment,
      Response response, Arguments arguments) throws ExperimentException, UsageException {
    if (report.equals("trials")) {
      return List.of(TrialTables.trials(file, experiment));
    }
    if (report.equals("counts")) {
      return List.of(TrialTables.counts(file, experiment));
    }
    Design design = ExperimentData.design(experiment);
    if (report.equals("aliases")) {
      return List.of(EffectTables.aliases(file, design,
          experiment.getFactors().stream().map(factor -> factor.getName()).toList(),
          arguments.number("--order", 2, 1)));
    }
    Responses responses = ExperimentData.responses(experiment, response);
    Options usual = Options.of(design.factors());
    Options options = new Options(arguments.number("--order", usual.order(), 1), usual.confidence(),
        CORRECTIONS.get(arguments.get("--correction", "holm")), usual.source(), usual.seed());
    if (report.equals("anova")) {
      return List.of(EffectTables.anova(file, responses, options, Anova.Sums.MARGINAL));
    }
    if (report.equals("ranking") || report.equals("levels")) {
      Ranking ranking = Ranking.of(responses, options, Ranking.By.MEAN);
      return report.equals("levels") ? List.of(EffectTables.levels(file, ranking))
          : List.of(EffectTables.ranking(file, ranking));
    }
    Diagnosis diagnosis = Diagnosis.of(Effects.of(responses, options));
    if (report.equals("robust")) {
      return List.of(EffectTables.robust(file, diagnosis));
    }
    if (report.equals("proposals")) {
      return List.of(EffectTables.proposals(file, diagnosis));
    }
    List<Table> tables = new ArrayList<>(List.of(EffectTables.effects(file, diagnosis)));
    if (!Proposal.of(diagnosis).isEmpty()) {
      tables.add(EffectTables.proposals(file, diagnosis));
    }
    return tables;
  }

  /** The columns of effects that people read; the other formats have all. */
  private static Table forPeople(Table table) {
    List<Integer> kept = SHOWN.stream().map(table::column).toList();
    List<Row> rows = table.rows().stream().map(row -> new Row(row.name(), row.subject(), row.unit(),
        kept.stream().map(row.values()::get).toList())).toList();
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), -1,
        kept.stream().map(table.columns()::get).toList(), rows, table.warnings());
  }

  /** What a person must know of how a table came about, in lines that fit a terminal. */
  private static String head(Table table) {
    StringBuilder text = new StringBuilder();
    int width = 0;
    for (Map.Entry<String, String> parameter : table.parameters().entrySet()) {
      String key = parameter.getKey().replaceAll("([a-z])([A-Z])", "$1 $2")
          .toLowerCase(Locale.ROOT);
      String part = key + " " + parameter.getValue();
      boolean fits = width + part.length() + 2 <= Console.width();
      text.append(width == 0 ? "" : fits ? ", " : ",\n").append(part);
      width = (width == 0 ? 0 : fits ? width + 2 : 0) + part.length();
    }
    return text.isEmpty() ? "" : text.append('\n').toString();
  }
}
