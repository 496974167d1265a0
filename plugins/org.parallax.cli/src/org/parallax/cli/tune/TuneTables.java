package org.parallax.cli.tune;

import java.util.List;
import java.util.Locale;
import org.parallax.tuning.analyzer.Summary;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;

/** The tables of tuning for a terminal. */
final class TuneTables {
  private static final String[] HEAD = {"model", "advised", "tried", "kept", "undone", "gain", "change"};

  private TuneTables() {
  }

  /** The models with what they are for. */
  static String models(List<TuningModel> models) {
    int width = models.stream().mapToInt(model -> model.name().length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (TuningModel model : models) {
      text.append(String.format(Locale.ROOT, "%-" + width + "s  %s%n", model.name(), model.about()));
      String scope = model.isForRun() ? "all processes together"
          : model.isForSeveral() ? "all processes of a host" : "each process";
      text.append(String.format(Locale.ROOT, "%-" + width + "s  %s%s, when %s%n", "", scope,
          model.library().isEmpty() ? "" : " of " + model.library(), model.when()));
      if (BuiltInModels.mustBeNamed(model)) {
        text.append(String.format(Locale.ROOT, "%-" + width + "s  not safe for every program; used only if named: --model %s%n", "",
            model.name()));
      }
    }
    return text.toString();
  }

  /** A row for each model that advised or tried something, without the columns of actions when none were tried. */
  static String summary(Summary summary) {
    List<Summary.Row> rows = summary.rows().stream().filter(row -> row.advised() + row.tried() > 0).toList();
    if (rows.isEmpty()) {
      return "no model has found anything to change in the program";
    }
    int width = Math.max(HEAD[0].length(), rows.stream().mapToInt(row -> row.model().length()).max().orElse(0));
    StringBuilder text = new StringBuilder();
    if (rows.stream().noneMatch(row -> row.tried() > 0)) {
      text.append(String.format(Locale.ROOT, "%-" + width + "s  %7s", HEAD[0], HEAD[1]));
      for (Summary.Row row : rows) {
        text.append(String.format(Locale.ROOT, "%n%-" + width + "s  %7d", row.model(), row.advised()));
      }
      return text.toString();
    }
    String format = "%-" + width + "s  %5s  %4s  %6s  %-22s  %s";
    text.append(String.format(Locale.ROOT, format, HEAD[0], HEAD[2], HEAD[3], HEAD[4], HEAD[5], HEAD[6]));
    for (Summary.Row row : rows) {
      text.append('\n').append(String.format(Locale.ROOT, format, row.model(), row.tried(), row.kept(), row.undone(),
          row.gain() == null ? "" : row.gain().shown(), row.change()).stripTrailing());
    }
    return text.toString();
  }
}
