package org.parallax.tuning.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FormulaTest {
  private static final Names NAMES = new Names(Map.of("sent", false, "sizes", true), Set.of("best", "now"),
      Set.of("load", "none"));

  /** Two messages of 1,000 bytes and two of 3,000 in 2 s, of which 0.5 s are in the routine. */
  private static final Measurements MEASURED = new Measurements() {
    @Override
    public double sum(String point, Sum sum, double from, double to) {
      boolean small = to <= 0 || from <= 512 && to > 512;
      boolean large = to <= 0 || from <= 2048 && to > 2048;
      double factor = point.equals("none") ? 0 : 1;
      return factor * switch (sum) {
        case VISITS -> (small ? 2 : 0) + (large ? 2 : 0);
        case BYTES -> (small ? 2000 : 0) + (large ? 6000 : 0);
        case SQUARES -> (small ? 2e6 : 0) + (large ? 18e6 : 0);
        case NS -> 500_000_000;
      };
    }

    @Override
    public double quantile(String point, double share) {
      return share <= 0.5 ? 1023 : 4095;
    }

    @Override
    public double elapsedSeconds() {
      return 2;
    }

    @Override
    public int processes() {
      return 1;
    }

    @Override
    public int tasks() {
      return 5;
    }

    @Override
    public int hosts() {
      return 3;
    }

    @Override
    public int architectures() {
      return 1;
    }

    @Override
    public int sharedMemoryHosts() {
      return 0;
    }

    @Override
    public Object state(String name) {
      return name.equals("fragment") ? 8192.0 : null;
    }

    @Override
    public double[] own(String name) {
      return name.equals("load") ? new double[] {3, 1} : new double[0];
    }

    @Override
    public int place() {
      return 1;
    }

    @Override
    public Object variable(String name, String field) {
      return name.equals("work") ? field.equals("most") ? 1024 : 8 : null;
    }
  };

  private static Object value(String text) throws FormulaException {
    return Formula.parse(text, NAMES).value(MEASURED, Map.of("best", 65536.0, "now", 4096.0));
  }

  private static String fault(String text) {
    FormulaException fault = assertThrows(FormulaException.class, () -> value(text));
    return fault.position() + ": " + fault.getMessage();
  }

  @Test
  void functionsOverProcesses() throws FormulaException {
    assertEquals(4.0, value("total('load')"));
    assertEquals(3.0, value("highest('load')"));
    assertEquals(1.0, value("lowest('load')"));
    assertEquals(2.0, value("portion(8, 'load', 1)"));
    assertEquals(2.0, value("portion(now / 512, 'load', 1)"));
    assertEquals("6: total takes a formula of own in quotes, and there is none called loud; did you mean load?",
        fault("total('loud')"));
    assertEquals("6: total takes a formula of own in quotes, and there is none called load; did you mean load?",
        fault("total(load)"));
    assertTrue(fault("highest('none')").contains("there is no process with a value of none"));
    assertTrue(fault("portion(1e9, 'load', 1)").contains("portion divides at most 1000000"));
  }

  @Test
  void functionsOverWhatIsMeasured() throws FormulaException {
    assertEquals(2000.0, value("mean(sent)"));
    assertEquals(1000.0, value("deviation(sent)"));
    assertEquals(8000.0, value("sum(sent)"));
    assertEquals(4.0, value("count(sent)"));
    assertEquals(2.0, value("count(sizes, 1024)"));
    assertEquals(2.0, value("count(sizes, 0, 1024)"));
    assertEquals(0.5, value("time(sent)"));
    assertEquals(2.0, value("rate(sent)"));
    assertEquals(4095.0, value("quantile(sizes, 0.9)"));
    assertEquals(2.0, value("elapsed()"));
    assertEquals(5.0, value("tasks()"));
    assertEquals(8192.0, value("state('fragment', 4096)"));
    assertEquals(4096.0, value("state(\"other\", 4096)"));
    assertEquals(8.0, value("variable('work')"));
    assertEquals(1024.0, value("most('work')"));
  }

  @Test
  void arithmeticAndConditions() throws FormulaException {
    assertEquals(true, value("abs(best - now) > 0.25 * now && tasks() < 64 || false"));
    assertEquals(4096.0, value("clamp(mean(sent) + deviation(sent), 4096, 1048576)"));
    assertEquals(1.0, value("if(hosts() == 3, 1, 0)"));
    assertEquals(true, value("!(best == now) && best != now"));
    assertEquals(16.0, value("max(best / now, min(1, 2))"));
  }

  @Test
  void aMistakeHasItsPlaceAndWhatWasExpected() {
    assertEquals("4: there is no function meen; did you mean mean?", fault("1 + meen(sent)"));
    assertEquals("5: mean takes a measure point, and there is none called sennt; did you mean sent?", fault("mean(sennt)"));
    assertEquals("8: there is no name bets; did you mean best?", fault("now + 1*bets"));
    assertEquals("0: sent is a measure point; use a function of it, as count(sent)", fault("sent + 1"));
    assertEquals("0: mean takes 1 to 3 arguments, not 0", fault("mean()"));
    assertEquals("9: quantile needs the sizes of sent; measure this point with \"key: size\"", fault("quantile(sent, 0.5)"));
    assertTrue(fault("(1 + 2").matches("\\d+: .*"), fault("(1 + 2"));
  }

  @Test
  void whatHasNoValueIsNoNumber() {
    assertTrue(fault("1 / (tasks() - 5)").contains("ivision by zero"), fault("1 / (tasks() - 5)"));
    assertTrue(fault("state('unknown')").contains("nothing is known of unknown"), fault("state('unknown')"));
    assertTrue(fault("variable('x')").contains("declares no variable x"), fault("variable('x')"));
    assertThrows(FormulaException.class, () -> Formula.parse("1 + 1", NAMES).holds(MEASURED, Map.of()));
    assertThrows(FormulaException.class, () -> Formula.parse("1 == 1", NAMES).number(MEASURED, Map.of()));
  }

  /** Formulas come from files of others: nothing but arithmetic is reached. */
  @Test
  void formulasReachNothingOfJava() {
    for (String text : new String[] {"java.lang.Runtime.getRuntime()", "''.getClass()", "new('x')", "best = 1; now",
        "Runtime.exec('x')", "dt_now()", "random()", "sent.class", "{a: 1}", "x -> x", "a[0]"}) {
      assertThrows(FormulaException.class, () -> Formula.parse(text, NAMES), text);
    }
  }

  @Test
  void sentencesHaveValues() throws FormulaException {
    Template template = Template.parse("messages of {mean(sent)} bytes, {100 * time(sent) / elapsed()} %, {state('x')}", NAMES);
    assertEquals("messages of 2,000 bytes, 25 %, ?", template.fill(MEASURED, Map.of()));
    assertThrows(FormulaException.class, () -> Template.parse("{mean(sent)", NAMES));
    assertEquals("0.1235", Template.shown(0.12345678));
    assertEquals("1,234,568", Template.shown(1234567.8));
  }
}
