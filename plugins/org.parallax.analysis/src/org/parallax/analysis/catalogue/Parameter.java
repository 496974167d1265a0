package org.parallax.analysis.catalogue;

import java.util.List;

/**
 * A parameter of a report. Its values are text, as a person writes them.
 *
 * @param name of lower case letters, digits and hyphens; on the command line two hyphens stand before it
 * @param value what stands for the value in a help text; empty for a flag, which has no value
 * @param allowed the values that are allowed; empty when any is
 * @param summary for a line of help
 */
public record Parameter(String name, String value, List<String> allowed, String summary) {
  /** The kind of parts that rows, columns or curves are. */
  public static final Parameter LEVEL = choice("level", "LEVEL",
      List.of("application", "machine", "process", "thread", "procedure"),
      "level of rows or columns");
  /** The part of the time; the front end limits the analysis to it. */
  public static final Parameter PHASE = of("phase", "PHASE", "limit to a part of the time: "
      + "1.5s..2s, 10%.., NAME[2], mpi, proposed[1]");
  /** The part of a program tree; the front end finds it and puts it into the request. */
  public static final Parameter NODE = of("node", "PATH",
      "limit to MACHINE, MACHINE/PROCESS, .../THREAD or .../PROCEDURE");
  public static final Parameter WEIGHT = choice("weight", "WEIGHT", List.of("cpu", "wall"),
      "clock for work on paths and for other reports (cpu)");
  public static final Parameter BY = choice("by", "WHAT", List.of("pair", "kind", "operation", "path"),
      "critical-path: rows of arcs (pair)");
  public static final Parameter FASTER = of("faster", "NAME=TIMES",
      "what-if: speed-up of a procedure, process or kind of arc (top ten, =2)");
  public static final Parameter EXCLUSIVE =
      flag("exclusive", "what-if: only the own time of a procedure, without its callees");
  public static final Parameter COUNT = of("count", "N", "number of paths (10) or events (40)");
  public static final Parameter MIN_PERCENT = of("min-percent", "N",
      "calltree, gprof: leave out entries with less time (1; 0 in csv, json)");
  public static final Parameter INVERTED =
      flag("inverted", "calltree: show the callers below each procedure");
  public static final Parameter FOLD_INLINED =
      flag("fold-inlined", "add inlined functions to the function that contains their code");
  public static final Parameter BIN_NS = of("bin-ns", "N",
      "intervals: width of the bins (a tenth of the sample distance)");
  public static final Parameter THREAD =
      of("thread", "N", "intervals: only threads with this number");
  public static final Parameter CAUSES = flag("causes", "waits: a row for each cause");
  public static final Parameter WITHOUT_INTRUSION = flag("without-intrusion",
      "without the estimated time of measuring");
  public static final Parameter PROPOSE = flag("propose", "phases: also propose phases where the "
      + "activity changes");
  public static final Parameter METRIC = of("metric", "NAME,...",
      "histogram: curves, such as cpu, wait, bytes-sent (utilization)");
  public static final Parameter BINS =
      of("bins", "N", "histogram: number of bins, at most 2000 (fits the terminal)");
  public static final Parameter ALIGN = choice("align", "HOW", List.of("clock", "start"),
      "histogram: time base of several runs (clock)");
  public static final Parameter SCALING = choice("scaling", "SCALING", List.of("strong", "weak"),
      "efficiency: runs solve the same problem, or larger ones");
  public static final Parameter AT =
      of("at", "TIME", "events: around this time, such as 1.5s, 10% (start of the run or phase)");
  public static final Parameter KIND =
      of("kind", "NAME,...", "events: only these kinds, such as Send, Acquire");
  public static final Parameter TEXT = of("text", "REGEX", "events: only lines that match");

  /** Those above, in the order of help texts. */
  static final List<Parameter> STANDARD = List.of(PHASE, NODE, LEVEL, WEIGHT, BY, FASTER, EXCLUSIVE, COUNT,
      MIN_PERCENT, INVERTED, FOLD_INLINED, WITHOUT_INTRUSION,
      BIN_NS, THREAD, CAUSES, PROPOSE, METRIC, BINS, ALIGN,
      SCALING, AT, KIND, TEXT);

  public Parameter {
    allowed = List.copyOf(allowed);
  }

  /** @return a parameter that is given or not */
  public static Parameter flag(String name, String summary) {
    return new Parameter(name, "", List.of(), summary);
  }

  /** @return a parameter that takes any text, which the report checks */
  public static Parameter of(String name, String value, String summary) {
    return new Parameter(name, value, List.of(), summary);
  }

  /** @return a parameter that takes one of some values */
  public static Parameter choice(String name, String value, List<String> allowed, String summary) {
    return new Parameter(name, value, allowed, summary);
  }

  public boolean isFlag() {
    return value.isEmpty();
  }

  /** @return the parameter as messages and command lines write it */
  public String option() {
    return "--" + name;
  }
}
