package org.parallax.ui.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

class CellTextTest {
  private static Table table(Unit unit, long total, List<Column> columns, Row... rows) {
    return new Table("profile", "Profile", "/trace", Map.of(), "name", unit, total,
        total < 0 ? -1 : 0, columns, List.of(rows), List.of());
  }

  @Test
  void timesOfAColumnHaveTheUnitOfTheLargest() {
    Row large = new Row("a", null, null, List.of(12_345_678_901L, 62.5, 1_234_567L, "CPU"));
    Row small = new Row("b", null, null, List.of(1_499_999L, 0.126, 3L, "Msg"));
    CellText text = new CellText(table(Unit.NANOSECONDS, 12_347_178_900L,
        List.of(new Column("time", "time", Unit.NANOSECONDS),
            new Column("percent", "%time", Unit.PERCENT),
            new Column("count", "arcs", Unit.COUNT), new Column("kind", "kind", Unit.TEXT)),
        large, small));
    assertEquals("time [s]", text.heading(0));
    assertEquals("%time", text.heading(1));
    assertEquals("12.346", text.cell(large, 0));
    assertEquals("0.001", text.cell(small, 0));
    assertEquals("62.50", text.cell(large, 1));
    assertEquals("0.13", text.cell(small, 1));
    assertEquals("1,234,567", text.cell(large, 2));
    assertEquals("Msg", text.cell(small, 3));
    assertEquals("12.347 s", text.total());
    assertTrue(text.isNumeric(0) && text.isNumeric(1) && text.isNumeric(2));
    assertFalse(text.isNumeric(3));
  }

  @Test
  void unitIsThatOfTheRowWhereItChanges() {
    Row elapsed = new Row("Elapsed time", null, Unit.NANOSECONDS, List.of(2_500_000L, 0L, 90_000L));
    Row bytes = new Row("Bytes sent", null, Unit.BYTES, List.of(1_048_576L, 0L, 1L));
    Row events = new Row("Events", null, Unit.COUNT, List.of(7L, 0L, 1_000L));
    CellText text = new CellText(table(Unit.OF_ROW, -1,
        List.of(new Column("x", "x", Unit.OF_ROW), new Column("y", "y", Unit.OF_ROW),
            new Column("z", "z", Unit.OF_ROW)), elapsed, bytes, events));
    assertEquals("x", text.heading(0));
    assertEquals("2.500 ms", text.cell(elapsed, 0));
    assertEquals("0", text.cell(elapsed, 1));
    assertEquals("0.090 ms", text.cell(elapsed, 2));
    assertEquals("1,048,576 bytes", text.cell(bytes, 0));
    assertEquals("1,000", text.cell(events, 2));
    assertEquals("", text.total());
  }

  @Test
  void whatIsNotKnownIsEmpty() {
    Row load = new Row("external:load", null, Unit.NUMBER, List.of(0.5, ""));
    Row busy = new Row("external:disk-busy", null, Unit.NANOSECONDS, List.of("", 2_000_000L));
    CellText text = new CellText(table(Unit.OF_ROW, -1,
        List.of(new Column("x", "x", Unit.OF_ROW), new Column("y", "y", Unit.OF_ROW)), load, busy));
    assertEquals("0.50", text.cell(load, 0));
    assertEquals("", text.cell(load, 1));
    assertEquals("", text.cell(busy, 0));
    assertEquals("2.000 ms", text.cell(busy, 1));
  }

  @Test
  void flagsAreShownWhereTheyAreSet() {
    Row throttled = new Row("tiny", null, null, List.of(true));
    Row other = new Row("large", null, null, List.of(false));
    CellText text = new CellText(table(Unit.NANOSECONDS, -1,
        List.of(new Column("throttled", "throttled", Unit.FLAG)), throttled, other));
    assertEquals("yes", text.cell(throttled, 0));
    assertEquals("", text.cell(other, 0));
  }
}
