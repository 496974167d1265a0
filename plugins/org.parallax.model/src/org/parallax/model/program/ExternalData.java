package org.parallax.model.program;

import java.util.ArrayList;
import java.util.List;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceSeries;
import org.parallax.trace.series.ExternalSeries;

/**
 * What a monitor measured over time of one machine, process or application, or of none that was in the
 * session when it was loaded. Immutable.
 */
public final class ExternalData {
  private final String name;
  private final Machine machine;
  private final ProgramProcess process;
  private final Application application;
  private final Trace trace;
  private final ExternalSeries series;

  ExternalData(String name, Machine machine, ProgramProcess process, Application application,
      Trace trace, ExternalSeries series) {
    this.name = name;
    this.machine = machine;
    this.process = process;
    this.application = application;
    this.trace = trace;
    this.series = series;
  }

  /** @return that of the series; where those of another trace have it, with the name of the trace */
  public String getName() {
    return name;
  }

  /** @return of which it tells, null for that of others */
  public Machine getMachine() {
    return machine;
  }

  /** @return of which it tells, null for that of others */
  public ProgramProcess getProcess() {
    return process;
  }

  /** @return of which it tells, null for that of others */
  public Application getApplication() {
    return application;
  }

  /** @return the trace that it came with, which is open */
  public Trace getTrace() {
    return trace;
  }

  public ExternalSeries getSeries() {
    return series;
  }

  /** @return what a person must know of the data before trusting them; empty where there is nothing */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (machine == null && process == null && application == null) {
      warnings.add("external data: " + series + " belongs to no machine, process or application of the trace "
          + trace + "; it is shown with the whole workload");
    }
    String apart = TraceSeries.apart(trace, series);
    if (!apart.isEmpty()) {
      warnings.add("external data: " + apart);
    }
    return warnings;
  }
}
