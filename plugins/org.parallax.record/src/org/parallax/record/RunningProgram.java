package org.parallax.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A process of this machine that runs already, as the recorder lists it.
 *
 * @param pid its number
 * @param parent that of the process that has started it
 * @param user the name of its user
 * @param threads how many it has
 * @param ageMs for how long it has run
 * @param part of a parallel program, such as {@code rank 3}; else empty
 * @param name of the process
 * @param problem why it cannot be recorded and what to do; empty if nothing is known against it
 * @param command its words, quoted as for a shell, in one line
 */
public record RunningProgram(long pid, long parent, String user, int threads, long ageMs,
    String part, String name, String problem, String command) {
  private static final List<String> FIELDS = List.of("pid", "parent", "user", "threads", "age-ms",
      "part", "name", "problem", "command");

  /** @return whether it can be recorded, as far as this is known before it is tried */
  public boolean isPossible() {
    return problem.isEmpty();
  }

  /**
   * Lists all processes but those of the kernel, by their numbers; asks the recorder, which takes some 0.1 s.
   *
   * @throws RecordException when there is no recorder, or it fails
   */
  public static List<RunningProgram> list(Agent agent)
      throws RecordException, InterruptedException {
    Path recorder = Agent.executable(agent.recorder());
    if (recorder == null) {
      throw new RecordException(LaunchCheck.noRecorder(agent));
    }
    try {
      Process process =
          new ProcessBuilder(recorder.toAbsolutePath().toString(), "--list=tsv").start();
      String listed = text(process.getInputStream().readAllBytes());
      String error = text(process.getErrorStream().readAllBytes());
      if (process.waitFor() != 0) {
        throw new RecordException("the processes of this machine cannot be listed: " + error.strip());
      }
      return parse(listed);
    } catch (IOException e) {
      throw new RecordException("the recorder cannot be started: " + e.getMessage(), e);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** @throws RecordException when the list has other fields than this version knows */
  static List<RunningProgram> parse(String listed) throws RecordException {
    List<String> lines = listed.lines().toList();
    if (lines.isEmpty() || !List.of(lines.get(0).split("\t")).equals(FIELDS)) {
      throw new RecordException("the list of processes has other fields than this version of "
          + "Parallax knows; build the native programs again with: ./parallax setup");
    }
    List<RunningProgram> programs = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split("\t", -1);
      if (words.length == FIELDS.size()) {
        programs.add(new RunningProgram(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2],
            Integer.parseInt(words[3]), Long.parseLong(words[4]), words[5], words[6], words[7],
            words[8]));
      }
    }
    return programs;
  }

  /**
   * The processes that belong together with some of them: what they have started, and the other ranks that their
   * launcher has started.
   *
   * @param all those that are listed
   * @return those that can be recorded, in the order of the list
   */
  public static List<RunningProgram> together(List<RunningProgram> some, List<RunningProgram> all) {
    Set<Long> found = new HashSet<>();
    for (RunningProgram each : some) {
      found.add(each.pid());
      all.stream().filter(other -> !each.part().isEmpty() && !other.part().isEmpty()
          && other.parent() == each.parent()).forEach(other -> found.add(other.pid()));
    }
    for (int before = 0; before < found.size(); ) {
      before = found.size();
      all.stream().filter(each -> found.contains(each.parent())).forEach(each -> found.add(each.pid()));
    }
    return all.stream().filter(each -> found.contains(each.pid()) && each.isPossible()).toList();
  }
}
