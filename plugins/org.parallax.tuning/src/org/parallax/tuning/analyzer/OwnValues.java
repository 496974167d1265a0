package org.parallax.tuning.analyzer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;

/** Formulas that have a value for each process, over what it alone has counted. */
final class OwnValues {
  private OwnValues() {
  }

  /** Evaluates them in their order, each for all processes, so that the next ones can use sums over processes. */
  static void set(View view, Map<String, Formula> own) throws FormulaException {
    for (Map.Entry<String, Formula> formula : own.entrySet()) {
      double[] values = new double[view.all().size()];
      for (int i = 0; i < values.length; i++) {
        View one = view.of(i);
        values[i] = formula.getValue().number(one, of(one, own));
      }
      view.setOwn(formula.getKey(), values);
    }
  }

  /** @return those of a process that are known so far */
  static Map<String, Object> of(View one, Map<String, Formula> own) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name : own.keySet()) {
      double[] known = one.own(name);
      if (one.place() < known.length) {
        values.put(name, known[one.place()]);
      }
    }
    return values;
  }
}
