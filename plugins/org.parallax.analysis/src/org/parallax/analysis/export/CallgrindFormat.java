package org.parallax.analysis.export;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.Procedures;
import org.parallax.trace.Progress;

/**
 * The profile for KCachegrind and {@code callgrind_annotate}: wall and CPU time of each procedure, and of its calls of
 * others, over all threads. Both are in nanoseconds, and add up to the time of the threads.
 */
final class CallgrindFormat implements ExportFormat {
  @Override
  public String id() {
    return "callgrind";
  }

  @Override
  public String summary() {
    return "procedures and their calls with times, for KCachegrind";
  }

  @Override
  public String suffix() {
    return ".callgrind";
  }

  @Override
  public boolean takesProfiles() {
    return true;
  }

  @Override
  public List<String> write(Part part, Path target, Progress progress) throws IOException {
    Graph graph = new Graph(part.analysis());
    graph.read(part, progress);
    try (Writer out = Files.newBufferedWriter(target)) {
      graph.write(out);
    }
    return List.of("callgrind has no threads and no time line: the times of all threads were added up");
  }

  /** Wall and CPU time, and the number of calls as far as it is known. */
  private static final class Cost {
    private long wallNs;
    private long cpuNs;
    private long calls;

    private void add(long wall, long cpu) {
      wallNs += wall;
      cpuNs += cpu;
    }

    @Override
    public String toString() {
      return wallNs + " " + cpuNs;
    }
  }

  /** A procedure's own cost, and that of the procedures it calls. */
  private static final class Node {
    private final Cost self = new Cost();
    private final Map<Integer, Cost> callees = new TreeMap<>();
  }

  private static final class Graph {
    private final ApplicationAnalysis analysis;
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private final Cost total = new Cost();
    private final Map<String, Integer> files = new HashMap<>();
    private final Map<Integer, Integer> functions = new HashMap<>();

    Graph(ApplicationAnalysis analysis) {
      this.analysis = analysis;
    }

    void read(Part part, Progress progress) {
      Scope scope = new Scope(analysis, part.node());
      List<CallPathProfile> profiles = analysis.profiles(progress);
      List<ThreadRecord> records = analysis.threads();
      for (int i = 0; i < profiles.size(); i++) {
        if (scope.has(records.get(i))) {
          read(records.get(i), profiles.get(i), scope);
        }
      }
    }

    private void read(ThreadRecord record, CallPathProfile profile, Scope scope) {
      Procedures procedures = analysis.procedures();
      int process = record.process().index();
      for (int path = 0; path < profile.wallNs().length; path++) {
        long wall = profile.wallNs()[path];
        long cpu = profile.cpuNs()[path];
        long visits = profile.visits()[path];
        if (wall == 0 && cpu == 0 && visits == 0 || !scope.hasProcedure(procedures.leaf(process, path))) {
          continue;
        }
        int[] frames = path == 0 ? new int[] {Procedures.NOT_SAMPLED} : procedures.frames(process, path);
        if (frames.length > 0) {
          add(frames, wall, cpu, visits);
        }
      }
    }

    /** A pair of caller and callee that is on the path several times has its time once. */
    private void add(int[] frames, long wall, long cpu, long visits) {
      total.add(wall, cpu);
      node(frames[frames.length - 1]).self.add(wall, cpu);
      Set<Long> seen = new HashSet<>();
      for (int i = 1; i < frames.length; i++) {
        Cost call = node(frames[i - 1]).callees.computeIfAbsent(frames[i], callee -> new Cost());
        if (seen.add((long) frames[i - 1] << Integer.SIZE | frames[i])) {
          call.add(wall, cpu);
        }
        call.calls += i == frames.length - 1 ? visits : 0;
      }
    }

    private Node node(int procedure) {
      return nodes.computeIfAbsent(procedure, unknown -> new Node());
    }

    void write(Writer out) throws IOException {
      out.write("# callgrind format\nversion: 1\ncreator: Parallax\ncmd: " + oneLine(analysis.name())
          + "\npositions: line\nevent: Wall : wall time in ns\nevent: Cpu : CPU time in ns\nevents: Wall Cpu\n"
          + "summary: " + total + "\n");
      for (Map.Entry<Integer, Node> each : nodes.entrySet()) {
        ProcedureInfo info = analysis.procedures().get(each.getKey());
        out.write("\nob=" + name(info.module()) + "\nfl=" + file(info) + "\nfn=" + function(each.getKey(), info) + "\n"
            + info.line() + " " + each.getValue().self + "\n");
        for (Map.Entry<Integer, Cost> call : each.getValue().callees.entrySet()) {
          ProcedureInfo callee = analysis.procedures().get(call.getKey());
          // The tools take the cost of no calls for the caller's own.
          out.write("cob=" + name(callee.module()) + "\ncfi=" + file(callee) + "\ncfn="
              + function(call.getKey(), callee) + "\ncalls=" + Math.max(1, call.getValue().calls) + " " + callee.line()
              + "\n" + info.line() + " " + call.getValue() + "\n");
        }
      }
      out.write("\ntotals: " + total + "\n");
    }

    private static String name(String text) {
      return text.isEmpty() ? "???" : oneLine(text);
    }

    /** Names are compressed: the first use of a number tells the name. */
    private String file(ProcedureInfo info) {
      String file = name(info.file());
      Integer known = files.putIfAbsent(file, files.size() + 1);
      return known == null ? "(" + files.get(file) + ") " + file : "(" + known + ")";
    }

    private String function(int procedure, ProcedureInfo info) {
      Integer known = functions.putIfAbsent(procedure, functions.size() + 1);
      return known == null ? "(" + functions.get(procedure) + ") " + name(info.name()) : "(" + known + ")";
    }

    private static String oneLine(String text) {
      return text.replaceAll("[\\r\\n]+", " ");
    }
  }
}
