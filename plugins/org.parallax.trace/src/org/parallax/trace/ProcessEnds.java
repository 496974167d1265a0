package org.parallax.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the processes of a trace ended: as they said themselves, else as those saw it who waited for
 * them, which the files HOST.outcomes tell; and the programs that could not be recorded, which they
 * tell, too.
 */
final class ProcessEnds {
  static final String OUTCOMES_SUFFIX = ".outcomes";
  private static final int SIGNAL_MASK = 0x7f;

  /**
   * An end.
   *
   * @param status the exit status of {@link EndReason#EXIT}, the signal of {@link EndReason#KILLED}
   */
  record Ending(EndReason reason, int status) {
  }

  private record Pid(String host, int pid) {
  }

  /** Somebody has waited for a process and seen its end. */
  private record Seen(long monotonicNs, int waitStatus) {
  }

  private final Map<Pid, List<Seen>> seen = new HashMap<>();
  private final Map<Definitions, Ending> endings = new IdentityHashMap<>();
  private final Set<UnrecordedProgram> unrecorded = new LinkedHashSet<>();

  /**
   * Reads what is told of ends. O(P log P) for P processes and lines.
   *
   * @param outcomes the files by the name of the host, as file names have it
   * @param warnings is told what cannot be read
   */
  static ProcessEnds of(Collection<Definitions> processes, Map<String, Path> outcomes,
      boolean runHasEnded, List<String> warnings) {
    ProcessEnds ends = new ProcessEnds();
    outcomes.forEach((host, file) -> {
      try {
        ends.read(host, file);
      } catch (IOException e) {
        warnings.add("the file " + file.getFileName() + " cannot be read: the end of processes "
            + "that ended without notice to the agent is unknown");
      }
    });
    ends.assign(processes, runHasEnded);
    return ends;
  }

  Ending of(Definitions process) {
    return endings.get(process);
  }

  List<UnrecordedProgram> unrecorded() {
    return List.copyOf(unrecorded);
  }

  private void read(String host, Path file) throws IOException {
    for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
      String[] fields = line.split("\t", 4);
      try {
        if (fields[0].equals("end") && fields.length >= 4) {
          seen.computeIfAbsent(new Pid(host, Integer.parseInt(fields[1])), k -> new ArrayList<>())
              .add(new Seen(Long.parseLong(fields[3]), Integer.parseInt(fields[2])));
        } else if (fields[0].equals("unrecorded") && fields.length >= 3) {
          unrecorded.add(
              new UnrecordedProgram(fields[2], UnrecordedProgram.Reason.of(fields[1])));
        }
      } catch (NumberFormatException e) {
        // The end of a file that was being written.
      }
    }
    seen.values().forEach(list -> list.sort(Comparator.comparingLong(Seen::monotonicNs)));
  }

  private void assign(Collection<Definitions> processes, boolean runHasEnded) {
    Map<Pid, List<Definitions>> ofPid = new HashMap<>();
    for (Definitions process : processes) {
      if (process.process != null) {
        ofPid.computeIfAbsent(new Pid(inFileName(process.process.host()), process.process.pid()),
            k -> new ArrayList<>()).add(process);
      }
    }
    ofPid.forEach((pid, list) -> {
      list.sort(Comparator.comparingLong(process -> process.process.monotonicNs()));
      for (int i = 0; i < list.size(); i++) {
        Definitions next = i + 1 < list.size() ? list.get(i + 1) : null;
        endings.put(list.get(i), ending(list.get(i), next,
            seen.getOrDefault(pid, List.of()), runHasEnded));
      }
    });
  }

  /** @param next the process that had the same number afterwards, or null */
  private static Ending ending(Definitions process, Definitions next, List<Seen> seen,
      boolean runHasEnded) {
    if (process.end != null) {
      EndReason how = process.end.how();
      return new Ending(how, how == EndReason.EXIT ? process.end.status() : 0);
    }
    long from = process.process.monotonicNs();
    long to = next == null ? Long.MAX_VALUE : next.process.monotonicNs();
    for (Seen end : seen) {
      if (end.monotonicNs() >= from && end.monotonicNs() <= to) {
        int signal = end.waitStatus() & SIGNAL_MASK;
        return signal != 0 ? new Ending(EndReason.KILLED, signal)
            : new Ending(EndReason.EXIT, end.waitStatus() >> 8 & 0xff);
      }
    }
    if (next != null && next.process.parentPid() == process.process.parentPid()) {
      return new Ending(EndReason.EXEC, 0);
    }
    return new Ending(runHasEnded ? EndReason.UNTOLD : EndReason.RUNNING, 0);
  }

  private static String inFileName(String host) {
    return host.replaceAll("[^0-9A-Za-z-]", "_");
  }

  private static final String[] SIGNALS = {"", "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP",
    "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE",
    "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN",
    "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",
    "SIGPWR", "SIGSYS"};

  /** The signal's name, or its number where it has none. */
  static String signalName(int signal) {
    return signal > 0 && signal < SIGNALS.length ? SIGNALS[signal] : "signal " + signal;
  }
}
