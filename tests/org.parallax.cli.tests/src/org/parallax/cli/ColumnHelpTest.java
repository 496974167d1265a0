package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.ColumnHelp;

/** What the views tell of columns is what {@code docs/reports.md} tells. */
class ColumnHelpTest {
  private static final Path ROOT = Path.of(System.getProperty("parallax.root", "."));
  private static final Pattern TABLE = Pattern.compile(
      "\\| (?:key|row) \\| unit \\| meaning \\|\n\\|---\\|---\\|---\\|\n((?:\\|.*\n)*)");

  private static String plain(String text) {
    return text.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replace("`", "").strip();
  }

  private static Map<String, String> documented() throws Exception {
    Map<String, String> texts = new TreeMap<>();
    String page = Files.readString(ROOT.resolve("docs/reports.md"));
    for (String section : page.split("\n## ")) {
      String heading = section.lines().findFirst().orElseThrow().strip();
      String report = heading.equals("Differences") ? "difference" : heading;
      Matcher table = TABLE.matcher(section);
      while (table.find()) {
        for (String line : table.group(1).lines().toList()) {
          String[] cells = line.split("(?<!\\\\)\\|");
          Matcher key = Pattern.compile("`([^`]+)`").matcher(cells[1]);
          String text = plain(cells[3]);
          while (key.find()) {
            texts.put(report + "." + key.group(1).replace("KEY.", "").replace(' ', '_'),
                Character.toUpperCase(text.charAt(0)) + text.substring(1));
          }
        }
      }
    }
    return texts;
  }

  @Test
  void textsAreThoseOfTheDocumentation() throws Exception {
    Properties texts = new Properties();
    try (InputStream in = ColumnHelp.class.getResourceAsStream("columns.properties")) {
      texts.load(in);
    }
    Map<String, String> told = new TreeMap<>();
    texts.forEach((key, value) -> told.put((String) key, (String) value));
    assertTrue(told.size() > 100, "texts: " + told.size());
    assertEquals(documented(), told);
  }

  @Test
  void columnsOfDifferencesTellBoth() {
    Table table = new Table("profile", "Difference", "", Map.of(), "name", Unit.NANOSECONDS, 0, -1,
        List.of(new Column("time.difference", "difference", Unit.NANOSECONDS),
            new Column("match", "match", Unit.TEXT)), List.of(), List.of());
    assertEquals("New minus base\nExclusive time: without callees", ColumnHelp.of(table, 0));
    assertTrue(ColumnHelp.of(table, 1).startsWith("Whether the row is in both"));
    assertEquals("", ColumnHelp.of(table, -1));
  }
}
