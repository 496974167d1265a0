package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.verify.Gain;

/** What each model did in a session. */
public final class Summary {
  /**
   * What a model did.
   *
   * @param model its name
   * @param advised how many actions it advised
   * @param tried how many it tried
   * @param kept how many of them stay
   * @param undone how many were undone or given up
   * @param change the last one that stays, empty when none does
   * @param gain its effect, or null
   */
  public record Row(String model, int advised, int tried, int kept, int undone, String change, Gain gain) {
  }

  private final Map<String, List<Decision>> decisions = new LinkedHashMap<>();

  /** @param models those of the session */
  public Summary(List<TuningModel> models) {
    models.forEach(model -> decisions.put(model.name(), new ArrayList<>()));
  }

  /** Counts a decision. */
  public void add(Decision decision) {
    List<Decision> of = decisions.get(decision.model());
    if (of != null) {
      of.add(decision);
    }
  }

  /** @return a row for each model, in their order */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    decisions.forEach((model, all) -> {
      Map<String, Decision> staying = new LinkedHashMap<>();
      int[] counts = new int[Decision.Kind.values().length];
      for (Decision decision : all) {
        counts[decision.kind().ordinal()]++;
        String what = decision.subject() + "\n" + decision.change();
        if (decision.kind() == Decision.Kind.KEEP) {
          staying.put(what, decision);
        } else if (decision.kind() == Decision.Kind.RESTORE || decision.kind() == Decision.Kind.UNDO) {
          staying.remove(what);
        }
      }
      Decision last = staying.values().stream().reduce((former, next) -> next).orElse(null);
      rows.add(new Row(model, counts[Decision.Kind.ADVISE.ordinal()], counts[Decision.Kind.TRY.ordinal()], staying.size(),
          counts[Decision.Kind.UNDO.ordinal()] + counts[Decision.Kind.GIVE_UP.ordinal()] + counts[Decision.Kind.RESTORE.ordinal()],
          last == null ? "" : last.change(), last == null ? null : last.gain()));
    });
    return rows;
  }
}
