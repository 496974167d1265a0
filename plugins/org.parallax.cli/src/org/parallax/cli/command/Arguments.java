package org.parallax.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.text.NearNames;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The arguments of a command, taken apart: {@code --name value}, {@code --name=value}, others. */
public final class Arguments {
  private static final String HELP = "--help";

  private final Map<String, List<String>> values = new HashMap<>();
  private final List<String> positional = new ArrayList<>();

  private Arguments() {
  }

  /**
   * Takes arguments apart; after {@code --} nothing is an option.
   *
   * @throws UsageException for an unknown option, a missing value or one that is not allowed
   */
  public static Arguments parse(List<Option> options, List<String> arguments) throws UsageException {
    CommandLine line = new CommandLine(spec(options)).setExpandAtFiles(false)
        .setPosixClusteredShortOptionsAllowed(false).setOverwrittenOptionsAllowed(true)
        .setAllowOptionsAsOptionParameters(true);
    Arguments parsed = new Arguments();
    int end = arguments.contains("--") ? arguments.indexOf("--") : arguments.size();
    List<String> before = arguments.subList(0, end).stream()
        .map(word -> withUsual(options, word)).toList();
    try {
      ParseResult result = line.parseArgs(before.toArray(String[]::new));
      for (Option option : options) {
        if (result.hasMatchedOption(option.name())) {
          parsed.put(option, result.matchedOption(option.name()).originalStringValues());
        }
      }
      if (result.hasMatchedPositional(0)) {
        parsed.addPositional(options, result.matchedPositional(0).originalStringValues());
      }
    } catch (ParameterException e) {
      throw failure(options, before, e);
    }
    parsed.positional.addAll(arguments.subList(Math.min(end + 1, arguments.size()), arguments.size()));
    return parsed;
  }

  private static String withUsual(List<Option> options, String word) {
    return options.stream().filter(option -> !option.usual().isEmpty() && option.name().equals(word))
        .map(option -> word + "=" + option.usual()).findFirst().orElse(word);
  }

  /** An unknown option that looks little like those that are known is none to picocli. */
  private void addPositional(List<Option> options, List<String> words) throws UsageException {
    for (String word : words) {
      if (word.startsWith("-") && word.length() > 1) {
        throw unknown(options, word);
      }
      positional.add(word);
    }
  }

  private static CommandSpec spec(List<Option> options) {
    CommandSpec spec = CommandSpec.create();
    for (Option option : options) {
      String[] names =
          option.name().equals(HELP) ? new String[] {HELP, "-h"} : new String[] {option.name()};
      spec.addOption(option.isFlag()
          ? OptionSpec.builder(names).arity("0").type(boolean.class).build()
          : OptionSpec.builder(names).arity("1").type(List.class).auxiliaryTypes(String.class).build());
    }
    return spec.addPositional(PositionalParamSpec.builder().arity("0..*").type(List.class)
        .auxiliaryTypes(String.class).build());
  }

  private static UsageException unknown(List<Option> options, String argument) {
    String name = argument.replaceFirst("=.*", "");
    return new UsageException("unknown option " + name
        + NearNames.hint(name, options.stream().map(Option::name).toList()));
  }

  private static UsageException failure(
      List<Option> options, List<String> arguments, ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(options, unmatched.getUnmatched().get(0));
    }
    if (e instanceof MissingParameterException missing) {
      Option option = find(options, missing.getMissing().get(0));
      return new UsageException("option " + option.name() + " needs a value: " + option.usage());
    }
    for (Option option : options) {
      if (option.isFlag()
          && arguments.stream().anyMatch(argument -> argument.startsWith(option.name() + "="))) {
        return new UsageException("option " + option.name() + " takes no value");
      }
    }
    return new UsageException(e.getMessage());
  }

  private static Option find(List<Option> options, ArgSpec spec) {
    return options.stream().filter(option -> spec instanceof OptionSpec of
        && List.of(of.names()).contains(option.name())).findFirst().orElseThrow();
  }

  private void put(Option option, List<String> given) throws UsageException {
    for (String value : given) {
      if (!option.allowed().isEmpty() && !option.allowed().contains(value)) {
        throw new UsageException("option " + option.name() + " cannot be \"" + value + "\""
            + NearNames.hint(value, option.allowed()));
      }
    }
    values.put(option.name(), given);
  }

  /** @return whether the option was given */
  public boolean has(String option) {
    return values.containsKey(option);
  }

  /** The value of an option; of one that is there several times, the last. */
  public String get(String option, String otherwise) {
    List<String> all = all(option);
    return all.isEmpty() ? otherwise : all.get(all.size() - 1);
  }

  /** All values of an option that can be there several times. */
  public List<String> all(String option) {
    return values.getOrDefault(option, List.of());
  }

  /** A number from {@code least} on. */
  public int number(String option, int otherwise, int least) throws UsageException {
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
        + "\"; the value must be a number of at least " + least);
  }

  /** What is no option, in order. */
  public List<String> positional() {
    return positional;
  }
}
