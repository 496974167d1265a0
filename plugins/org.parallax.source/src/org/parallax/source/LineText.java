package org.parallax.source;

import java.util.List;
import java.util.stream.Stream;
import org.eclipse.core.runtime.IPath;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.source.SourceLines;
import org.parallax.analysis.source.SourceLines.Call;
import org.parallax.analysis.source.SourceLines.Function;
import org.parallax.analysis.source.SourceLines.Numbers;

/** What is told of a line, in words. */
final class LineText {
  private static final int MOST_CALLS = 6;

  private LineText() {
  }

  /** All that is known: the function, its callers, the line, what it calls. */
  static String of(FileNumbers.Entry entry, FileNumbers numbers) {
    StringBuilder text = new StringBuilder();
    SourceLines source = numbers.source();
    for (Function function : entry.functions()) {
      text.append(function.name()).append('\n');
      append(text, function.numbers(), numbers);
      List<Call> callers = source.callers(function);
      if (!callers.isEmpty()) {
        text.append(Messages.calledFrom).append('\n');
        append(text, callers, source,
            call -> call.line() > 0 ? NLS.bind(Messages.caller, new Object[] {call.caller(),
                name(call.file()), Integer.toString(call.line())}) : call.caller());
      }
    }
    if (!entry.lines().isEmpty()) {
      String line = Integer.toString(entry.number());
      text.append(entry.functions().isEmpty()
          ? NLS.bind(Messages.lineOf, line, entry.lines().get(0).function())
          : NLS.bind(Messages.line, line)).append('\n');
      append(text, entry.ofLine(), numbers);
      List<Call> calls = entry.lines().stream()
          .flatMap(each -> source.calls(each.file(), each.line()).stream()).toList();
      if (!calls.isEmpty()) {
        text.append(Messages.calls).append('\n');
        append(text, calls, source, call -> call.callee().name());
      }
    }
    return text.toString().stripTrailing();
  }

  private static String name(String file) {
    return IPath.fromOSString(file).lastSegment();
  }

  private static void append(StringBuilder text, Numbers line, FileNumbers numbers) {
    for (SourceNumber number : SourceNumber.values()) {
      if (number == SourceNumber.INTERVAL) {
        appendInterval(text, line, numbers.source());
      } else if (number != SourceNumber.SENSITIVITY && number.isIn(numbers.parts())) {
        long whole = number.whole(numbers.source());
        String value = number == SourceNumber.PATH ? SourceNumber.time(line.pathNs())
            : number.text(line, numbers.source());
        text.append("    ").append(whole == 0
            ? NLS.bind(Messages.number, number.label(), value)
            : NLS.bind(Messages.numberAndPercent, new Object[] {number.label(), value,
                SourceNumber.percent(100.0 * number.of(line) / whole)})).append('\n');
      }
    }
  }

  /** How sure the exclusive time is: that it lies in an interval. */
  private static void appendInterval(StringBuilder text, Numbers line, SourceLines source) {
    if (line.samples() == 0) {
      return;
    }
    String samples = line.samples() == 1 ? Messages.oneSample
        : NLS.bind(Messages.someSamples, SourceNumber.SAMPLES.text(line, source));
    text.append("    ").append(NLS.bind(Messages.intervalOf,
        SourceNumber.INTERVAL.text(line, source), samples)).append('\n');
    if (source.interval(line).isUncertain(line.exclusiveNs())) {
      text.append("    ").append(Messages.uncertain).append('\n');
    }
  }

  private static void append(StringBuilder text, List<Call> calls, SourceLines source,
      java.util.function.Function<Call, String> name) {
    calls.stream().limit(MOST_CALLS).forEach(call -> text.append("    ")
        .append(NLS.bind(Messages.numberAndPercent, new Object[] {name.apply(call),
            SourceNumber.time(call.ns()), SourceNumber.percent(source.percent(call.ns()))}))
        .append('\n'));
    if (calls.size() > MOST_CALLS) {
      text.append("    ").append(NLS.bind(Messages.more, calls.size() - MOST_CALLS)).append('\n');
    }
  }

  /** What is shown of a line, in one. */
  static String summary(FileNumbers.Entry entry, FileNumbers numbers) {
    Stream<String> texts = SourceNumber.shown().stream()
        .filter(number -> number != SourceNumber.SENSITIVITY && number.isIn(numbers.parts()))
        .map(number -> NLS.bind(Messages.number, number.label(),
            number.text(entry.shown(), numbers.source())));
    return String.join(", ", texts.toList());
  }
}
