package org.parallax.cli.command;

import java.util.List;

/**
 * An option of a command.
 *
 * @param name with its two dashes
 * @param value what stands for the value in the help; empty for a flag
 * @param allowed the values that are allowed; empty when any is
 * @param usual the value where none stands after a {@code =}; empty where the next word is the value
 */
public record Option(String name, String value, List<String> allowed, String usual,
    String description) {
  /** An option without a value. */
  public static Option flag(String name, String description) {
    return new Option(name, "", List.of(), "", description);
  }

  /** An option with any value. */
  public static Option of(String name, String value, String description) {
    return new Option(name, value, List.of(), "", description);
  }

  /** The description begins with the values. */
  public static Option choice(String name, String value, List<String> allowed, String description) {
    return new Option(name, value, allowed, "", String.join(", ", allowed) + ": " + description);
  }

  /** An option with any value after a {@code =}, or with none, which is the usual one. */
  public static Option optional(String name, String value, String usual, String description) {
    return new Option(name, value, List.of(), usual, description);
  }

  /** @return whether the option takes no value */
  public boolean isFlag() {
    return value.isEmpty();
  }

  /** As the help shows it. */
  String usage() {
    return isFlag() ? name : usual.isEmpty() ? name + " " + value : name + "[=" + value + "]";
  }
}
