package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.analysis.Phase;
import org.parallax.model.program.Application;

/**
 * The phases that a person has defined, each of the traces whose time it is part of. The same moment of another trace
 * is another thing. Immutable.
 */
final class DefinedPhases {
  static final DefinedPhases NONE = new DefinedPhases(Map.of());

  /** @param applications the names of what ran: another run of it takes the phase over */
  private record Owner(Set<Path> traces, Set<String> applications) {}

  private final Map<Phase, Owner> owners;

  private DefinedPhases(Map<Phase, Owner> owners) {
    this.owners = Collections.unmodifiableMap(owners);
  }

  /** All, in the order of their making. */
  List<Phase> all() {
    return List.copyOf(owners.keySet());
  }

  /** Those that are parts of the time of one of these traces. */
  List<Phase> of(Set<Path> traces) {
    return owners.entrySet().stream()
        .filter(each -> !Collections.disjoint(each.getValue().traces, traces))
        .map(Map.Entry::getKey).toList();
  }

  /** With a phase of the time of applications, in place of another of that name. */
  DefinedPhases with(Phase phase, Set<Path> traces, Set<String> applications) {
    Map<Phase, Owner> changed = new LinkedHashMap<>(owners);
    List<Phase> here = of(traces);
    changed.keySet().removeIf(other -> other.name().equals(phase.name()) && here.contains(other));
    Owner before = changed.get(phase);
    Set<Path> all = new HashSet<>(traces);
    Set<String> names = new HashSet<>(applications);
    if (before != null) {
      all.addAll(before.traces);
      names.addAll(before.applications);
    }
    changed.put(phase, new Owner(all, names));
    return new DefinedPhases(changed);
  }

  DefinedPhases without(Phase phase) {
    Map<Phase, Owner> changed = new LinkedHashMap<>(owners);
    changed.remove(phase);
    return new DefinedPhases(changed);
  }

  /**
   * Gives the phases of traces that are closed to the next runs of their programs.
   *
   * @param open what is open now
   */
  DefinedPhases opened(List<Application> open) {
    Set<Path> traces = open.stream().map(DefinedPhases::directory).collect(Collectors.toSet());
    Map<Phase, Owner> changed = new LinkedHashMap<>();
    owners.forEach((phase, owner) -> {
      List<Application> next = !Collections.disjoint(owner.traces, traces) ? List.of()
          : open.stream().filter(each -> owner.applications.contains(each.getName())).toList();
      changed.put(phase, next.isEmpty() ? owner : new Owner(
          next.stream().map(DefinedPhases::directory).collect(Collectors.toSet()),
          owner.applications));
    });
    return new DefinedPhases(changed);
  }

  static Path directory(Application application) {
    return application.getTrace().directory();
  }
}
