package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.catalogue.StandardReport;

/** What reports print as JSON is what {@code docs/reports.md} tells of them. */
class ReportDocumentationTest {
  private static final Path ROOT = Path.of(System.getProperty("parallax.root", "."));
  private static final Path GOLDEN = ROOT.resolve("native/format/golden/messages");
  private static final String MACHINE = "alpha";
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  /** Reports whose columns have the names of parts of the program, and their other columns. */
  private static final Map<StandardReport, List<String>> NAMED = Map.of(
      StandardReport.METRICS, List.of("name", "unit"), StandardReport.EFFICIENCY, List.of("name", "unit"),
      StandardReport.HISTOGRAM, List.of("name", "from", "to"));
  /** What stands for these names. */
  private static final Map<StandardReport, String> STANDS_FOR = Map.of(
      StandardReport.METRICS, "PART", StandardReport.EFFICIENCY, "RUN", StandardReport.HISTOGRAM, "METRIC PART");

  private String page;

  @BeforeEach
  void read() throws Exception {
    page = Files.readString(ROOT.resolve("docs/reports.md"));
  }

  /** What is quoted in the introduction and in the section of a heading. */
  private List<String> quoted(String heading) {
    List<String> quoted = new ArrayList<>();
    for (String section : page.split("\n## ")) {
      if (section.startsWith("#") || section.startsWith(heading + "\n")) {
        for (Matcher matcher = QUOTED.matcher(section); matcher.find(); ) {
          quoted.add(matcher.group(1));
        }
      }
    }
    return quoted;
  }

  /** Command lines that show all that a report can print. */
  private static List<List<String>> lines(StandardReport report) {
    List<String> phase = List.of("--phase", "1%..99%");
    List<String> node = List.of("--node", MACHINE);
    return switch (report) {
      case METRICS, PROFILE, CRITICAL_PATH, CALLTREE, SOURCE, NPT, GPROF, SLACK, HISTOGRAM,
          DELAYS, COMM, CLOCKS, BALANCE, INTRUSION ->
          List.of(List.of(), phase, node);
      case WHAT_IF -> List.of(List.of(), List.of("--faster", "Msg"), phase);
      case PATHS, EFFICIENCY -> List.of(List.of(), phase);
      case EVENTS -> List.of(List.of(), phase, node,
          List.of("--kind", "Enter", "--text", "."));
      case PHASES -> List.of(List.of("--propose"), node);
      case INTERVALS -> List.of(List.of(), node, List.of("--thread", "0"));
      case WAITS -> List.of(List.of(), List.of("--causes", "--level", "procedure"), phase, node);
    };
  }

  @Test
  void everyKeyIsDocumented() {
    for (StandardReport report : StandardReport.values()) {
      assertTrue(page.contains("\n## " + report.id() + "\n"), report.id() + " has a section");
      List<String> documented = quoted(report.id());
      boolean hasRows = false;
      for (List<String> options : lines(report)) {
        List<Object> line = new ArrayList<>(
            List.of("report", report.id(), GOLDEN, "--format", "json"));
        line.addAll(options);
        Run run = Run.of(line.toArray());
        assertEquals(0, run.status(), () -> line + run.err());
        Map<String, Object> table = Json.object(run.out());
        check(documented, table.keySet(), line);
        check(documented, ((Map<?, ?>) table.get("parameters")).keySet(), line);
        for (Object row : (List<?>) table.get("rows")) {
          hasRows = true;
          check(documented, keys(report, (Map<?, ?>) row), line);
          if (report == StandardReport.METRICS) {
            check(documented, List.of(((Map<?, ?>) row).get("name")), line);
          }
        }
      }
      assertTrue(hasRows, report.id() + " of the golden trace has rows");
    }
  }

  private static Iterable<?> keys(StandardReport report, Map<?, ?> row) {
    if (!NAMED.containsKey(report)) {
      return row.keySet();
    }
    List<Object> keys = new ArrayList<>(row.keySet());
    assertTrue(keys.removeAll(NAMED.get(report)));
    assertEquals(row.size() - NAMED.get(report).size(), keys.size());
    assertTrue(!keys.isEmpty(), "a column for each part");
    keys.clear();
    keys.addAll(NAMED.get(report));
    keys.add(STANDS_FOR.get(report));
    return keys;
  }

  private static void check(List<String> documented, Iterable<?> keys, Object line) {
    for (Object key : keys) {
      assertTrue(documented.contains(key),
          () -> "`" + key + "` of " + line + " is not in docs/reports.md, which has there: "
              + new TreeSet<>(documented));
    }
  }

  /** What is gone from the reports is gone from their lists of keys. */
  @Test
  void everyDocumentedKeyIsPrinted() {
    for (StandardReport report : StandardReport.values()) {
      String section = page.split("\n## " + report.id() + "\n")[1].split("\n## ")[0];
      String table = section.substring(section.indexOf("| key |"));
      table = table.substring(table.indexOf("|---|---|---|\n") + 14).split("\n\n")[0];
      Map<String, Object> printed = Json.object(
          Run.of("report", report.id(), GOLDEN, "--format", "json").out());
      List<?> rows = (List<?>) printed.get("rows");
      for (String line : table.lines().toList()) {
        for (Matcher key = QUOTED.matcher(line.split("\\|")[1]); key.find(); ) {
          assertTrue(key.group(1).equals(STANDS_FOR.get(report)) || rows.isEmpty()
              || ((Map<?, ?>) rows.get(0)).containsKey(key.group(1)),
              report.id() + " prints no " + key.group(1));
        }
      }
    }
  }
}
