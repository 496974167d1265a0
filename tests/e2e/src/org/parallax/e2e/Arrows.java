package org.parallax.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.parallax.e2e.Bundles.Bundle;

/** The direction of dependency: trace, model, analysis, then cli and ui, which nothing needs. */
final class Arrows {
  private static final Map<String, Integer> LEVELS = Map.of(
      "org.parallax.trace", 0,
      "org.parallax.model", 1,
      "org.parallax.analysis", 2,
      "org.parallax.cli", 3,
      "org.parallax.ui", 3,
      "org.parallax.agent.linux.x86_64", 3);
  /** What plain Java does not have: the framework, the workbench and its widgets. */
  private static final List<String> FRAMEWORK = List.of("org.osgi.", "org.eclipse.osgi",
      "org.eclipse.core.", "org.eclipse.equinox.", "org.eclipse.ui", "org.eclipse.swt",
      "org.eclipse.jface", "org.eclipse.e4.");

  private Arrows() {
  }

  /** @return what is wrong with what the manifest of a bundle needs; empty when all is well */
  static List<String> faults(Bundle bundle) {
    List<String> faults = new ArrayList<>();
    Integer level = LEVELS.get(bundle.name());
    if (level == null) {
      faults.add(bundle.name() + " has no place among the bundles; give it one in Arrows");
      return faults;
    }
    List<String> needs = new ArrayList<>(bundle.requires());
    needs.addAll(bundle.imports());
    for (String need : needs) {
      String fault = fault(bundle.name(), need);
      if (fault != null) {
        faults.add(fault);
      }
    }
    return faults;
  }

  /** @return what is wrong with a class of {@code bundle} importing {@code type}, or null */
  static String fault(String bundle, String type) {
    if (!bundle.equals("org.parallax.ui")
        && FRAMEWORK.stream().anyMatch(prefix -> type.startsWith(prefix))) {
      return bundle + " needs " + type + ", which plain Java does not have";
    }
    for (Map.Entry<String, Integer> other : LEVELS.entrySet()) {
      String name = other.getKey();
      boolean needed = type.equals(name) || type.startsWith(name + ".");
      if (needed && !name.equals(bundle)) {
        if (other.getValue() >= LEVELS.get(bundle)) {
          return bundle + " needs " + type + ": the arrow points the wrong way";
        }
        if (type.contains(".internal.")) {
          return bundle + " needs " + type + ", which is internal to " + name;
        }
      }
    }
    return null;
  }
}
