package org.parallax.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.trace.TraceException;

/** A sub-command. */
public interface Command {
  /** Options that every command has. */
  List<Option> COMMON = List.of(
      Option.flag("--quiet", "print no progress and no warnings"),
      Option.flag("--verbose", "print the stack traces of failures"),
      Option.flag("--help", "print this page"));

  String name();

  /** The arguments after the name, for the help. */
  String usage();

  /** One line that says what it does. */
  String summary();

  /** What a person must know beyond the summary and the options; lines of at most 90 characters. */
  String description();

  List<Option> options();

  /** Command lines that work, each a line. */
  List<String> examples();

  /**
   * Does the work.
   *
   * @return the exit status: 0 done, 1 failed
   * @throws UsageException when the arguments are wrong
   */
  int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, ReportException, TraceException;

  /** Its own options and the common ones. */
  default List<Option> allOptions() {
    List<Option> all = new ArrayList<>(options());
    all.addAll(COMMON);
    return all;
  }

  /** The page that {@code --help} prints; it ends with examples. */
  default String help() {
    StringBuilder text = new StringBuilder("usage: parallax " + name() + " " + usage() + "\n\n"
        + summary() + ".\n");
    if (!description().isEmpty()) {
      text.append(description()).append('\n');
    }
    text.append("\noptions (defaults in parentheses):\n");
    int width = allOptions().stream().mapToInt(option -> option.usage().length()).max().orElse(0);
    for (Option option : allOptions()) {
      text.append(String.format("  %-" + width + "s  %s%n", option.usage(), option.description()));
    }
    text.append("\nexamples:\n");
    examples().forEach(example -> text.append("  ").append(example).append('\n'));
    return text.toString();
  }
}
