package org.parallax.analysis.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Contributions;
import org.parallax.trace.Progress;

class ReportCatalogueTest {
  /** A report of another plug-in. */
  private record Added(String id, Parameter... taken) implements ReportKind {
    @Override
    public String title() {
      return "Added";
    }

    @Override
    public String summary() {
      return id.isEmpty() ? null : "what another plug-in adds";
    }

    @Override
    public List<Parameter> parameters() {
      return List.of(taken);
    }

    @Override
    public Level defaultLevel() {
      return Level.PROCESS;
    }

    @Override
    public Comparability comparability() {
      return Comparability.NONE;
    }

    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      throw new AssertionError();
    }
  }

  private static ReportCatalogue with(ReportKind... kinds) {
    return new ReportCatalogue(new Contributions<>(List.of(kinds), List.of()));
  }

  @Test
  void standardReportsKeepTheRules() {
    ReportCatalogue catalogue = new ReportCatalogue(Contributions.none());
    assertEquals(List.of(StandardReport.values()), catalogue.all());
    Set<Parameter> used = new HashSet<>();
    for (ReportKind kind : catalogue.all()) {
      assertTrue(kind.summary().length() <= 75, kind.summary());
      assertTrue(kind.levels().isEmpty() || kind.levels().contains(kind.defaultLevel()), kind.id());
      used.addAll(kind.parameters());
    }
    assertEquals(new HashSet<>(Parameter.STANDARD), used);
    assertEquals(Parameter.STANDARD, catalogue.parameters());
  }

  @Test
  void reportsOfOthersComeAfterThose() throws Exception {
    Parameter own = Parameter.choice("colour", "COLOUR", List.of("red", "blue"), "of what");
    ReportCatalogue catalogue = with(new Added("added", Parameter.LEVEL, own));
    assertEquals(List.of(), catalogue.faults());
    ReportKind kind = catalogue.find("added");
    assertEquals(catalogue.all().size() - 1, catalogue.all().indexOf(kind));
    assertFalse(catalogue.comparable().contains(kind));
    assertEquals(List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD),
        kind.levels());
    assertTrue(catalogue.parameters().contains(own));
    catalogue.check(kind, ParameterValues.NONE.with("colour", "red"));
    assertTrue(assertThrows(WrongParameterException.class, () -> catalogue.check(
        StandardReport.PROFILE, ParameterValues.NONE.with("colour", "red"))).getMessage()
            .endsWith("report profile has no option --colour; reports with this option: added"));
  }

  @Test
  void whatBreaksTheRulesIsLeftOut() {
    for (Added each : List.of(new Added("profile"), new Added("Upper"), new Added(""),
        new Added("a", Parameter.of("weight", "KG", "another weight")),
        new Added("a", Parameter.flag("format", "an option of all reports")),
        new Added("a", Parameter.flag("two words", "no name")))) {
      ReportCatalogue catalogue = with(each);
      assertEquals(1, catalogue.faults().size(), each::toString);
      assertTrue(catalogue.faults().get(0).contains(" is ignored: "), catalogue.faults()::toString);
      assertEquals(StandardReport.values().length, catalogue.all().size());
    }
  }

  @Test
  void valuesAreChecked() throws Exception {
    ParameterValues values = ParameterValues.NONE.with("n", "3", "4").orElse("n", "5").with("flag");
    assertEquals(4, values.number("n", 1, 0));
    assertEquals(1, values.number("m", 1, 0));
    assertTrue(values.has("flag"));
    assertEquals("", values.get("flag", ""));
    for (String wrong : List.of("-1", "x", "", "99999999999")) {
      assertThrows(WrongParameterException.class,
          () -> values.with("n", wrong).number("n", 1, 0));
    }
    assertEquals(99_999_999_999L, values.with("n", "99999999999").longNumber("n", 1, 0));
    assertEquals(Level.MACHINE, ReportRequest.of(StandardReport.PROFILE,
        ParameterValues.NONE.with("level", "machine")).level());
    assertEquals(Level.APPLICATION,
        ComparedTables.request(StandardReport.METRICS, ParameterValues.NONE).level());
  }
}
