package org.parallax.analysis.catalogue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values that a front end gives to the parameters of a report, by their names. Immutable. */
public final class ParameterValues {
  /** No parameter is given. */
  public static final ParameterValues NONE = new ParameterValues(Map.of());

  private final Map<String, List<String>> values;

  private ParameterValues(Map<String, List<String>> values) {
    this.values = Map.copyOf(values);
  }

  /** @return these values, and those of one parameter in place of any that it had; none for a flag */
  public ParameterValues with(String name, String... all) {
    Map<String, List<String>> changed = new HashMap<>(values);
    changed.put(name, List.of(all));
    return new ParameterValues(changed);
  }

  /** @return these values, and one for a parameter that has none */
  public ParameterValues orElse(String name, String value) {
    return has(name) ? this : with(name, value);
  }

  /** @return the parameters that are given */
  public Set<String> names() {
    return values.keySet();
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** @return the value; of several the last; {@code otherwise} when the parameter is not given */
  public String get(String name, String otherwise) {
    List<String> all = all(name);
    return all.isEmpty() ? otherwise : all.get(all.size() - 1);
  }

  /** @return all values of a parameter that can be given several times; none when it is not given */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /**
   * @param least the smallest number that is allowed
   * @return a whole number; {@code otherwise} when the parameter is not given
   * @throws WrongParameterException for what is no such number
   */
  public int number(String name, int otherwise, int least) throws WrongParameterException {
    return (int) number(name, otherwise, least, Integer.MAX_VALUE);
  }

  /** As {@link #number}, of 64 bits. */
  public long longNumber(String name, long otherwise, long least) throws WrongParameterException {
    return number(name, otherwise, least, Long.MAX_VALUE);
  }

  private long number(String name, long otherwise, long least, long most)
      throws WrongParameterException {
    String value = get(name, null);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    String option = "--" + name;
    throw new WrongParameterException("option " + option + " cannot be \"" + value
        + "\"; the value must be a number of at least " + least);
  }

  /** @return a value of a parameter whose allowed values are the names of an enum in lower case */
  <E extends Enum<E>> E choice(Parameter parameter, E otherwise) {
    String value = get(parameter.name(), null);
    return value == null ? otherwise : Arrays.stream(otherwise.getDeclaringClass().getEnumConstants())
        .filter(each -> each.name().equalsIgnoreCase(value)).findFirst().orElseThrow();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
