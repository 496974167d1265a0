package org.parallax.model.program;

import java.util.IdentityHashMap;
import java.util.Map;

/** The names that parts of sessions get when the sessions are copied; without one a part keeps its own. */
final class NewNames {
  private final Map<Object, String> names = new IdentityHashMap<>();
  private final Map<Machine, Machine> machines = new IdentityHashMap<>();
  private final Map<ProgramProcess, Boolean> withThreads = new IdentityHashMap<>();

  void put(Object part, String name) {
    names.put(part, name);
  }

  /** The only thread of this process is named like one of several. */
  void nameThreads(ProgramProcess process) {
    withThreads.put(process, true);
  }

  boolean areThreadsNamed(ProgramProcess process) {
    return process.isThreadsNamed() || withThreads.containsKey(process);
  }

  String of(Machine machine) {
    return names.getOrDefault(machine, machine.getHost());
  }

  String of(Application application) {
    return names.getOrDefault(application, application.getName());
  }

  String of(ProgramProcess process) {
    return names.getOrDefault(process, process.getName());
  }

  String of(ProgramThread thread) {
    return names.getOrDefault(thread, thread.getName());
  }

  /** One copy for each machine; null for null. */
  Machine machine(Machine machine) {
    return machine == null ? null
        : machines.computeIfAbsent(machine, old -> names.containsKey(old) ? new Machine(of(old)) : old);
  }
}
