package org.parallax.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.text.NearNames;

/** The arguments of a command, taken apart: {@code --name value}, {@code --name=value}, others. */
final class Arguments {
  private final Map<String, List<String>> values = new HashMap<>();
  private final List<String> positional = new ArrayList<>();

  private Arguments() {
  }

  /**
   * Takes arguments apart; after {@code --} nothing is an option.
   *
   * @throws UsageException for an unknown option, a missing value or one that is not allowed
   */
  static Arguments parse(List<Option> options, List<String> arguments) throws UsageException {
    Arguments parsed = new Arguments();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--")) {
        parsed.positional.addAll(arguments.subList(i + 1, arguments.size()));
        break;
      }
      if (!argument.startsWith("-") || argument.equals("-")) {
        parsed.positional.add(argument);
        continue;
      }
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      Option option = find(options, name.equals("-h") ? "--help" : name);
      if (option.isFlag()) {
        if (equals >= 0) {
          throw new UsageException("option " + name + " takes no value");
        }
        parsed.values.put(option.name(), List.of(""));
      } else {
        if (equals < 0 && ++i == arguments.size()) {
          throw new UsageException("option " + name + " needs a value: " + option.usage());
        }
        parsed.put(option, equals < 0 ? arguments.get(i) : argument.substring(equals + 1));
      }
    }
    return parsed;
  }

  private static Option find(List<Option> options, String name) throws UsageException {
    for (Option option : options) {
      if (option.name().equals(name)) {
        return option;
      }
    }
    throw new UsageException("unknown option " + name
        + NearNames.hint(name, options.stream().map(Option::name).toList()));
  }

  private void put(Option option, String value) throws UsageException {
    if (!option.allowed().isEmpty() && !option.allowed().contains(value)) {
      throw new UsageException("option " + option.name() + " cannot be \"" + value + "\""
          + NearNames.hint(value, option.allowed()));
    }
    values.computeIfAbsent(option.name(), unused -> new ArrayList<>()).add(value);
  }

  boolean has(String option) {
    return values.containsKey(option);
  }

  /** The value of an option; of one that is there several times, the last. */
  String get(String option, String otherwise) {
    List<String> all = all(option);
    return all.isEmpty() ? otherwise : all.get(all.size() - 1);
  }

  /** All values of an option that can be there several times. */
  List<String> all(String option) {
    return values.getOrDefault(option, List.of());
  }

  /** A number from {@code least} on. */
  int number(String option, int otherwise, int least) throws UsageException {
    String value = get(option, null);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UsageException("option " + option + " cannot be \"" + value
        + "\"; it takes a number from " + least);
  }

  /** What is no option, in order. */
  List<String> positional() {
    return positional;
  }
}
