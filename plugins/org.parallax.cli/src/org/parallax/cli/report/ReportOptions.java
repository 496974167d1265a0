package org.parallax.cli.report;

import java.util.List;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.text.HistogramChart;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;

/** The catalogue of reports as options of a command line. */
public final class ReportOptions {
  private static final ReportCatalogue CATALOGUE =
      ReportCatalogue.named(new CodeTool(Agent::named));

  private ReportOptions() {}

  /** The reports of Parallax, and those of the plug-ins of PARALLAX_PLUGINS. */
  public static ReportCatalogue catalogue() {
    return CATALOGUE;
  }

  /** The options that any report has, each once. */
  static List<Option> options() {
    return CATALOGUE.parameters().stream().map(ReportOptions::option).toList();
  }

  static Option option(Parameter parameter) {
    return parameter.allowed().isEmpty()
        ? Option.of(parameter.option(), parameter.value(), parameter.summary())
        : Option.choice(parameter.option(), parameter.value(), parameter.allowed(),
            parameter.summary());
  }

  /** What a command line gives to the parameters of reports. */
  static ParameterValues values(Arguments arguments) {
    ParameterValues values = ParameterValues.NONE;
    for (Parameter parameter : CATALOGUE.parameters()) {
      if (arguments.has(parameter.option())) {
        values = values.with(parameter.name(),
            arguments.all(parameter.option()).toArray(String[]::new));
      }
    }
    return values;
  }

  /** The request of a command line, with what is shown on this terminal where nothing is asked for. */
  static ReportRequest request(ReportKind kind, Arguments arguments, TableFormat format) {
    ParameterValues values = values(arguments);
    if (kind.takes(Parameter.MIN_PERCENT)) {
      values = values.orElse(Parameter.MIN_PERCENT.name(), defaultMinPercent(format));
    }
    if (kind.takes(Parameter.BINS)) {
      values = values.orElse(Parameter.BINS.name(),
          Integer.toString(HistogramChart.fitting(Console.width())));
    }
    return ReportRequest.of(kind, values);
  }

  /** What has less than this share of the time is left out for people; all of it goes to programs. */
  private static String defaultMinPercent(TableFormat format) {
    return format == TableFormat.TEXT ? "1" : "0";
  }
}
