package org.parallax.analysis.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Symbols;

/**
 * Adds up what call paths say of lines and functions. Used once.
 *
 * <p>Cost: for each process the depth of each of its call paths that has something to tell; the
 * memory of some numbers for each of its call paths, one process at a time.
 */
final class SourceLineSums {
  private static final int NONE = -1;

  /** A line of a file; line 0 for what is known of the file only. */
  private record Place(String file, int line) {}

  /** A call of a procedure from a place, which is {@link #NONE} where unknown. */
  private record Arc(int place, int caller, int callee) {}

  /** What is added up; {@code last} is the path that was added last, so that each counts once. */
  private static final class Sum {
    long exclusiveNs;
    long inclusiveNs;
    long pathNs;
    long waitNs;
    long samples;
    long cpuNs;
    int last = NONE;

    void include(int path, long ns) {
      if (last != path) {
        last = path;
        inclusiveNs += ns;
      }
    }

    SourceLines.Numbers numbers() {
      return new SourceLines.Numbers(exclusiveNs, inclusiveNs, pathNs, waitNs, samples, cpuNs);
    }
  }

  /** The places of the frames of an address, outermost first, and that where its own time counts. */
  private record Frames(int[] places, int own) {
    static final Frames NOTHING = new Frames(new int[0], NONE);

    int place(int frame) {
      return frame < places.length ? places[frame] : NONE;
    }
  }

  /** What the threads in scope did on the call paths of one process. */
  private static final class PathTimes {
    final long[] ns;
    final long[] cpuNs;
    final long[] samples;
    final long[] pathNs;
    final long[] waitNs;

    PathTimes(int paths) {
      ns = new long[paths];
      cpuNs = new long[paths];
      samples = new long[paths];
      pathNs = new long[paths];
      waitNs = new long[paths];
    }

    boolean isIdle(int path) {
      return ns[path] == 0 && samples[path] == 0 && pathNs[path] == 0 && waitNs[path] == 0;
    }
  }

  private final ApplicationAnalysis analysis;
  private final Procedures procedures;
  private final Scope scope;
  private final Map<Place, Integer> numbers = new LinkedHashMap<>();
  private final List<Sum> places = new ArrayList<>();
  /** Of each place, the procedures that have it. */
  private final List<Set<Integer>> owners = new ArrayList<>();
  private final Map<Integer, Sum> functions = new LinkedHashMap<>();
  private final Map<Integer, Integer> declared = new HashMap<>();
  private final Map<Arc, Sum> arcs = new LinkedHashMap<>();
  /** By identity: the symbols share one list among all look-ups of an address. */
  private final Map<List<Symbols.Frame>, Frames> known = new IdentityHashMap<>();
  private long totalNs;
  private long allSamples;

  SourceLineSums(ApplicationAnalysis analysis, TreeNode node) {
    this.analysis = analysis;
    procedures = analysis.procedures();
    scope = new Scope(analysis, node);
  }

  SourceLines of(Weight weight, Set<SourceLines.Part> parts, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    CriticalPath path = parts.contains(SourceLines.Part.PATH)
        ? analysis.criticalPath(weight, progress) : null;
    WaitStates waits = parts.contains(SourceLines.Part.WAITS)
        ? analysis.waitStates(progress) : null;
    Map<Integer, List<ThreadRecord>> threads = new LinkedHashMap<>();
    for (ThreadRecord record : analysis.threads()) {
      if (scope.has(record)) {
        threads.computeIfAbsent(record.process().index(), index -> new ArrayList<>()).add(record);
      }
    }
    Map<Integer, List<WaitStates.Place>> waiting = waiting(waits);
    for (int i = 0; i < analysis.workload().processes().size(); i++) {
      ProcessTrace process = analysis.workload().processes().get(i);
      List<ThreadRecord> own = threads.get(process.index());
      if (own != null) {
        progress.check();
        PathTimes times = new PathTimes(process.callPaths().count());
        own.forEach(record -> add(times, profiles.get(record.index()),
            path == null ? null : path.workNs(record.index())));
        waiting.getOrDefault(process.index(), List.of()).forEach(place ->
            times.waitNs[place.path()] += waits.losses().get(place).ns());
        Symbols symbols = analysis.workload().application(i).getTrace().symbols();
        new ProcessSums(process, symbols, times).add();
      }
    }
    return result(path, waits);
  }

  /** The places in scope that waited, by the index of their process. */
  private Map<Integer, List<WaitStates.Place>> waiting(WaitStates waits) {
    Map<Integer, List<WaitStates.Place>> waiting = new HashMap<>();
    if (waits != null) {
      for (WaitStates.Place place : waits.losses().keySet()) {
        ThreadRecord record = waits.replay().threads().get(place.thread());
        if (place.state().isMetric() && scope.has(record)) {
          waiting.computeIfAbsent(record.process().index(), index -> new ArrayList<>())
              .add(place);
        }
      }
    }
    return waiting;
  }

  private static void add(PathTimes times, CallPathProfile profile, long[] work) {
    for (int i = 0; i < times.ns.length; i++) {
      times.ns[i] += profile.wallNs()[i];
      times.cpuNs[i] += profile.cpuNs()[i];
      times.samples[i] += profile.samples()[i];
      times.pathNs[i] += work == null ? 0 : work[i];
    }
  }

  private int place(String file, int line, int procedure) {
    int number = numbers.computeIfAbsent(new Place(file, line), unknown -> {
      places.add(new Sum());
      owners.add(new TreeSet<>());
      return places.size() - 1;
    });
    owners.get(number).add(procedure);
    return number;
  }

  private Sum function(int procedure) {
    return functions.computeIfAbsent(procedure, unknown -> new Sum());
  }

  /** The sums of one process. */
  private final class ProcessSums {
    private final ProcessTrace process;
    private final CallPaths paths;
    private final Symbols symbols;
    private final PathTimes times;
    private final Frames[] frames;
    /** Of each path, the procedures of its own frames, outermost first. */
    private final int[][] ids;
    /** Of each path, the calls that lead to its own frames. */
    private final Sum[][] calls;
    /** Of each path, the innermost path on it whose source is known. */
    private final int[] nearest;

    ProcessSums(ProcessTrace process, Symbols symbols, PathTimes times) {
      this.process = process;
      this.symbols = symbols;
      this.times = times;
      paths = process.callPaths();
      frames = new Frames[paths.count()];
      ids = new int[paths.count()][];
      calls = new Sum[paths.count()][];
      nearest = new int[paths.count()];
    }

    void add() {
      boolean[] used = new boolean[paths.count()];
      for (int path = used.length - 1; path > 0; path--) {
        used[path] |= !times.isIdle(path);
        used[paths.parent(path)] |= used[path];
      }
      for (int path = 1; path < used.length; path++) {
        if (used[path]) {
          resolve(path);
        }
      }
      for (int path = 1; path < used.length; path++) {
        if (!times.isIdle(path)) {
          add(path);
        }
      }
      totalNs += scope.hasProcedure(Procedures.NOT_SAMPLED) ? times.ns[0] : 0;
      // The next process has paths of the same numbers.
      places.forEach(sum -> sum.last = NONE);
      functions.values().forEach(sum -> sum.last = NONE);
      arcs.values().forEach(sum -> sum.last = NONE);
    }

    private void resolve(int path) {
      int parent = paths.parent(path);
      ids[path] = procedures.ownFrames(process.index(), path);
      Symbols.Location location = symbols.find(process, path);
      frames[path] = location == null || !location.isResolved() ? Frames.NOTHING
          : paths.kind(path) == CallPaths.FUNCTION ? entry(location.frames(), ids[path])
          : known.computeIfAbsent(location.frames(), list -> lines(list, ids[path]));
      nearest[path] = frames[path].own == NONE ? nearest[parent] : path;
      calls[path] = new Sum[ids[path].length];
      int[] above = parent == 0 ? new int[0] : ids[parent];
      int caller = above.length == 0 ? NONE : above[above.length - 1];
      int place = above.length == 0 ? NONE : frames[parent].place(above.length - 1);
      for (int i = 0; i < ids[path].length; i++) {
        if (caller != NONE) {
          calls[path][i] =
              arcs.computeIfAbsent(new Arc(place, caller, ids[path][i]), unknown -> new Sum());
        }
        caller = ids[path][i];
        place = frames[path].place(i);
      }
    }

    private void add(int path) {
      if (scope.hasProcedure(leaf(path))) {
        totalNs += times.ns[path];
        allSamples += times.samples[path];
        addOwn(path);
      }
      if (times.ns[path] > 0) {
        for (int at = path; at != 0; at = paths.parent(at)) {
          include(path, at, times.ns[path]);
        }
      }
    }

    private int leaf(int path) {
      return ids[path][ids[path].length - 1];
    }

    private void addOwn(int path) {
      Sum function = function(leaf(path));
      function.exclusiveNs += times.ns[path];
      function.samples += times.samples[path];
      function.cpuNs += times.cpuNs[path];
      if (frames[path].own != NONE) {
        places.get(frames[path].own).exclusiveNs += times.ns[path];
        places.get(frames[path].own).samples += times.samples[path];
        places.get(frames[path].own).cpuNs += times.cpuNs[path];
      }
      int source = nearest[path];
      if (source != 0) {
        Sum place = places.get(frames[source].own);
        place.pathNs += times.pathNs[path];
        place.waitNs += times.waitNs[path];
        function(leaf(source)).pathNs += times.pathNs[path];
        function(leaf(source)).waitNs += times.waitNs[path];
      }
    }

    /** Adds the time of a path to all that is on it. */
    private void include(int path, int at, long ns) {
      for (int i = 0; i < ids[at].length; i++) {
        if (calls[at][i] != null) {
          calls[at][i].include(path, ns);
        }
        if (scope.hasProcedure(ids[at][i])) {
          function(ids[at][i]).include(path, ns);
          includePlace(path, frames[at].place(i), ns);
        }
      }
      // Folded, a function has the lines of what was inlined into it.
      if (scope.hasProcedure(leaf(at))) {
        for (int i = ids[at].length; i < frames[at].places.length; i++) {
          includePlace(path, frames[at].places[i], ns);
        }
      }
    }

    private void includePlace(int path, int place, long ns) {
      if (place != NONE) {
        places.get(place).include(path, ns);
      }
    }
  }

  /** The lines of an address. */
  private Frames lines(List<Symbols.Frame> innermostFirst, int[] ids) {
    int[] found = new int[innermostFirst.size()];
    int own = NONE;
    String file = innermostFirst.get(found.length - 1).file();
    for (int i = 0; i < found.length; i++) {
      Symbols.Frame frame = innermostFirst.get(found.length - 1 - i);
      int line = frame.line() > 0 ? frame.line() : frame.declaredLine();
      int id = ids[Math.min(i, ids.length - 1)];
      found[i] = frame.file().isEmpty() ? NONE : place(frame.file(), line, id);
      // Folded, the function has what other files inline into it, at the line of its own file.
      if (found[i] != NONE && (ids.length == found.length || frame.file().equals(file))) {
        own = found[i];
      }
      if (frame.declaredLine() > 0 && i < ids.length) {
        declared.putIfAbsent(id, frame.declaredLine());
      }
    }
    return new Frames(found, own);
  }

  /** The line of an instrumented function, which is known as a whole only. */
  private Frames entry(List<Symbols.Frame> innermostFirst, int[] ids) {
    Symbols.Frame frame = innermostFirst.get(innermostFirst.size() - 1);
    if (frame.file().isEmpty()) {
      return Frames.NOTHING;
    }
    int line = frame.declaredLine() > 0 ? frame.declaredLine() : frame.line();
    int[] found = new int[ids.length];
    Arrays.fill(found, NONE);
    found[0] = place(frame.file(), line, ids[0]);
    if (frame.declaredLine() > 0) {
      declared.putIfAbsent(ids[0], line);
    }
    return new Frames(found, found[0]);
  }

  private SourceLines result(CriticalPath path, WaitStates waits) {
    List<Place> named = List.copyOf(numbers.keySet());
    List<SourceLines.Line> lines = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      SourceLines.Numbers sum = places.get(i).numbers();
      if (!sum.isNone()) {
        int owner = owners.get(i).stream().max(Comparator.comparingLong(id ->
            functions.containsKey(id) ? functions.get(id).inclusiveNs : 0)).orElseThrow();
        lines.add(new SourceLines.Line(named.get(i).file(), named.get(i).line(),
            procedures.get(owner).name(), analysis.procedure(owner), sum));
      }
    }
    Map<List<Object>, SourceLines.Function> found = new LinkedHashMap<>();
    functions.forEach((id, sum) -> {
      ProcedureInfo info = procedures.get(id);
      int line = declared.getOrDefault(id, 0);
      if (!info.file().isEmpty() && !sum.numbers().isNone()) {
        // The same function of two programs is two procedures.
        found.merge(List.of(info.file(), line, info.name()), new SourceLines.Function(info.file(),
            line, info.name(), analysis.procedure(id), sum.numbers()),
            (a, b) -> new SourceLines.Function(a.file(), a.line(), a.name(), a.procedure(),
                a.numbers().plus(b.numbers())));
      }
    });
    Map<SourceLines.Call, Long> calls = new LinkedHashMap<>();
    arcs.forEach((arc, sum) -> {
      if (sum.inclusiveNs > 0) {
        Place place = arc.place() == NONE ? new Place("", 0) : named.get(arc.place());
        ProcedureInfo callee = procedures.get(arc.callee());
        calls.merge(new SourceLines.Call(place.file(), place.line(),
            procedures.get(arc.caller()).name(),
            new SourceLines.Callee(callee.file(), callee.name()), 0), sum.inclusiveNs, Long::sum);
      }
    });
    List<String> warnings = new ArrayList<>();
    if (path != null) {
      warnings.addAll(path.replay().warnings());
    } else if (waits != null) {
      warnings.addAll(waits.replay().warnings());
    }
    return new SourceLines(totalNs, allSamples, path == null ? 0 : path.lengthNs(), lines, found.values(),
        calls.entrySet().stream().map(each -> new SourceLines.Call(each.getKey().file(),
            each.getKey().line(), each.getKey().caller(), each.getKey().callee(),
            each.getValue())).toList(), warnings);
  }
}
