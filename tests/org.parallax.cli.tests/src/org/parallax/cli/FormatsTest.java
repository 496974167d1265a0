package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.JsonWriter;
import org.parallax.analysis.text.NearNames;
import org.parallax.analysis.text.Quantity;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.TerminalProgress;
import org.parallax.cli.command.UsageException;
import org.parallax.trace.EditDistance;

/** Tables in each format, numbers for people, near names, options. */
class FormatsTest {
  private static Table table() {
    return new Table("profile", "Profile (heat)", "/tmp/run1",
        Map.of("application", "heat"), "name", Unit.NANOSECONDS, 1_500_000, 1,
        List.of(new Column("where", "machine:process", Unit.TEXT),
            new Column("time", "time", Unit.NANOSECONDS),
            new Column("percent", "%time", Unit.PERCENT),
            new Column("bytes", "bytes", Unit.BYTES),
            new Column("count", "calls", Unit.COUNT)),
        List.of(new Row("solve(int, \"x\")", null, null,
            List.of("n1:heat[0]", 1_400_000L, 93.333333333, 3_500_000L, 1_234_567L)),
            new Row("main", null, null, List.of("ALL:ALL", 100_000L, 6.666666667, 12L, 1L))),
        List.of("careful"));
  }

  @Test
  void text() {
    assertEquals("""
        Profile (heat)

        name             machine:process  time [ms]  %time    bytes      calls
        solve(int, "x")  n1:heat[0]           1.400   93.3  3.3 MiB  1,234,567
        main             ALL:ALL              0.100    6.7     12 B          1
        total                                 1.500
        """, TableFormat.TEXT.print(table(), 10, List.of()));
    assertEquals("""
        Profile (heat)

        name             machine:process  time [ms]  %time    bytes      calls
        solve(int, "x")  n1:heat[0]           1.400   93.3  3.3 MiB  1,234,567
        ... 1 more row
        total                                 1.500
        """, TableFormat.TEXT.print(table(), 1, List.of()));
  }

  @Test
  void longNamesAreShortened() {
    String name = "std::vector<std::pair<int, double>>::" + "very_long_name_".repeat(5)
        + "end(int)";
    Table table = new Table("profile", "P", "/t", Map.of(), "name", Unit.NANOSECONDS, 0, -1,
        List.of(), List.of(new Row(name, null, null, List.of())), List.of());
    String line = TableFormat.TEXT.print(table, 10, List.of()).split("\n")[3];
    assertEquals(64, line.length());
    assertTrue(line.startsWith("std::vector<") && line.contains("...")
        && line.endsWith("end()"), line);
  }

  @Test
  void csv() {
    assertEquals("name,where,time,percent,bytes,count\r\n"
        + "\"solve(int, \"\"x\"\")\",n1:heat[0],1400000,93.333333333,3500000,1234567\r\n"
        + "main,ALL:ALL,100000,6.666666667,12,1\r\n",
        TableFormat.CSV.print(table(), 10, List.of()));
  }

  @Test
  void json() {
    Map<String, Object> json = Json.object(TableFormat.JSON.print(table(), 10, List.of("careful")));
    assertEquals(1_500_000L, json.get("total"));
    assertEquals(List.of("careful"), json.get("warnings"));
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("name", "solve(int, \"x\")");
    first.put("where", "n1:heat[0]");
    first.put("time", 1_400_000L);
    first.put("percent", 93.333333);
    first.put("bytes", 3_500_000L);
    first.put("count", 1_234_567L);
    assertEquals(first, ((List<?>) json.get("rows")).get(0));
  }

  @Test
  void jsonOfAnyStringReadsBack() {
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65536)));
      }
      Map<String, Object> value = new LinkedHashMap<>();
      value.put(text.toString(), new ArrayList<>(List.of(text.toString(), random.nextLong())));
      assertEquals(value, Json.parse(JsonWriter.write(value)), "seed 5, string " + i);
    }
    assertEquals("[\n  1.5,\n  2,\n  null,\n  0.333333,\n  100\n]\n",
        JsonWriter.write(List.of(1.5, 2.0, Double.NaN, 1 / 3.0, 100.0)));
    assertEquals("{}\n", JsonWriter.write(Map.of()));
  }

  @Test
  void quantities() {
    assertEquals("999 ns", Quantity.time(999));
    assertEquals("1.000 us", Quantity.time(1000));
    assertEquals("12.346 ms", Quantity.time(12_345_678));
    assertEquals("3600.000 s", Quantity.time(3_600_000_000_000L));
    assertEquals("-2.000 us", Quantity.time(-2000));
    assertEquals("1,234", Quantity.count(1234));
    assertEquals("1023 B", Quantity.size(1023));
    assertEquals("1.5 KiB", Quantity.size(1536));
    assertEquals("1 row", Quantity.of(1, "row", "rows"));
    assertEquals("2,000 rows", Quantity.of(2000, "row", "rows"));
  }

  @Test
  void nearNames() {
    assertEquals(0, EditDistance.of("same", "same"));
    assertEquals(1, EditDistance.of("report", "reprot"));
    assertEquals(3, EditDistance.of("kitten", "sitting"));
    assertEquals(5, EditDistance.of("", "check"));
    List<String> names = List.of("info", "check", "report", "record");
    assertEquals(List.of("report"), NearNames.of("repo", names));
    assertEquals(List.of(), NearNames.of("zzzzzz", names));
    assertEquals(List.of("report", "record"), NearNames.of("recort", names));
    assertEquals("; choose from: info, check, report, record", NearNames.hint("zzzzzz", names));
  }

  @Test
  void optionsAreTakenApart() throws Exception {
    List<Option> options = List.of(Option.flag("--fast", ""), Option.of("--size", "N", ""));
    Arguments arguments = Arguments.parse(options,
        List.of("a", "--size=5", "-", "--fast", "--", "--size", "b"));
    assertEquals(List.of("a", "-", "--size", "b"), arguments.positional());
    assertEquals(5, arguments.number("--size", 1, 1));
    assertTrue(arguments.has("--fast"));
    assertEquals(7, Arguments.parse(options, List.of()).number("--size", 7, 1));
    assertEquals("x", Arguments.parse(options, List.of("--size", "x")).get("--size", ""));
    assertEquals(List.of("x", "-y", "a=b", "--fast", "a b", "@c"), Arguments.parse(options, List.of("--size",
        "x", "--fast", "--size=-y", "--fast", "--size", "a=b", "--size", "--fast", "--size", "a b",
        "--size=@c")).all("--size"));
    assertEquals(List.of("@a", "${b}", "'c'", "", "a,b"),
        Arguments.parse(options, List.of("@a", "${b}", "'c'", "", "a,b")).positional());
  }

  @Test
  void wrongOptionsAreTold() throws Exception {
    List<Option> options = List.of(Option.flag("--fast", ""), Option.of("--size", "N", ""),
        Option.of("-o", "FILE", ""));
    assertEquals(List.of("./p", "--siz", "3", "--size", "4", "--"), Arguments.parse(options,
        List.of("--size", "3", "--", "./p", "--siz", "3", "--size", "4", "--")).positional());
    assertWrong("unknown option --siz; did you mean --size?", options, "--siz=3");
    assertWrong("unknown option --fas; did you mean --fast?", options, "a", "--fas", "b");
    assertWrong("unknown option -ofile", options, "-ofile");
    assertWrong("unknown option -5", options, "-5");
    assertWrong("option --size needs a value: --size N", options, "a", "--size");
    assertWrong("option --fast takes no value", options, "--fast=yes");
  }

  private static void assertWrong(String message, List<Option> options, String... arguments) {
    String told = assertThrows(UsageException.class,
        () -> Arguments.parse(options, List.of(arguments))).getMessage();
    assertTrue(told.startsWith(message), told);
  }

  @Test
  void progressIsShownOnATerminalOnly() throws Exception {
    var bytes = new ByteArrayOutputStream();
    TerminalProgress progress = new TerminalProgress(new PrintStream(bytes, true));
    progress.begin("Reading", 100);
    progress.worked(10);
    assertEquals("", bytes.toString(), "short work shows nothing");
    Thread.sleep(550);
    progress.worked(20);
    assertEquals("\r\033[KReading 30 %", bytes.toString());
    progress.worked(70);
    assertTrue(bytes.toString().endsWith("\r\033[K"), "the line is cleared at the end");
  }
}
