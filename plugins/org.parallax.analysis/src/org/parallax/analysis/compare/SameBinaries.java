package org.parallax.analysis.compare;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.model.program.Application;
import org.parallax.model.program.Procedure;
import org.parallax.trace.Module;
import org.parallax.trace.ProcessTrace;

/**
 * The programs and libraries that two runs have in common, by their build ids. A function of such a file
 * exists in both runs, whether or not it has samples.
 */
final class SameBinaries {
  private final Map<String, String> buildIds = new HashMap<>();
  private final Set<String> common;
  private final boolean isSameProgram;

  SameBinaries(List<Application> base, List<Application> other) {
    Set<String> programs = new HashSet<>();
    Set<String> before = buildIds(base, programs);
    Set<String> otherPrograms = new HashSet<>();
    common = buildIds(other, otherPrograms);
    common.retainAll(before);
    isSameProgram = otherPrograms.stream().anyMatch(id -> programs.contains(id));
  }

  private Set<String> buildIds(List<Application> applications, Set<String> programs) {
    Set<String> ids = new HashSet<>();
    for (Application application : applications) {
      for (ProcessTrace process : application.getTrace().processes()) {
        for (Module module : process.modules()) {
          if (!module.buildId().isEmpty()) {
            ids.add(module.buildId());
            // Two files of one path are two builds of a program: neither is in both runs for certain.
            buildIds.merge(module.path(), module.buildId(), (one, two) -> one.equals(two) ? one : "");
            if (module.path().equals(process.executable())) {
              programs.add(module.buildId());
            }
          }
        }
      }
    }
    return ids;
  }

  /** @return whether the procedure exists in both runs; a routine does if the program is the same */
  boolean has(Procedure procedure) {
    return procedure.getModule().isEmpty() ? isSameProgram
        : common.contains(buildIds.getOrDefault(procedure.getModule(), ""));
  }
}
