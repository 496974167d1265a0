package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Contributions;
import org.parallax.trace.Progress;

/** A report of a plug-in that is named is a report as any other. */
class PluginReportTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("parallax.root", "."), "native/format/golden/messages");

  @TempDir Path directory;

  @Test
  void itIsInTheHelpAndCanBeMade() {
    Run help = Run.of("report", "--help");
    assertTrue(help.out().contains("  lifetimes      how long each process lives\n"), help::out);
    assertTrue(help.out().contains("--order ORDER"), help::out);
    Run report = Run.of("report", "lifetimes", GOLDEN, "--format", "json");
    assertEquals(0, report.status(), report::err);
    Map<String, Object> table = Json.object(report.out());
    assertEquals("lifetimes", table.get("report"));
    assertEquals(4, ((List<?>) table.get("rows")).size());
    Run compared = Run.of("compare", "lifetimes", GOLDEN, GOLDEN);
    assertEquals(0, compared.status(), compared::err);
    assertTrue(compared.out().startsWith("Difference: "), compared::out);
  }

  @Test
  void itsParametersAreChecked() {
    assertWrong("option --order cannot be \"nmae\"; did you mean name?", "lifetimes", "--order",
        "nmae");
    assertWrong("option --at-least cannot be \"-1\"", "lifetimes", "--at-least", "-1");
    assertWrong("report lifetimes has no option --weight; reports with this option: ", "lifetimes", "--weight", "cpu");
    assertWrong("report profile has no option --order; reports with this option: lifetimes", "profile", "--order", "time");
    assertWrong("did you mean lifetimes?", "liftimes");
  }

  private static void assertWrong(String message, String kind, String... options) {
    List<Object> line = new ArrayList<>(List.of("report", kind, GOLDEN));
    line.addAll(List.of(options));
    Run run = Run.of(line.toArray());
    assertEquals(2, run.status(), run::out);
    assertTrue(run.err().contains(message), run::err);
  }

  /** It has the name of a report of Parallax. */
  public static final class Duplicate implements ReportKind {
    @Override
    public String id() {
      return "profile";
    }

    @Override
    public String title() {
      return "Profile";
    }

    @Override
    public String summary() {
      return "another profile";
    }

    @Override
    public List<Parameter> parameters() {
      return List.of();
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

  /** The catalogue with a plug-in that has this file. */
  private ReportCatalogue with(String plugin) throws IOException {
    Files.writeString(directory.resolve("plugin.xml"), plugin);
    try (URLClassLoader loader = new URLClassLoader(
        new URL[] {directory.toUri().toURL()}, PluginReportTest.class.getClassLoader())) {
      return new ReportCatalogue(Contributions.of(loader, ReportCatalogue.POINT,
          ReportCatalogue.ELEMENT, ReportKind.class));
    }
  }

  private static String extension(String... classes) {
    StringBuilder text = new StringBuilder("<plugin><extension point=\"" + ReportCatalogue.POINT
        + "\">");
    for (String name : classes) {
      text.append("<report class=\"").append(name).append("\"/>");
    }
    return text + "</extension></plugin>";
  }

  @Test
  void whatBreaksTheRulesIsLeftOutAndTold() throws Exception {
    int all = StandardReport.values().length;
    for (Map.Entry<String, String> each : Map.of(
        extension(Duplicate.class.getName()), "there is already a report of this name",
        extension("org.example.None"), "ClassNotFoundException: org.example.None",
        extension("java.lang.String"), "ClassCastException",
        "<plugin>" + ReportCatalogue.POINT, "cannot be read",
        "<!DOCTYPE plugin SYSTEM \"file:///etc/passwd\">" + extension(), "cannot be read"
    ).entrySet()) {
      ReportCatalogue catalogue = with(each.getKey());
      assertEquals(1, catalogue.faults().size(), each::getKey);
      assertTrue(catalogue.faults().get(0).contains(each.getValue()), catalogue.faults()::toString);
      assertEquals(all, catalogue.all().size());
    }
    assertEquals(List.of(), with("<plugin>of another point").faults());
    try (URLClassLoader gone =
        new URLClassLoader(new URL[] {directory.resolve("gone.jar").toUri().toURL()})) {
      assertTrue(Contributions.of(gone, ReportCatalogue.POINT, ReportCatalogue.ELEMENT,
          ReportKind.class).faults().get(0).contains("gone.jar"));
    }
  }
}
