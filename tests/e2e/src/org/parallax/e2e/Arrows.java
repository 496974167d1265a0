package org.parallax.e2e;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.e2e.Bundles.Bundle;

/**
 * The direction of dependency: trace, model, then analysis and record beside it, experiment and tuning, then cli
 * and ui. Charts are a part of ui; source, launch and help add to it.
 */
final class Arrows {
  private static final Map<String, Integer> LEVELS = Map.ofEntries(
      entry("org.parallax.trace", 0),
      entry("org.parallax.model", 1),
      entry("org.parallax.analysis", 2),
      entry("org.parallax.record", 2),
      entry("org.parallax.experiment", 3),
      entry("org.parallax.tuning", 3),
      entry("org.parallax.ui.charts", 4),
      entry("org.parallax.cli", 5),
      entry("org.parallax.ui", 5),
      entry("org.parallax.source", 6),
      entry("org.parallax.launch", 6),
      entry("org.parallax.help", 6),
      entry("org.parallax.cdt", 7),
      entry("org.parallax.agent.linux.x86_64", 5));
  /** What runs in the workbench. */
  private static final Set<String> WORKBENCH = Set.of("org.parallax.ui", "org.parallax.ui.charts",
      "org.parallax.source", "org.parallax.launch", "org.parallax.help", "org.parallax.cdt");
  private static final String CDT = "org.eclipse.cdt.";
  /** What plain Java does not have: the framework, the workbench and its widgets. */
  private static final List<String> FRAMEWORK = List.of("org.osgi.", "org.eclipse.osgi",
      "org.eclipse.core.", "org.eclipse.equinox.", "org.eclipse.ui", "org.eclipse.swt",
      "org.eclipse.jface", "org.eclipse.e4.", "org.eclipse.debug");

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

  /** @return what is wrong with {@code bundle} needing {@code type}, also a whole bundle or package; or null */
  static String fault(String bundle, String type) {
    if (!WORKBENCH.contains(bundle)
        && FRAMEWORK.stream().anyMatch(prefix -> type.startsWith(prefix))) {
      return bundle + " needs " + type + ", which plain Java does not have";
    }
    if (type.startsWith(CDT) && !bundle.equals(ArchitectureTest.CDT_BRIDGE)) {
      return bundle + " needs " + type + ", which only the bridge to CDT may need";
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
