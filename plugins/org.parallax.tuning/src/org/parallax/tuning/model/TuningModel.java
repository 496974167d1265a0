package org.parallax.tuning.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.formula.Measurements;
import org.parallax.tuning.formula.Template;

/**
 * What may make a program slow, how this is found out, and what helps: the performance model of Morajko et al. 2003,
 * section 2.1, as data.
 *
 * @param name its name
 * @param about one sentence on why it helps
 * @param library processes of which library it is for, empty for all
 * @param variable which the program declares in the processes that it is for, empty for all
 * @param points measure points that are always needed
 * @param first what must hold before {@code more} is measured, or null
 * @param more measure points that are needed once {@code first} holds
 * @param each what is judged by itself
 * @param after visits for a judgement
 * @param steady in how many judgements in turn the condition must hold
 * @param asks calls whose answers are states, with what is assumed otherwise
 * @param own named formulas that have a value for each process, in the order in which they are evaluated
 * @param values named formulas, in the order in which they are evaluated
 * @param when the condition
 * @param action what is changed
 * @param undo what changes it back; null when the tuner does it itself or when nothing does
 * @param canUndo whether anything changes it back
 * @param sets states that the action sets
 * @param verification how its effect is verified
 * @param restore when this holds, the action is undone at once; or null
 * @param extend what must hold in a process that came later for it to get what helped the others; or null
 * @param reason the sentence that explains the decision
 * @param text the whole file
 */
public record TuningModel(String name, String about, String library, String variable, List<MeasurePoint> points,
    Formula first, List<MeasurePoint> more, Each each, Visits after, int steady, Map<String, Ask> asks,
    Map<String, Formula> own, Map<String, Formula> values, Formula when, Action action, Action undo, boolean canUndo,
    Map<String, Formula> sets, Verification verification, Formula restore, Formula extend, Template reason, String text) {

  /** What is judged by itself: a process, all processes of a host, or all of the run. */
  public enum Each {
    PROCESS, HOST, RUN
  }

  /**
   * A call whose answer is a state.
   *
   * @param call the call, which must not change anything
   * @param otherwise the state while there is no answer
   */
  public record Ask(Action call, double otherwise) {
  }

  /** @return all measure points, also those that are not always needed */
  public List<MeasurePoint> allPoints() {
    List<MeasurePoint> all = new ArrayList<>(points);
    all.addAll(more);
    return all;
  }

  /**
   * Evaluates the named formulas.
   *
   * @return the value of each
   * @throws FormulaException when one has none
   */
  public Map<String, Object> evaluate(Measurements measured) throws FormulaException {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Map.Entry<String, Formula> value : values.entrySet()) {
      all.put(value.getKey(), value.getValue().value(measured, all));
    }
    return all;
  }

  /** @return whether all processes are judged together */
  public boolean isForRun() {
    return each == Each.RUN;
  }

  /** @return whether several processes are judged together */
  public boolean isForSeveral() {
    return each != Each.PROCESS;
  }

  /** @return whether it is for processes of a library, as "pvm 3.4.6" */
  public boolean isFor(String library) {
    return library.toLowerCase(Locale.ROOT).contains(this.library.toLowerCase(Locale.ROOT));
  }
}
