package org.parallax.cli;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.EventsReport;

/** What {@code --at}, {@code --count}, {@code --kind} and {@code --text} say of the events to show. */
final class EventsArgument {
  private static final int DEFAULT_COUNT = 40;

  private EventsArgument() {
  }

  /**
   * The events that are wanted; without {@code --at}, from the begin of the run or phase on.
   *
   * @throws UsageException for what is no time and no regular expression
   * @throws CommandFailure for a time outside of the run and an unknown kind
   */
  static EventsReport.Wanted of(Arguments arguments, ApplicationAnalysis analysis)
      throws UsageException, CommandFailure {
    long at = Math.max(Long.MIN_VALUE / 2, analysis.window().beginNs());
    if (arguments.has("--at")) {
      at = PhaseArgument.moment(arguments.get("--at", ""), analysis);
    }
    Set<Integer> kinds = new TreeSet<>();
    if (arguments.has("--kind")) {
      for (String name : arguments.get("--kind", "").split(",", -1)) {
        kinds.add(kind(name.strip()));
      }
    }
    return new EventsReport.Wanted(at, arguments.number("--count", DEFAULT_COUNT, 1), kinds,
        arguments.has("--text") ? pattern(arguments.get("--text", "")) : null);
  }

  private static int kind(String name) throws CommandFailure {
    Map<String, Integer> kinds = EventsReport.kinds();
    Integer kind = kinds.get(name);
    if (kind == null) {
      throw new CommandFailure("there is no kind of event \"" + name + "\""
          + NearNames.hint(name, kinds.keySet()));
    }
    return kind;
  }

  private static Pattern pattern(String text) throws UsageException {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new UsageException("--text \"" + text + "\" is no regular expression: "
          + e.getDescription() + (e.getIndex() >= 0 ? " at character " + (e.getIndex() + 1) : "")
          + "; put a \\ before a character that is meant as it is");
    }
  }
}
