package org.parallax.cli;

import java.util.List;

/**
 * An option of a command.
 *
 * @param name with its two dashes
 * @param value what stands for the value in the help; empty for a flag
 * @param allowed the values that are allowed; empty when any is
 */
record Option(String name, String value, List<String> allowed, String description) {
  static Option flag(String name, String description) {
    return new Option(name, "", List.of(), description);
  }

  static Option of(String name, String value, String description) {
    return new Option(name, value, List.of(), description);
  }

  /** The description begins with the values. */
  static Option choice(String name, String value, List<String> allowed, String description) {
    return new Option(name, value, allowed, String.join(", ", allowed) + ": " + description);
  }

  boolean isFlag() {
    return value.isEmpty();
  }

  /** As the help shows it. */
  String usage() {
    return isFlag() ? name : name + " " + value;
  }
}
