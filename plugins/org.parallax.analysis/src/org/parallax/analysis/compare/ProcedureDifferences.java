package org.parallax.analysis.compare;

import java.util.HashMap;
import java.util.Map;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.ProcedureName;

/**
 * Which procedures take more or less time in some runs than in others, by more than noise.
 *
 * <p>For repeated runs, noise is what {@link ComparisonReport} says with its confidence. Of single runs nobody knows
 * by how much they differ anyway: there a difference counts if it is larger than what sampling makes of the same time
 * ({@value #DEVIATIONS} standard deviations, samples being independent), and {@value Change#LEAST_SHARE} of the time of
 * the procedure. In both cases differences below {@value Change#LEAST_OF_RUN} of the time of all threads are left out.
 *
 * @param byName the differences by the procedure's name in the new runs; without file where the name tells it from others
 */
public record ProcedureDifferences(Map<ProcedureName, Change> byName) {
  static final double DEVIATIONS = 2;

  public ProcedureDifferences {
    byName = Map.copyOf(byName);
  }

  /** @return by what a procedure of the new runs differs; null if it does not */
  public Change of(ProcedureInfo procedure) {
    Change change = byName.get(ProcedureName.of(procedure));
    return change != null ? change : byName.get(new ProcedureName(procedure.name(), ""));
  }

  /**
   * @param profile a compared profile, with a row for each procedure
   * @param procedures by which its rows were matched
   */
  public static ProcedureDifferences of(Table profile, ProcedureMatching procedures) {
    double total = 0;
    for (Row row : profile.rows()) {
      total += Math.max(number(profile, row, "time.base"), number(profile, row, "time.new"));
    }
    Map<ProcedureName, Change> found = new HashMap<>();
    for (Row row : profile.rows()) {
      double base = number(profile, row, "time.base");
      double now = number(profile, row, "time.new");
      Object verdict = row.values().get(profile.column("time.verdict"));
      boolean isOneRun = Difference.Verdict.ONE_RUN.label().equals(verdict);
      boolean differs = isOneRun ? isBeyondSampling(profile, row, base, now)
          : Difference.Verdict.MORE.label().equals(verdict)
              || Difference.Verdict.LESS.label().equals(verdict);
      if (differs && Math.abs(now - base) >= Change.LEAST_OF_RUN * total) {
        found.put(row.subject() instanceof Procedure procedure ? procedures.distinct(procedure, false)
            : new ProcedureName(row.name(), ""), new Change(base, now, isOneRun));
      }
    }
    return new ProcedureDifferences(found);
  }

  private static boolean isBeyondSampling(Table profile, Row row, double base, double now) {
    double deviation = Math.hypot(deviation(base, number(profile, row, "samples.base")),
        deviation(now, number(profile, row, "samples.new")));
    return Math.abs(now - base) > Math.max(DEVIATIONS * deviation,
        Change.LEAST_SHARE * Math.max(base, now));
  }

  /** Of a time that samples tell; none of one that is measured. */
  private static double deviation(double ns, double samples) {
    return samples == 0 ? 0 : ns / Math.sqrt(samples);
  }

  private static double number(Table table, Row row, String column) {
    int at = table.column(column);
    return at >= 0 && row.values().get(at) instanceof Number number ? number.doubleValue() : 0;
  }
}
