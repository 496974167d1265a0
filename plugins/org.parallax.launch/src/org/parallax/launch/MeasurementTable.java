package org.parallax.launch;

import java.util.List;
import java.util.Map;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.record.ArrivalRates;
import org.parallax.record.TraceWatch;

/** Measurements as a table, which sorts, filters and exports as all others do. */
public final class MeasurementTable {
  private MeasurementTable() {
  }

  /** @return a row for each, whose subject it is */
  public static Table of(List<Measurement> measurements) {
    List<Column> columns = List.of(Column.info("state", Messages.columnState, Unit.TEXT),
        new Column("elapsed", Messages.columnElapsed, Unit.NANOSECONDS),
        new Column("processes", Messages.columnProcesses, Unit.COUNT),
        new Column("threads", Messages.columnThreads, Unit.COUNT),
        new Column("events", Messages.columnEvents, Unit.COUNT),
        new Column("eventRate", Messages.columnEventRate, Unit.COUNT),
        new Column("bytes", "bytes", Unit.BYTES),
        new Column("byteRate", Messages.columnByteRate, Unit.COUNT));
    return new Table("measurements", Messages.measurements, "", Map.of(), Messages.columnName,
        Unit.COUNT, 0, -1, columns, measurements.stream().map(MeasurementTable::row).toList(),
        List.of());
  }

  private static Row row(Measurement measurement) {
    TraceWatch.Counts counts = measurement.counts();
    ArrivalRates.Interval recent = measurement.rates().recent();
    boolean runs = !measurement.hasEnded();
    return Row.of(measurement.name(), measurement, measurement.stateText(),
        measurement.elapsedNs(), (long) counts.processes(), (long) counts.threads(),
        counts.events(), runs ? (Object) Math.round(recent.eventsPerSecond()) : "",
        counts.bytes(), runs ? (Object) Math.round(recent.bytesPerSecond()) : "");
  }
}
