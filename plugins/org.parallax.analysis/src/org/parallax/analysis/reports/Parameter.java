package org.parallax.analysis.reports;

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
      "what rows or columns are");
  /** The part of the time; the front end limits the analysis to it. */
  public static final Parameter PHASE = of("phase", "PHASE", "only a part of the time: "
      + "1.5s..2s, 10%.., NAME, NAME[2], proposed[1]");
  /** The part of a program tree; the front end finds it and puts it into the request. */
  public static final Parameter NODE = of("node", "PATH",
      "only MACHINE, MACHINE/PROCESS, .../THREAD or .../PROCEDURE");
  public static final Parameter WEIGHT = choice("weight", "WEIGHT", List.of("cpu", "wall"),
      "what work weighs on paths; the clock of others (cpu)");
  public static final Parameter FASTER = of("faster", "NAME=TIMES",
      "what-if: a procedure, process or kind of arc (the path's first ten, =2)");
  public static final Parameter EXCLUSIVE =
      flag("exclusive", "what-if: of a procedure only its own time, not that of what it calls");
  public static final Parameter COUNT = of("count", "N", "how many paths (10) or events (40)");
  public static final Parameter MIN_PERCENT = of("min-percent", "N",
      "calltree, gprof: without what has less time (1; 0 in csv, json)");
  public static final Parameter INVERTED =
      flag("inverted", "calltree: below each procedure those that call it");
  public static final Parameter FOLD_INLINED =
      flag("fold-inlined", "what was inlined is a part of the function that holds it");
  public static final Parameter BIN_NS = of("bin-ns", "N",
      "width of the bins of intervals (a tenth of the sample distance)");
  public static final Parameter THREAD =
      of("thread", "N", "intervals of the threads with this number only");
  public static final Parameter CAUSES = flag("causes", "wait states with a row for each cause");
  public static final Parameter PROPOSE = flag("propose", "phases also where the activity changes");
  public static final Parameter METRIC = of("metric", "NAME,...",
      "curves of a histogram: cpu, wait, bytes-sent, ... (utilization)");
  public static final Parameter BINS =
      of("bins", "N", "bins of a histogram, at most 2000 (what fits the terminal)");
  public static final Parameter ALIGN = choice("align", "HOW", List.of("clock", "start"),
      "curves of several runs by the clock, or from one start (clock)");
  public static final Parameter SCALING = choice("scaling", "SCALING", List.of("strong", "weak"),
      "a series of runs solves one problem, or larger ones");
  public static final Parameter AT =
      of("at", "TIME", "events around it: 1.5s, 10% (the begin of the run or phase)");
  public static final Parameter KIND =
      of("kind", "NAME,...", "events of these kinds: Send, Acquire, ...");
  public static final Parameter TEXT = of("text", "REGEX", "events in whose line it is found");

  /** Those above, in the order of help texts. */
  static final List<Parameter> STANDARD = List.of(PHASE, NODE, LEVEL, WEIGHT, FASTER, EXCLUSIVE, COUNT,
      MIN_PERCENT, INVERTED, FOLD_INLINED, BIN_NS, THREAD, CAUSES, PROPOSE, METRIC, BINS, ALIGN,
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
