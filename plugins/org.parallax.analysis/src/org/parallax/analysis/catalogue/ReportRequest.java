package org.parallax.analysis.catalogue;

import java.util.Locale;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.WhatIfReport.Extent;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;

/**
 * What a report is asked for. Immutable.
 *
 * @param level what rows, columns or curves are
 * @param node to which the report is limited; null for all
 * @param values of the report's parameters
 */
public record ReportRequest(Level level, TreeNode node, ParameterValues values) {
  /** @return a request for all of an application, at the level among the values or that of the kind */
  public static ReportRequest of(ReportKind kind, ParameterValues values) {
    return new ReportRequest(values.choice(Parameter.LEVEL, kind.defaultLevel()), null, values);
  }

  public ReportRequest withLevel(Level newLevel) {
    return new ReportRequest(newLevel, node,
        values.with(Parameter.LEVEL.name(), newLevel.name().toLowerCase(Locale.ROOT)));
  }

  /** @param newNode null for all */
  public ReportRequest withNode(TreeNode newNode) {
    return new ReportRequest(level, newNode, values);
  }

  /** @return this request with other values of one parameter */
  public ReportRequest with(String name, String... all) {
    return new ReportRequest(level, node, values.with(name, all));
  }

  /** @return the analysis with procedures and times as they are asked for */
  ApplicationAnalysis of(ApplicationAnalysis analysis) {
    ApplicationAnalysis wanted = values.has(Parameter.FOLD_INLINED.name()) ? analysis.folded() : analysis;
    return values.has(Parameter.WITHOUT_INTRUSION.name()) ? wanted.withoutIntrusion() : wanted;
  }

  /** @return which time of procedures would change: with what they call unless own time is asked for */
  Extent extent() {
    return values.has(Parameter.EXCLUSIVE.name()) ? Extent.EXCLUSIVE : Extent.INCLUSIVE;
  }

  /** @return the clock by which work is measured: CPU time unless wall time is asked for */
  public Weight weight() {
    return values.choice(Parameter.WEIGHT, Weight.CPU);
  }

  /** @return the least share of the time that rows have, in percent; 0 for all rows */
  double minPercent() throws WrongParameterException {
    return values.number(Parameter.MIN_PERCENT.name(), 0, 0);
  }
}
