package org.parallax.record;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.model.RunMode;
import org.parallax.record.LaunchAttributes.Field;

/** An application of a launch, as it was written down: text, with variables in it. Immutable. */
public final class ApplicationSettings {
  /** A new one: active, alone, in the directory of its program. */
  public static final ApplicationSettings EMPTY = new ApplicationSettings(new EnumMap<>(Field.class));

  private static final int MOST = 1000;

  private final Map<Field, String> values;

  private ApplicationSettings(Map<Field, String> values) {
    this.values = values;
  }

  /** @return the value, or an empty text */
  public String get(Field field) {
    return values.getOrDefault(field, "");
  }

  public ApplicationSettings with(Field field, String value) {
    Map<Field, String> changed = new EnumMap<>(Field.class);
    changed.putAll(values);
    if (value.isEmpty()) {
      changed.remove(field);
    } else {
      changed.put(field, value);
    }
    return new ApplicationSettings(changed);
  }

  /** @return the mode, active where none is given; null when it is no mode */
  public RunMode mode() {
    String mode = get(Field.MODE);
    return mode.isEmpty() ? RunMode.ACTIVE : RunMode.VALUES.stream()
        .filter(each -> each.getName().equalsIgnoreCase(mode)).findFirst().orElse(null);
  }

  /** @return its name, or that of the program or trace */
  public String name() {
    if (!get(Field.NAME).isBlank()) {
      return get(Field.NAME).strip();
    }
    String path = get(mode() == RunMode.ACTIVE ? Field.PROGRAM : Field.TRACE).strip();
    // The end of a variable such as ${workspace_loc:/project/program} belongs to no name.
    String bare = path.replaceAll("[}/]+$", "");
    return bare.substring(bare.lastIndexOf('/') + 1);
  }

  /** Reads the applications of a launch. */
  public static List<ApplicationSettings> read(Map<String, String> attributes) {
    int count;
    try {
      count = Integer.parseInt(attributes.getOrDefault(LaunchAttributes.APPLICATIONS, "0").strip());
    } catch (NumberFormatException e) {
      count = 0;
    }
    List<ApplicationSettings> all = new ArrayList<>();
    for (int number = 1; number <= Math.min(count, MOST); number++) {
      ApplicationSettings each = EMPTY;
      for (Field field : Field.values()) {
        each = each.with(field, attributes.getOrDefault(field.of(number), ""));
      }
      all.add(each);
    }
    return all;
  }

  /** @return the attributes of these applications, without those that are empty */
  public static Map<String, String> write(List<ApplicationSettings> all) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put(LaunchAttributes.APPLICATIONS, Integer.toString(all.size()));
    for (int i = 0; i < all.size(); i++) {
      int number = i + 1;
      all.get(i).values.forEach((field, value) -> attributes.put(field.of(number), value));
    }
    return attributes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ApplicationSettings settings && settings.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }
}
