package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Column.Role;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.AliasString;
import org.parallax.experiment.design.AliasTable;
import org.parallax.experiment.design.Design;

/** What an experiment tells, as tables; {@code docs/experiments-effects.md} has their keys. */
public final class EffectTables {
  /** Squares of times are of milliseconds: those of nanoseconds cannot be read. */
  private static final double NS_PER_MS = 1e6;
  private static final double NOT_LINEAR = 0.05;

  private EffectTables() {}

  /**
   * The effects, the largest first, with the warnings.
   *
   * @param file of the experiment
   */
  public static Table effects(String file, Diagnosis diagnosis) {
    Effects effects = diagnosis.effects();
    Unit unit = effects.responses().unit();
    List<Column> columns = List.of(value("effect", "effect", unit),
        value("error", "std. error", unit), new Column("t", "t", Unit.NUMBER),
        new Column("p", "p", Unit.PROBABILITY), new Column("holm", "p (Holm)", Unit.PROBABILITY),
        new Column("bh", "p (B-H)", Unit.PROBABILITY), value("low", "low", unit),
        value("high", "high", unit), new Column("percent", "% of base", Unit.PERCENT),
        new Column("percentLow", "% low", Unit.PERCENT),
        new Column("percentHigh", "% high", Unit.PERCENT),
        new Column("verdict", "verdict", Unit.TEXT), new Column("aliases", "aliases", Unit.TEXT));
    List<Row> rows = new ArrayList<>();
    for (Effect effect : largestFirst(effects.effects())) {
      rows.add(row(effect.name(), number(effect.estimate(), unit),
          number(effect.standardError(), unit), number(effect.t()), number(effect.p()),
          number(effect.holm()), number(effect.benjaminiHochberg()), low(effect.interval(), unit),
          high(effect.interval(), unit), number(effect.percent()),
          low(effect.percentInterval(), Unit.PERCENT), high(effect.percentInterval(), Unit.PERCENT),
          effect.forNoise() ? "taken as noise" : effect.verdict().text(unit),
          String.join(", ", effect.aliases())));
    }
    Map<String, String> parameters = parameters(effects.responses(), effects.options(),
        effects.noise(), effects.baseline());
    parameters.put("mean", text(effects.mean(), unit));
    parameters.put("meanError", text(effects.meanError(), unit));
    if (effects.lenth() != null) {
      parameters.put("lenthError", text(effects.lenth().pseudoStandardError(), unit));
      parameters.put("lenthMargin", text(effects.lenth().marginOfError(), unit));
      parameters.put("lenthSimultaneous", text(effects.lenth().simultaneousMargin(), unit));
    }
    return new Table("effects", "Effects on " + effects.responses().response(), file, parameters,
        "effect of", unit, 0, -1, columns, rows,
        diagnosis.warnings().stream().map(Warning::text).toList());
  }

  private static List<Effect> largestFirst(List<Effect> effects) {
    return effects.stream().sorted(
        Comparator.comparingDouble(effect -> -Math.abs(effect.estimate()))).toList();
  }

  /** The effects by methods that do not need normal noise. */
  public static Table robust(String file, Diagnosis diagnosis) {
    Effects effects = diagnosis.effects();
    Unit unit = effects.responses().unit();
    List<Column> columns = List.of(value("effect", "effect", unit),
        value("median", "of medians", unit), value("low", "bootstrap low", unit),
        value("high", "bootstrap high", unit), new Column("p", "p (t, Holm)", Unit.PROBABILITY),
        new Column("permutationP", "p (permutation)", Unit.PROBABILITY),
        new Column("rankP", "p (ranks)", Unit.PROBABILITY));
    List<Row> rows = diagnosis.robust().effects().stream()
        .sorted(Comparator.comparingDouble(effect -> -Math.abs(effect.classic().estimate())))
        .map(effect -> row(effect.classic().name(), number(effect.classic().estimate(), unit),
            number(effect.median(), unit), low(effect.interval(), unit),
            high(effect.interval(), unit), number(effect.classic().holm()),
            number(effect.permutationP()), number(effect.rankP()))).toList();
    Map<String, String> parameters = parameters(effects.responses(), effects.options(),
        effects.noise(), effects.baseline());
    parameters.put("bootstrap", diagnosis.robust().bootstrap());
    parameters.put("permutations", diagnosis.robust().exact() ? "all" : "random");
    return new Table("robust", "Effects on " + effects.responses().response() + ", robust "
        + "estimates", file,
        parameters, "effect of", unit, 0, -1, columns, rows, List.of());
  }

  /** The analysis of variance, in the order of its sources. */
  public static Table anova(String file, Responses responses, Options options, Anova.Sums sums) {
    Anova anova = Anova.of(responses, options, sums);
    boolean times = responses.unit() == Unit.NANOSECONDS;
    double scale = times ? NS_PER_MS * NS_PER_MS : 1;
    String unit = times ? " [ms^2]" : "";
    List<Column> columns = List.of(new Column("kind", "kind", Unit.TEXT),
        new Column("squares", "squares" + unit, Unit.NUMBER),
        new Column("share", "share", Unit.PERCENT), new Column("df", "df", Unit.COUNT),
        new Column("meanSquare", "mean square" + unit, Unit.NUMBER),
        new Column("f", "F", Unit.NUMBER), new Column("p", "p", Unit.PROBABILITY));
    List<Row> rows = anova.sources().stream().map(source -> row(source.name(),
        source.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        source.squares() / scale,
        anova.total() == 0 ? "" : 100 * source.squares() / anova.total(), (long) source.degrees(),
        source.meanSquare() / scale, number(source.f()), number(source.p()))).toList();
    Map<String, String> parameters = parameters(responses, options, anova.noise(), null);
    parameters.put("sums", anova.sums().text());
    parameters.put("total", Words.number(anova.total() / scale));
    parameters.put("degrees", Integer.toString(anova.degrees()));
    return new Table("anova", "Analysis of variance of " + responses.response(), file, parameters,
        "source", Unit.NUMBER, 0, -1, columns, rows, List.of());
  }

  /** The settings, the best first. */
  public static Table ranking(String file, Ranking ranking) {
    Unit unit = ranking.responses().unit();
    List<Column> columns = List.of(new Column("run", "run", Unit.COUNT, Role.INFO),
        new Column("trials", "trials", Unit.COUNT, Role.INFO), value("mean", "mean", unit),
        value("median", "median", unit), value("low", "low", unit), value("high", "high", unit),
        new Column("gain", "gain %", Unit.PERCENT), new Column("gainLow", "% low", Unit.PERCENT),
        new Column("gainHigh", "% high", Unit.PERCENT), new Column("p", "p", Unit.PROBABILITY),
        new Column("corrected", "p (corrected)", Unit.PROBABILITY),
        new Column("verdict", "verdict", Unit.TEXT));
    List<Row> rows = ranking.settings().stream().map(setting -> row(
        settings(setting.settings(), ranking.responses().design()), setting.run() + 1L,
        (long) setting.trials(), number(setting.mean(), unit), number(setting.median(), unit),
        low(setting.interval(), unit), high(setting.interval(), unit), number(setting.gain()),
        low(setting.gainInterval(), Unit.PERCENT), high(setting.gainInterval(), Unit.PERCENT),
        number(setting.p()), number(setting.corrected()), setting.verdict().text(unit))).toList();
    Map<String, String> parameters = parameters(ranking.responses(), ranking.options(),
        ranking.noise(), ranking.baseline());
    parameters.put("factors", String.join(" ", ranking.responses().factors()));
    return new Table("ranking", "Settings by " + ranking.responses().response(), file, parameters,
        "settings", unit, 0, -1, columns, rows, ranking.noise().isKnown() ? List.of()
            : List.of("the noise is unknown: run replicates, or run the program without treatments "
            + "at least three times."));
  }

  private static String settings(int[] settings, Design design) {
    return Arrays.stream(settings).mapToObj(setting -> design.levels() > 2
        ? Integer.toString(setting) : setting < 0 ? "-" : setting > 0 ? "+" : "0")
        .collect(Collectors.joining(" "));
  }

  /** What the levels of each factor respond on average, and which of them lie on no line. */
  public static Table levels(String file, Ranking ranking) {
    Unit unit = ranking.responses().unit();
    List<Column> columns = List.of(new Column("level", "level", Unit.COUNT, Role.KEY),
        new Column("trials", "trials", Unit.COUNT, Role.INFO), value("mean", "mean", unit),
        value("median", "median", unit), value("low", "low", unit), value("high", "high", unit));
    List<Row> rows = ranking.levels().stream().map(level -> row(
        ranking.responses().factors().get(level.factor()), (long) level.level(),
        (long) level.trials(), number(level.mean(), unit), number(level.median(), unit),
        low(level.interval(), unit), high(level.interval(), unit))).toList();
    return new Table("levels", "Levels of factors by " + ranking.responses().response(), file,
        parameters(ranking.responses(), ranking.options(), ranking.noise(), ranking.baseline()),
        "factor", unit, 0, -1, columns, rows, bent(ranking));
  }

  private static List<String> bent(Ranking ranking) {
    return Nonlinearity.shapes(ranking.responses(), ranking.options()).stream()
        .filter(shape -> shape.corrected() <= 1 - ranking.options().confidence())
        .map(shape -> ranking.responses().factors().get(shape.factor()) + " is not linear: its "
            + "levels do not lie on a line (F " + Words.number(shape.f()) + ", "
            + Words.probability(shape.corrected()) + ", corrected).").toList();
  }

  /**
   * The effects of two experiments for each unit of their delays: equal where a factor is linear.
   *
   * @param file of the first experiment
   * @param delays by {@link Nonlinearity#compare}
   */
  public static Table delays(String file, List<Nonlinearity.Delay> delays) {
    List<Column> columns = List.of(new Column("first", "first", Unit.NUMBER),
        new Column("second", "second", Unit.NUMBER), new Column("t", "t", Unit.NUMBER),
        new Column("p", "p", Unit.PROBABILITY),
        new Column("corrected", "p (corrected)", Unit.PROBABILITY));
    List<Row> rows = delays.stream().map(delay -> row(delay.factor(), number(delay.first()),
        number(delay.second()), number(delay.t()), number(delay.p()),
        number(delay.corrected()))).toList();
    List<String> warnings = delays.stream().filter(delay -> delay.corrected() < NOT_LINEAR)
        .map(delay -> String.format(Locale.ROOT, "the effect of %s does not grow with its treatment: "
            + "%.3g for each unit in the first experiment, %.3g in the second (p %.2g); try more "
            + "levels", delay.factor(), delay.first(), delay.second(), delay.corrected())).toList();
    return new Table("delays", "Effects per unit of the treatment", file, new LinkedHashMap<>(),
        "factor", Unit.NUMBER, 0, -1, columns, rows, warnings);
  }

  /** Which effects a two-level design cannot tell from each other. */
  public static Table aliases(String file, Design design, List<String> factors, int order) {
    List<Column> columns = List.of(new Column("aliases", "aliases", Unit.TEXT),
        new Column("inBlocks", "in blocks", Unit.PERCENT));
    AliasTable table = AliasTable.of(design, order);
    List<Row> rows = new ArrayList<>();
    for (AliasString string : table.strings()) {
      rows.add(row(string.first().name(factors), string.terms().stream().skip(1)
          .map(term -> term.name(factors)).collect(Collectors.joining(", ")),
          100 * string.blockShare()));
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("design", design.name());
    parameters.put("order", Integer.toString(order));
    parameters.put("mean", table.mean().name(factors));
    return new Table("aliases", "Aliases of " + design.name(), file, parameters, "effect",
        Unit.TEXT, 0, -1, columns, rows, List.of());
  }

  /** What to do next, the most important first. */
  public static Table proposals(String file, Diagnosis diagnosis) {
    List<Column> columns = List.of(new Column("factors", "factors", Unit.TEXT),
        new Column("reason", "reason", Unit.TEXT));
    List<Row> rows = Proposal.of(diagnosis).stream().map(proposal -> row(
        proposal.action().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        String.join(" ", proposal.factors()), proposal.reason())).toList();
    return new Table("proposals", "Next", file, new LinkedHashMap<>(), "action", Unit.TEXT, 0, -1,
        columns, rows, List.of());
  }

  private static Map<String, String> parameters(Responses responses, Options options, Noise noise,
      Baseline baseline) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response", responses.response());
    parameters.put("design", responses.design().name());
    parameters.put("runs", Integer.toString(responses.design().runs()));
    parameters.put("trials", Integer.toString(responses.observations().size()));
    parameters.put("confidence", Words.number(100 * options.confidence()) + " %");
    parameters.put("correction", options.correction().text());
    parameters.put("errorFrom", noise.source().text());
    if (noise.isKnown()) {
      parameters.put("degreesOfFreedom", Words.number(noise.degreesOfFreedom()));
      parameters.put("noise", text(noise.deviation(), responses.unit()));
    }
    if (baseline != null) {
      parameters.put("unperturbed", text(baseline.value(), responses.unit()));
      parameters.put("unperturbedFrom", baseline.source());
      parameters.put("percentInterval", "Fieller");
    }
    return parameters;
  }

  private static Column value(String key, String label, Unit unit) {
    return new Column(key, label, unit);
  }

  private static Row row(String name, Object... values) {
    return new Row(name, null, null, List.of(values));
  }

  private static Object low(Interval interval, Unit unit) {
    return interval == null ? "" : number(interval.low(), unit);
  }

  private static Object high(Interval interval, Unit unit) {
    return interval == null ? "" : number(interval.high(), unit);
  }

  private static Object number(double value) {
    return number(value, Unit.NUMBER);
  }

  /** What is not known, or divided by no noise at all, is an empty text. */
  private static Object number(double value, Unit unit) {
    return !Double.isFinite(value) ? ""
        : unit == Unit.NANOSECONDS ? Math.round(value) : (Object) value;
  }

  private static String text(double value, Unit unit) {
    return Double.isNaN(value) ? "" : Words.value(value, unit);
  }
}
