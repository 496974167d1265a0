package org.parallax.ui.preferences;

import java.awt.Color;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The colours of states that a person has chosen. Immutable; equal if the same was chosen.
 *
 * @param groups colours whose hues groups have; without those that were not changed
 * @param names colours of states with these names
 */
public record StateColorChoices(Map<StateGroup, Color> groups, Map<String, Color> names) {
  static final String KEY = "stateColors";
  private static final int RGB = 0xffffff;

  public StateColorChoices {
    groups = Map.copyOf(groups);
    names = Map.copyOf(names);
  }

  /** What is kept. */
  public static StateColorChoices load() {
    return parse(Preferences.store().getString(KEY));
  }

  /** Keeps this for all sessions; the timelines are drawn anew. */
  public void save() {
    Preferences.store().setValue(KEY, text());
  }

  /** The colour whose hue a group has. */
  public Color of(StateGroup group) {
    return groups.getOrDefault(group, group.usual());
  }

  /** @param color null for the usual one */
  public StateColorChoices with(String name, Color color) {
    Map<String, Color> changed = new TreeMap<>(names);
    if (color == null) {
      changed.remove(name);
    } else {
      changed.put(name, color);
    }
    return new StateColorChoices(groups, changed);
  }

  /** @param color null for the usual one */
  public StateColorChoices with(StateGroup group, Color color) {
    Map<StateGroup, Color> changed = new EnumMap<>(StateGroup.class);
    changed.putAll(groups);
    if (color == null || color.equals(group.usual())) {
      changed.remove(group);
    } else {
      changed.put(group, color);
    }
    return new StateColorChoices(changed, names);
  }

  /** A line for each: the colour, then {@code group} or {@code name}, then which. */
  String text() {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(groups).forEach((group, color) -> lines.add(hex(color) + " group " + group.name()));
    new TreeMap<>(names).forEach((name, color) -> lines.add(hex(color) + " name " + name));
    return String.join("\n", lines);
  }

  private static String hex(Color color) {
    return String.format("%06x", color.getRGB() & RGB);
  }

  /** Lines that are not understood are left out. */
  static StateColorChoices parse(String text) {
    Map<StateGroup, Color> groups = new EnumMap<>(StateGroup.class);
    Map<String, Color> names = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] parts = line.split(" ", 3);
      try {
        Color color = new Color(Integer.parseInt(parts[0], 16));
        if (parts.length == 3 && parts[1].equals("group")) {
          groups.put(StateGroup.valueOf(parts[2]), color);
        } else if (parts.length == 3 && parts[1].equals("name")) {
          names.put(parts[2], color);
        }
      } catch (IllegalArgumentException e) {
        // Of another version.
        continue;
      }
    }
    return new StateColorChoices(groups, names);
  }
}
