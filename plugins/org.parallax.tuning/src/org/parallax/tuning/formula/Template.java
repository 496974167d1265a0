package org.parallax.tuning.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A sentence with formulas in braces. */
public final class Template {
  private final List<String> words = new ArrayList<>();
  private final List<Formula> formulas = new ArrayList<>();

  private Template() {
  }

  /**
   * Reads a sentence.
   *
   * @throws FormulaException when a formula is wrong or a brace is missing
   */
  public static Template parse(String text, Names names) throws FormulaException {
    Template template = new Template();
    int at = 0;
    for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new FormulaException(open, "expected } after the formula");
      }
      template.words.add(text.substring(at, open));
      try {
        template.formulas.add(Formula.parse(text.substring(open + 1, close), names));
      } catch (FormulaException e) {
        throw new FormulaException(open + 1 + e.position(), e.getMessage());
      }
      at = close + 1;
    }
    template.words.add(text.substring(at));
    return template;
  }

  /** @return the sentence with values; "?" for a formula that has none */
  public String fill(Measurements measured, Map<String, Object> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < formulas.size(); i++) {
      text.append(words.get(i));
      try {
        text.append(shown(formulas.get(i).value(measured, values)));
      } catch (FormulaException e) {
        text.append('?');
      }
    }
    return text.append(words.get(words.size() - 1)).toString();
  }

  /** @return a value as a person reads it: numbers with at most four digits that count, or whole */
  public static String shown(Object value) {
    if (!(value instanceof Number number)) {
      return String.valueOf(value);
    }
    double of = number.doubleValue();
    if (Math.abs(of) >= 1000 || of == Math.rint(of)) {
      return String.format(Locale.ROOT, "%,d", Math.round(of));
    }
    int digits = Math.max(0, 3 - (int) Math.floor(Math.log10(Math.abs(of))));
    return String.format(Locale.ROOT, "%." + Math.min(9, digits) + "f", of).replaceFirst("\\.?0+$", "");
  }
}
