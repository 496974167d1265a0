package org.parallax.model;

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
 * numbers. What has no counterpart keeps its name.
 */
final class MatchedNames {
  private static final Pattern PID = Pattern.compile("(.*) \\(pid \\d+\\)(?: \\(\\d+\\))?");

  private MatchedNames() {}

  /** Processes are told apart by counting instead of by numbers that the system gave to them. */
  static void withoutNumbers(Session session) {
    for (Application application : session.getApplications()) {
      Map<String, Integer> counts = new HashMap<>();
      for (Process process : application.getProcesses()) {
        Matcher pid = PID.matcher(process.getName());
        if (pid.matches()) {
          process.setName(pid.group(1) + " #" + counts.merge(pid.group(1), 1, Integer::sum));
        }
      }
    }
  }

  /** @return what was matched though it has other names, for people */
  static List<String> match(Session base, Session other) {
    List<String> notes = new ArrayList<>();
    named(other.getMachines(), base.getMachines(), Machine::getHost, (machine, like) -> {
      notes.add("machine " + machine.getHost() + " is taken for " + like.getHost());
      machine.setHost(like.getHost());
    });
    boolean single = base.getApplications().size() == 1 && other.getApplications().size() == 1;
    for (Application application : other.getApplications()) {
      Application like = single ? base.getApplications().get(0)
          : base.getApplications().stream()
              .filter(each -> each.getName().equals(application.getName())).findFirst().orElse(null);
      if (like == null) {
        continue;
      }
      if (!like.getName().equals(application.getName())) {
        notes.add("application " + application.getName() + " is taken for " + like.getName());
        application.setName(like.getName());
      }
      match(like, application);
      if (like.getProcesses().size() != application.getProcesses().size()) {
        notes.add(application.getName() + " has " + application.getProcesses().size()
            + " processes here and " + like.getProcesses().size()
            + " in the base: those of one of them are rows that were added or removed, and what is "
            + "summed up over processes is of all; see --level application or procedure");
      }
    }
    return notes;
  }

  private static void match(Application base, Application other) {
    Map<Integer, Process> ranks = base.getProcesses().stream()
        .filter(process -> process.getWorldRank() >= 0)
        .collect(Collectors.toMap(Process::getWorldRank, Function.identity(), (a, b) -> a));
    other.getProcesses().stream().filter(process -> ranks.containsKey(process.getWorldRank()))
        .forEach(process -> process.setName(ranks.get(process.getWorldRank()).getName()));
    named(other.getProcesses().stream().filter(process -> process.getWorldRank() < 0).toList(),
        base.getProcesses().stream().filter(process -> process.getWorldRank() < 0).toList(),
        Process::getName, (process, like) -> process.setName(like.getName()));
    Map<String, Process> processes = base.getProcesses().stream()
        .collect(Collectors.toMap(Process::getName, Function.identity(), (a, b) -> a));
    for (Process process : other.getProcesses()) {
      Process like = processes.get(process.getName());
      if (like != null) {
        Map<Integer, String> threads = like.getThreads().stream()
            .collect(Collectors.toMap(Thread::getId, Thread::getName, (a, b) -> a));
        process.getThreads().stream().filter(thread -> threads.containsKey(thread.getId()))
            .forEach(thread -> thread.setName(threads.get(thread.getId())));
      }
    }
  }

  /** Where a process has several threads in one run, the only one of another has a name too. */
  static void nameThreads(List<Session> sessions) {
    List<Process> processes = sessions.stream()
        .flatMap(session -> session.getApplications().stream())
        .flatMap(application -> application.getProcesses().stream()).toList();
    Set<String> several = processes.stream().filter(process -> process.getThreads().size() > 1)
        .map(MatchedNames::path).collect(Collectors.toSet());
    processes.stream().filter(process -> several.contains(path(process)))
        .forEach(process -> process.setThreadsNamed(true));
  }

  private static String path(Process process) {
    return process.getApplication().getName() + "/" + process.getName();
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
