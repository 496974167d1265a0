package org.parallax.model.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Module;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;
import org.parallax.trace.Symbols;
import org.parallax.trace.Trace;

/**
 * The procedures of a trace as dense numbers, so that analyses add up in plain arrays: the same
 * function of the same module has the same id in all processes.
 *
 * <p>Built once for a trace, in time linear in its call paths; the look-ups are array accesses.
 * Immutable and free to be shared between threads.
 */
public final class Procedures {
  /** The id of time for which there is no sample. */
  public static final int NOT_SAMPLED = 0;
  /** The id of call paths whose definition is not in the trace. */
  public static final int UNDEFINED = 1;
  /** The id of time without a processor, outside of routines, of which nothing more is known. */
  public static final int OFF_CPU = 2;
  /** The id of such time in which the thread could have used a processor. */
  public static final int PREEMPTED = 3;
  /** The id of such time in which the thread waited for something else than a processor. */
  public static final int BLOCKED = 4;
  /** The id of no procedure. */
  public static final int NONE = -1;

  private static final Map<Trace, Procedures> KNOWN = new WeakHashMap<>();

  private final ProcedureInfo[] infos;
  private final Key[] keys;
  private final PathFrames[] processes;
  /** Of each process, once asked for: the own procedure of each call path. */
  private final AtomicReferenceArray<int[]> own;
  private Procedures folded;

  /** The identity of a procedure; {@code line} tells functions of one name in a file apart. */
  private record Key(String module, String name, String file, int line, ProcedureKind kind) {
  }

  /**
   * The frames that the leaf of each path of a process adds to those of its parent: one, or more
   * where functions were inlined. Those of a path stand at {@code first[path]} up to
   * {@code first[path + 1]}, outermost to innermost.
   */
  private record PathFrames(
      String executable, int[] parents, int[] first, int[] ids, int[] leaves) {
    /** Of each path the outermost of its own frames alone, as if nothing were inlined. */
    PathFrames folded() {
      int[] newFirst = new int[first.length];
      Arrays.setAll(newFirst, path -> Math.max(0, path - 1));
      int[] functions = new int[leaves.length];
      for (int path = 1; path < functions.length; path++) {
        functions[path] = ids[first[path]];
      }
      return new PathFrames(executable, parents, newFirst,
          Arrays.copyOfRange(functions, Math.min(1, functions.length), functions.length), functions);
    }

    PathFrames renumbered(int[] newIds) {
      return new PathFrames(
          executable, parents, first, renumber(ids, newIds), renumber(leaves, newIds));
    }

    private static int[] renumber(int[] old, int[] newIds) {
      int[] renumbered = new int[old.length];
      Arrays.setAll(renumbered, i -> newIds[old[i]]);
      return renumbered;
    }
  }

  private Procedures(List<ProcedureInfo> infos, List<Key> keys, PathFrames[] processes) {
    this.infos = infos.toArray(ProcedureInfo[]::new);
    this.keys = keys.toArray(Key[]::new);
    this.processes = processes;
    own = new AtomicReferenceArray<>(processes.length);
  }

  /** The procedures of a trace; the first call for it reads its symbols. */
  public static Procedures of(Trace trace) {
    synchronized (KNOWN) {
      return KNOWN.computeIfAbsent(trace, unknown -> new Builder(unknown).build());
    }
  }

  /**
   * The procedures of several traces together: processes are numbered through in the order of the
   * traces, and the same function of the same module has one id.
   *
   * @param newIds gets for each of the parts the new ids of its procedures
   */
  static Procedures join(List<Procedures> parts, List<int[]> newIds) {
    Numbering numbering = new Numbering();
    List<PathFrames> processes = new ArrayList<>();
    for (Procedures part : parts) {
      int[] ids = new int[part.infos.length];
      Arrays.setAll(ids, id -> numbering.id(part.keys[id], part.infos[id]));
      newIds.add(ids);
      for (PathFrames process : part.processes) {
        processes.add(process.renumbered(ids));
      }
    }
    return new Procedures(numbering.infos, numbering.keys, processes.toArray(PathFrames[]::new));
  }

  /** Procedures are numbered from 0 up to this. */
  public int count() {
    return infos.length;
  }

  /** What is known of a procedure. */
  public ProcedureInfo get(int id) {
    return infos[id];
  }

  /**
   * The same procedures and processes, with what was inlined folded into the functions that hold it:
   * each address belongs to one function, as in a profile by symbols.
   */
  public synchronized Procedures folded() {
    if (folded == null) {
      folded = new Procedures(List.of(infos), List.of(keys),
          Arrays.stream(processes).map(PathFrames::folded).toArray(PathFrames[]::new));
      folded.folded = folded;
    }
    return folded;
  }

  /**
   * The procedure to which the time of a call path belongs: the innermost one at its address,
   * inlined or not.
   *
   * @param path the operand of an event, whatever it is
   * @return {@link #NOT_SAMPLED} for the empty path, {@link #UNDEFINED} for one without definition
   */
  public int leaf(int processIndex, int path) {
    int[] leaves = processes[processIndex].leaves;
    return path >= 0 && path < leaves.length ? leaves[path] : UNDEFINED;
  }

  /**
   * The function that holds the address of a call path, which is its leaf if nothing was inlined
   * there: the one of which visits tell.
   *
   * @return as for {@link #leaf}
   */
  public int function(int processIndex, int path) {
    PathFrames process = processes[processIndex];
    return path > 0 && path < process.leaves.length
        ? process.ids[process.first[path]] : leaf(processIndex, path);
  }

  /**
   * The innermost procedure on a call path that is the program's own ({@link OwnCode}): it tells a
   * person more than a leaf in a library or an intercepted routine. The first call for a process is
   * linear in its call paths.
   *
   * @return {@link #NONE} when there is none
   */
  public int own(int processIndex, int path) {
    int[] ofPaths = own.get(processIndex);
    if (ofPaths == null) {
      ofPaths = ownOf(processes[processIndex]);
      own.set(processIndex, ofPaths);
    }
    return path >= 0 && path < ofPaths.length ? ofPaths[path] : NONE;
  }

  private int[] ownOf(PathFrames process) {
    OwnCode code = new OwnCode(process.executable);
    int[] ofPaths = new int[process.leaves.length];
    Arrays.fill(ofPaths, NONE);
    for (int path = 1; path < ofPaths.length; path++) {
      int found = NONE;
      for (int i = process.first[path + 1] - 1; i >= process.first[path] && found == NONE; i--) {
        found = code.has(infos[process.ids[i]]) ? process.ids[i] : NONE;
      }
      ofPaths[path] = found == NONE ? ofPaths[process.parents[path]] : found;
    }
    return ofPaths;
  }

  /**
   * The procedures of a call path from the outermost to the innermost, inlined ones included.
   *
   * @return a new array, empty for the empty path
   */
  public int[] frames(int processIndex, int path) {
    PathFrames process = processes[processIndex];
    if (path < 0 || path >= process.leaves.length) {
      return new int[] {UNDEFINED};
    }
    int depth = 0;
    for (int at = path; at != 0; at = process.parents[at]) {
      depth += process.first[at + 1] - process.first[at];
    }
    int[] frames = new int[depth];
    int end = depth;
    for (int at = path; at != 0; at = process.parents[at]) {
      int count = process.first[at + 1] - process.first[at];
      end -= count;
      System.arraycopy(process.ids, process.first[at], frames, end, count);
    }
    return frames;
  }

  /**
   * The procedures that the leaf of a call path adds to those of its parent: one, or several where
   * functions were inlined, outermost first.
   *
   * @return a new array, empty for the empty path
   */
  public int[] ownFrames(int processIndex, int path) {
    PathFrames process = processes[processIndex];
    if (path < 0 || path >= process.leaves.length) {
      return new int[] {UNDEFINED};
    }
    return Arrays.copyOfRange(process.ids, process.first[path], process.first[path + 1]);
  }

  /** Whether the id is one of time without a processor. */
  public static boolean isOffCpu(int id) {
    return id >= OFF_CPU && id <= BLOCKED;
  }

  /** Adds the ids of all procedures on the call paths of a process; time without a processor is none. */
  public void collect(int processIndex, Collection<Integer> ids) {
    boolean[] seen = new boolean[infos.length];
    Arrays.fill(seen, OFF_CPU, BLOCKED + 1, true);
    for (int id : processes[processIndex].ids) {
      if (!seen[id]) {
        seen[id] = true;
        ids.add(id);
      }
    }
  }

  /** Gives procedures their numbers. */
  private static final class Numbering {
    private final List<ProcedureInfo> infos = new ArrayList<>();
    private final List<Key> keys = new ArrayList<>();
    private final Map<Key, Integer> ids = new HashMap<>();

    Numbering() {
      unresolved("(not sampled)", "no sample was taken in this time");
      unresolved("(unknown call path)", "the definition of the call path is missing in the trace");
      unresolved("(off CPU)", "the thread had no processor, outside of intercepted routines");
      unresolved("(preempted)", "the thread could run, but other threads used the processors");
      unresolved("(blocked)", "the thread waited in the kernel for something else than a processor, outside of "
          + "intercepted routines");
    }

    private void unresolved(String name, String reason) {
      id(new Key("", name, "", 0, ProcedureKind.UNRESOLVED),
          new ProcedureInfo(name, "", 0, "", ProcedureKind.UNRESOLVED, reason));
    }

    int id(Key key, ProcedureInfo info) {
      Integer known = ids.putIfAbsent(key, infos.size());
      if (known != null) {
        return known;
      }
      infos.add(info);
      keys.add(key);
      return infos.size() - 1;
    }
  }

  private static final class Builder {
    private final Trace trace;
    private final Symbols symbols;
    private final Numbering numbering = new Numbering();
    /** By identity: the symbols share one list among all look-ups of an address. */
    private final Map<List<Symbols.Frame>, int[]> known = new IdentityHashMap<>();

    Builder(Trace trace) {
      this.trace = trace;
      this.symbols = trace.symbols();
    }

    Procedures build() {
      PathFrames[] processes = new PathFrames[trace.processes().size()];
      for (int i = 0; i < processes.length; i++) {
        processes[i] = paths(trace.processes().get(i));
      }
      return new Procedures(numbering.infos, numbering.keys, processes);
    }

    private PathFrames paths(ProcessTrace process) {
      CallPaths paths = process.callPaths();
      int count = paths.count();
      int[] first = new int[count + 1];
      int[] leaves = new int[count];
      int[] frames = new int[count + count / 4 + 4];
      int end = 0;
      for (int path = 1; path < count; path++) {
        first[path] = end;
        int[] own = ownFrames(process, path);
        if (end + own.length > frames.length) {
          frames = Arrays.copyOf(frames, Math.max(frames.length * 2, end + own.length));
        }
        System.arraycopy(own, 0, frames, end, own.length);
        end += own.length;
        leaves[path] = own[own.length - 1];
      }
      first[count] = end;
      return new PathFrames(
          process.executable(), paths.parents(), first, Arrays.copyOf(frames, end), leaves);
    }

    private int[] ownFrames(ProcessTrace process, int path) {
      byte kind = process.callPaths().kind(path);
      if (process.callPaths().isOffCpu(path)) {
        return new int[] {OFF_CPU + kind - CallPaths.OFF_CPU};
      }
      if (kind == CallPaths.REGION) {
        long region = process.callPaths().value(path);
        return new int[] {region(process.region((int) region))};
      }
      Symbols.Location location = symbols.find(process, path);
      if (location == null) {
        return new int[] {UNDEFINED};
      }
      if (!location.isResolved()) {
        return new int[] {unresolved(location)};
      }
      int[] frames = known.computeIfAbsent(location.frames(), unknown -> resolved(location));
      // What is inlined at the entry of an instrumented function is not what was measured.
      return kind == CallPaths.FUNCTION ? new int[] {frames[0]} : frames;
    }

    private int region(Region region) {
      if (region == null) {
        return UNDEFINED;
      }
      ProcedureKind kind = switch (region.group()) {
        case USER, PHASE -> ProcedureKind.USER;
        case MPI -> ProcedureKind.MPI;
        case PTHREAD -> ProcedureKind.PTHREAD;
        case AGENT -> ProcedureKind.AGENT;
        case OPENMP -> ProcedureKind.OPENMP;
        case PROCESS -> ProcedureKind.PROCESS;
        case STREAM -> ProcedureKind.STREAM;
        case FILE -> ProcedureKind.FILE;
        case PVM -> ProcedureKind.PVM;
      };
      return numbering.id(new Key("", region.name(), "", 0, kind),
          new ProcedureInfo(region.name(), "", 0, "", kind, ""));
    }

    private int[] resolved(Symbols.Location location) {
      List<Symbols.Frame> frames = location.frames();
      String module = path(location.module());
      int[] result = new int[frames.size()];
      for (int i = 0; i < result.length; i++) {
        Symbols.Frame frame = frames.get(result.length - 1 - i);
        int line = frame.declaredLine() > 0 ? frame.declaredLine() : frame.line();
        result[i] = numbering.id(new Key(module, frame.function(), frame.file(), frame.declaredLine(),
            ProcedureKind.USER), new ProcedureInfo(frame.function(), frame.file(), line, module,
                ProcedureKind.USER, ""));
      }
      return result;
    }

    private int unresolved(Symbols.Location location) {
      String module = path(location.module());
      return numbering.id(new Key(module, location.label(), "", 0, ProcedureKind.UNRESOLVED),
          new ProcedureInfo(location.label(), "", 0, module, ProcedureKind.UNRESOLVED,
              location.reason()));
    }

    private static String path(Module module) {
      return module == null ? "" : module.path();
    }
  }
}
