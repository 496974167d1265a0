package org.parallax.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.Finding.Severity;

/**
 * Collects findings. Of those that are alike (same file, same rule) only the first few are kept and
 * the others are counted: one writer's error can occur at every event.
 */
final class FindingList implements DamageSink {
  private static final int MAX_ALIKE = 5;
  static final String RESTORE =
      "Copy the trace again from the machine that recorded it; if this is the original, record "
      + "again";
  private static final String REPORT =
      "This is an error in the agent: please report it with the manifest and this line";

  private record Alike(Severity severity, String file, String rule) {
  }

  private final Set<Finding> findings = new LinkedHashSet<>();
  private final Map<Alike, Integer> counts = new HashMap<>();

  @Override
  public void damage(Path file, long block, long byteOffset, String fact, String loss) {
    add(Severity.ERROR, file, block, byteOffset, "damage", fact, "Lost: " + loss, RESTORE);
  }

  /** A sound file holds what the format does not allow. */
  void violation(Path file, long block, long byteOffset, String rule, String fact,
      String meaning) {
    add(Severity.ERROR, file, block, byteOffset, rule, fact, meaning, REPORT);
  }

  void add(Severity severity, Path file, long block, long byteOffset, String rule, String fact,
      String meaning, String nextStep) {
    String name = file == null ? "" : file.getFileName().toString();
    Finding finding = new Finding(severity, name, block, byteOffset, fact, meaning, nextStep);
    if (!findings.contains(finding)
        && counts.merge(new Alike(severity, name, rule), 1, Integer::sum) <= MAX_ALIKE) {
      findings.add(finding);
    }
  }

  /** A finding on a whole file, or, with null, on the trace. */
  void add(Severity severity, Path file, String rule, String fact, String meaning,
      String nextStep) {
    add(severity, file, NONE, NONE, rule, fact, meaning, nextStep);
  }

  /** The worst first; those that were left out are counted. */
  List<Finding> sorted() {
    List<Finding> list = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      findings.stream().filter(finding -> finding.severity() == severity).forEach(list::add);
      counts.forEach((alike, count) -> {
        if (alike.severity() == severity && count > MAX_ALIKE) {
          list.add(new Finding(severity, alike.file(), NONE, NONE,
              (count - MAX_ALIKE) + " more findings like the first " + MAX_ALIKE + " of this file",
              "They concern: " + alike.rule(), ""));
        }
      });
    }
    return list;
  }
}
