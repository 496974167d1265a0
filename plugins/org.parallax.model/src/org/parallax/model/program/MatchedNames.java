package org.parallax.model.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gives the parts of one run the names that the same parts have in another: machines in their order,
 * applications, processes by their ranks or in the order in which they began, threads by their
 * numbers. What has no counterpart keeps its name. The new names are collected; the sessions are copied
 * with them.
 */
final class MatchedNames {
  private static final Pattern PID = Pattern.compile("(.*) \\(pid \\d+\\)(?: \\(\\d+\\))?");

  private MatchedNames() {}

  /** Processes are told apart by counting instead of by numbers that the system gave to them. */
  static void withoutNumbers(LoadedSession session, NewNames names) {
    for (Application application : session.getApplications()) {
      Map<String, Integer> counts = new HashMap<>();
      for (ProgramProcess process : application.getProcesses()) {
        Matcher pid = PID.matcher(process.getName());
        if (pid.matches()) {
          names.put(process, pid.group(1) + " #" + counts.merge(pid.group(1), 1, Integer::sum));
        }
      }
    }
  }

  /** @return what was matched though it has other names, for people */
  static List<String> match(LoadedSession base, LoadedSession other, NewNames names) {
    List<String> notes = new ArrayList<>();
    named(other.getMachines(), base.getMachines(), names::of, (machine, like) -> {
      notes.add("machine " + names.of(machine) + " is matched with " + names.of(like));
      names.put(machine, names.of(like));
    });
    boolean single = base.getApplications().size() == 1 && other.getApplications().size() == 1;
    for (Application application : other.getApplications()) {
      Application like = single ? base.getApplications().get(0)
          : base.getApplications().stream()
              .filter(each -> names.of(each).equals(names.of(application))).findFirst().orElse(null);
      if (like == null) {
        continue;
      }
      if (!names.of(like).equals(names.of(application))) {
        notes.add("application " + names.of(application) + " is matched with " + names.of(like));
        names.put(application, names.of(like));
      }
      match(like, application, names);
      if (like.getProcesses().size() != application.getProcesses().size()) {
        notes.add(names.of(application) + " has " + application.getProcesses().size()
            + " processes here and " + like.getProcesses().size()
            + " in the base: processes without a counterpart have rows added or removed, and sums "
            + "over processes include all of them; see --level application or procedure");
      }
    }
    return notes;
  }

  private static void match(Application base, Application other, NewNames names) {
    Map<Integer, ProgramProcess> ranks = base.getProcesses().stream()
        .filter(process -> process.getWorldRank() >= 0)
        .collect(Collectors.toMap(ProgramProcess::getWorldRank, Function.identity(), (a, b) -> a));
    other.getProcesses().stream().filter(process -> ranks.containsKey(process.getWorldRank()))
        .forEach(process -> names.put(process, names.of(ranks.get(process.getWorldRank()))));
    named(other.getProcesses().stream().filter(process -> process.getWorldRank() < 0).toList(),
        base.getProcesses().stream().filter(process -> process.getWorldRank() < 0).toList(),
        names::of, (process, like) -> names.put(process, names.of(like)));
    Map<String, ProgramProcess> processes = base.getProcesses().stream()
        .collect(Collectors.toMap(names::of, Function.identity(), (a, b) -> a));
    for (ProgramProcess process : other.getProcesses()) {
      ProgramProcess like = processes.get(names.of(process));
      if (like != null) {
        Map<Integer, String> threads = like.getThreads().stream()
            .collect(Collectors.toMap(ProgramThread::getId, names::of, (a, b) -> a));
        process.getThreads().stream().filter(thread -> threads.containsKey(thread.getId()))
            .forEach(thread -> names.put(thread, threads.get(thread.getId())));
      }
    }
  }

  /** Where a process has several threads in one run, the only one of another has a name too. */
  static void nameThreads(List<LoadedSession> sessions, NewNames names) {
    List<ProgramProcess> processes = sessions.stream()
        .flatMap(session -> session.getApplications().stream())
        .flatMap(application -> application.getProcesses().stream()).toList();
    Set<String> several = processes.stream().filter(process -> process.getThreads().size() > 1)
        .map(process -> path(process, names)).collect(Collectors.toSet());
    processes.stream().filter(process -> several.contains(path(process, names)))
        .forEach(names::nameThreads);
  }

  private static String path(ProgramProcess process, NewNames names) {
    return names.of(process.getApplication()) + "/" + names.of(process);
  }

  private interface Naming<T> {
    void like(T part, T base);
  }

  /** Those whose name the base does not have are taken for what is left of the base, in order. */
  private static <T> void named(
      List<T> parts, List<T> base, Function<T, String> name, Naming<T> naming) {
    Set<String> own = parts.stream().map(name).collect(Collectors.toCollection(HashSet::new));
    Set<String> known = base.stream().map(name).collect(Collectors.toCollection(HashSet::new));
    List<T> left = new ArrayList<>(
        base.stream().filter(each -> !own.contains(name.apply(each))).toList());
    for (T part : parts) {
      if (!known.contains(name.apply(part)) && !left.isEmpty()) {
        naming.like(part, left.remove(0));
      }
    }
  }
}
