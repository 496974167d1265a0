package org.parallax.cli.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Option;
import org.parallax.record.RecorderOption;

/** The options of {@code parallax record} as options of commands that run it several times. */
final class RecordOptions {
  /** All of them. */
  static final List<Option> ALL = RecorderOption.ALL.stream().map(option ->
      option.isFlag() ? Option.flag(option.name(), "record: " + option.summary())
          : option.usual().isEmpty()
              ? Option.of(option.name(), option.value(), "record: " + option.summary())
              : Option.optional(option.name(), option.value(), option.usual(),
                  "record: " + option.summary())).toList();

  private RecordOptions() {}

  /** @return an option that was given; null if none was */
  static String given(Arguments arguments) {
    return ALL.stream().map(Option::name).filter(arguments::has).findFirst().orElse(null);
  }

  /** @return the words for the recorder */
  static List<String> words(Arguments arguments) {
    List<String> words = new ArrayList<>();
    for (RecorderOption option : RecorderOption.ALL) {
      if (option.isFlag() && arguments.has(option.name())) {
        words.addAll(option.words(""));
      }
      if (!option.isFlag()) {
        values(option, arguments).forEach(value -> words.addAll(option.words(value)));
      }
    }
    return words;
  }

  /** @return what replaces the attributes of a saved launch */
  static Map<String, String> attributes(Arguments arguments) {
    Map<String, String> attributes = new HashMap<>();
    for (RecorderOption option : RecorderOption.ALL) {
      if (arguments.has(option.name())) {
        attributes.put(option.attribute(),
            option.isFlag() ? "true" : String.join("\n", values(option, arguments)));
      }
    }
    return attributes;
  }

  private static List<String> values(RecorderOption option, Arguments arguments) {
    List<String> all = arguments.all(option.name());
    if (option.name().equals(RecorderOption.EXTERNAL) || all.isEmpty()) {
      return all;
    }
    String last = all.get(all.size() - 1);
    return List.of(option.name().equals(RecorderOption.FILTER)
        ? Path.of(last).toAbsolutePath().toString() : last);
  }
}
