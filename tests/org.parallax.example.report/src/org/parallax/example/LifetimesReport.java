package org.parallax.example;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Level;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/** How long each process lives, the longest first. */
public final class LifetimesReport implements ReportKind {
  private static final Parameter AT_LEAST =
      Parameter.of("at-least", "MS", "lifetimes: without processes that live shorter (0)");
  private static final Parameter ORDER = Parameter.choice("order", "ORDER",
      List.of("time", "name"), "lifetimes: what comes first (time)");

  @Override
  public String id() {
    return "lifetimes";
  }

  @Override
  public String title() {
    return "Lifetimes";
  }

  @Override
  public String summary() {
    return "how long each process lives";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(AT_LEAST, ORDER);
  }

  @Override
  public Level defaultLevel() {
    return Level.PROCESS;
  }

  @Override
  public Comparability comparability() {
    return Comparability.ABSENT_IS_ZERO;
  }

  @Override
  public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
      throws ReportException {
    long leastNs = 1_000_000L * request.values().number(AT_LEAST.name(), 0, 0);
    List<Row> rows = new ArrayList<>();
    long totalNs = 0;
    for (ProcessTrace process : analysis.workload().processes()) {
      progress.check();
      long ns = process.endNs() - process.startNs();
      if (ns >= leastNs) {
        rows.add(new Row(process.name(), null, null, List.of(ns)));
        totalNs += ns;
      }
    }
    rows.sort(request.values().get(ORDER.name(), "time").equals("name")
        ? Comparator.comparing(Row::name)
        : Comparator.comparing((Row row) -> (Long) row.values().get(0)).reversed());
    return new Table(id(), title() + " (" + analysis.name() + ")",
        analysis.workload().traceNames(), Map.of("application", analysis.name()), "process",
        Unit.NANOSECONDS, totalNs, 0, List.of(new Column("time", "time", Unit.NANOSECONDS)), rows,
        List.of());
  }
}
