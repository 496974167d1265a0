package org.parallax.analysis.catalogue;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.text.Moment;
import org.parallax.analysis.text.NearNames;

/** What {@code --at}, {@code --count}, {@code --kind} and {@code --text} say of the events to show. */
final class WantedEvents {
  private static final int DEFAULT_COUNT = 40;

  private WantedEvents() {
  }

  /**
   * The events that are wanted; without {@code --at}, from the begin of the run or phase on.
   *
   * @throws WrongParameterException for what is no time and no regular expression
   * @throws ReportException for a time outside of the run and an unknown kind
   */
  static EventsReport.Wanted of(ParameterValues values, ApplicationAnalysis analysis)
      throws ReportException {
    long at = Math.max(Long.MIN_VALUE / 2, analysis.window().beginNs());
    if (values.has(Parameter.AT.name())) {
      at = moment(values.get(Parameter.AT.name(), ""), analysis);
    }
    Set<Integer> kinds = new TreeSet<>();
    if (values.has(Parameter.KIND.name())) {
      for (String name : values.get(Parameter.KIND.name(), "").split(",", -1)) {
        kinds.add(kind(name.strip()));
      }
    }
    return new EventsReport.Wanted(at, values.number(Parameter.COUNT.name(), DEFAULT_COUNT, 1), kinds,
        values.has(Parameter.TEXT.name()) ? pattern(values.get(Parameter.TEXT.name(), "")) : null);
  }

  private static long moment(String text, ApplicationAnalysis analysis) throws ReportException {
    OptionalLong ns = Moment.ns(text, Moment.endNs(analysis));
    if (ns.isEmpty()) {
      throw new WrongParameterException(Moment.wrong(text).getMessage());
    }
    if (ns.getAsLong() > Moment.endNs(analysis)) {
      throw new ReportException(Moment.outside(text, analysis).getMessage());
    }
    return ns.getAsLong();
  }

  private static int kind(String name) throws ReportException {
    Map<String, Integer> kinds = EventsReport.kinds();
    Integer kind = kinds.get(name);
    if (kind == null) {
      throw new ReportException("there is no kind of event \"" + name + "\""
          + NearNames.hint(name, kinds.keySet()));
    }
    return kind;
  }

  private static Pattern pattern(String text) throws WrongParameterException {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new WrongParameterException("--text \"" + text + "\" is not a regular expression: "
          + e.getDescription() + (e.getIndex() >= 0 ? " at character " + (e.getIndex() + 1) : "")
          + "; put a \\ before special characters to match them literally");
    }
  }
}
