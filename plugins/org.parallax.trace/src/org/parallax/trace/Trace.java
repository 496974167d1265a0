package org.parallax.trace;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.trace.series.ExternalSeries;

/**
 * A trace: what was recorded of one run. Opening reads definitions and maps event files; events are
 * read where they lie, by {@link EventCursor}s.
 *
 * <p>A trace of a running program can be opened: what is there at that moment is what is shown.
 * Damage costs the block or the definition that it hits, which {@link #warnings} tells.
 */
public final class Trace implements AutoCloseable {
  private final Path directory;
  /** Where its files are: another directory than that of a trace of another format. */
  private final Path files;
  private final Manifest manifest;
  private final List<ProcessTrace> processes;
  private final List<UnrecordedProgram> unrecorded;
  private final List<MachineClock> clocks;
  private final long epochNs;
  private final Map<String, Path> seriesFiles;
  private final List<String> openWarnings;
  private final AbsenceFinder absenceFinder;
  private final DamageLog damage;
  private volatile List<Absence> absences;
  private volatile Symbols symbols;
  private volatile TraceSeries series;
  private volatile ProfileValues profileValues;
  /** Null for a trace that was not converted. */
  private final ImportReport imported;

  Trace(Path directory, Path files, Manifest manifest, List<ProcessTrace> processes,
      List<UnrecordedProgram> unrecorded, List<MachineClock> clocks, long epochNs, Map<String, Path> seriesFiles,
      List<String> openWarnings, AbsenceFinder absenceFinder, DamageLog damage) {
    this.directory = directory;
    this.files = files;
    this.manifest = manifest;
    this.processes = List.copyOf(processes);
    this.unrecorded = List.copyOf(unrecorded);
    this.clocks = List.copyOf(clocks);
    this.epochNs = epochNs;
    this.seriesFiles = Collections.unmodifiableMap(new TreeMap<>(seriesFiles));
    this.openWarnings = List.copyOf(openWarnings);
    this.absenceFinder = absenceFinder;
    this.damage = damage;
    imported = ImportReport.read(files);
    this.processes.forEach(process -> process.setSymbols(this::symbols));
  }

  /**
   * Opens the trace in a directory.
   *
   * @param directory the trace's directory, or the manifest in it, or a trace of another format
   * @throws TraceException when there is no trace that can be read, and why
   */
  public static Trace open(Path directory) throws TraceException {
    return open(directory, Progress.NONE);
  }

  /**
   * Opens the trace in a directory.
   *
   * @param progress told of each process; may cancel
   * @throws TraceException when there is no trace that can be read, and why
   * @throws java.util.concurrent.CancellationException when {@code progress} cancels
   */
  public static Trace open(Path directory, Progress progress) throws TraceException {
    return new TraceOpener(TraceDirectory.find(directory, progress), EventFile.DEFAULT_SEGMENT_SHIFT,
        progress).open();
  }

  /** Whether a path is a trace: with the manifest of one, of whatever version, or of another format. */
  public static boolean isTrace(Path path) {
    return TraceDirectory.isTrace(path) || TraceFormats.of(path) != null;
  }

  /** Whether a path is a trace, or what is left of one. */
  public static boolean mayBeTrace(Path path) {
    return TraceDirectory.hasFiles(path) || TraceFormats.of(path) != null;
  }

  /** The trace's directory; of a trace of another format its path. */
  public Path directory() {
    return directory;
  }

  /** The directory with the files in the format of Parallax: another one for a trace of another format. */
  public Path files() {
    return files;
  }

  /** The properties of the run. */
  public Manifest manifest() {
    return manifest;
  }

  /** What became of the records of a trace of another format; null for a trace of Parallax. */
  public ImportReport imported() {
    return imported;
  }

  /**
   * Whether this is a profile of another tool: it has the sums of each call path of each thread, and no events. Its threads
   * have calls of these durations one after the other, whose order and times mean nothing.
   */
  public boolean isProfile() {
    return manifest.isProfile();
  }

  /** The metrics of a profile beside times and visits; read when first asked for. */
  public ProfileValues profileValues() {
    ProfileValues read = profileValues;
    if (read == null) {
      read = ProfileValues.read(files);
      profileValues = read;
    }
    return read;
  }

  /**
   * The processes: first those of MPI, by job in the order of their start and by world rank within
   * a job, then the others in the order of their start.
   */
  public List<ProcessTrace> processes() {
    return processes;
  }

  /** The programs that were executed and could not have the agent, each once. */
  public List<UnrecordedProgram> unrecorded() {
    return unrecorded;
  }

  /** The clocks of the machines, one for each, in the order of their host names. */
  public List<MachineClock> clocks() {
    return clocks;
  }

  /** The trace's time 0, the start of its first process, in nanoseconds of CLOCK_REALTIME. */
  public long epochNs() {
    return epochNs;
  }

  /** The time of the last end of a process. The first call can read a block of each thread. */
  public long durationNs() {
    long end = 0;
    for (ProcessTrace process : processes) {
      end = Math.max(end, process.endNs());
    }
    return end;
  }

  /**
   * From when on the events of all threads are there: those before were not kept ({@code record --keep-last}).
   *
   * @return 0 if the whole run is kept
   */
  public long keptFromNs() {
    return processes.stream().mapToLong(ProcessTrace::keptFromNs).reduce(0, Math::max);
  }

  /** Processes whose recording was paused for some time; not those of which only the last events were kept. */
  public List<ProcessTrace> pausedProcesses() {
    boolean isToldBySetting = !manifest.keepLast().isEmpty();
    return processes.stream()
        .filter(process -> isToldBySetting ? process.settings().containsKey("paused") : process.wasPaused()).toList();
  }

  /** The functions, files and lines of addresses; read when first asked for. */
  public Symbols symbols() {
    Symbols read = symbols;
    if (read == null) {
      read = Symbols.read(files);
      symbols = read;
    }
    return read;
  }

  /**
   * What monitors said of what is outside of the programs, by name; read when first asked for. Those
   * with a wrong line are left out, and {@link #warnings} tells of them.
   */
  public List<ExternalSeries> externalSeries() {
    return series().series();
  }

  TraceSeries series() {
    TraceSeries read = series;
    if (read == null) {
      read = TraceSeries.read(this, seriesFiles);
      series = read;
    }
    return read;
  }

  /**
   * The processes and threads that existed and whose events are missing, wholly or in part. The first
   * call reads a few slots of each thread.
   */
  public List<Absence> absences() {
    List<Absence> found = absences;
    if (found == null) {
      found = List.copyOf(absenceFinder.find());
      absences = found;
    }
    return found;
  }

  /**
   * What a person must know before trusting results: processes that were killed, losses, notes of
   * the agent, missing ranks, clocks, and the damage that was found up to now. The first call reads
   * the header of every block.
   */
  public List<String> warnings() {
    return TraceWarnings.collect(this, openWarnings, damage);
  }

  /** Whether events are lost, or damage was found up to now, which is left out of all that is read. */
  public boolean isDamaged() {
    return !damage.entries().isEmpty() || absences().stream().anyMatch(Absence::isCertain);
  }

  /** Forgets the trace. Mapped memory is freed when no cursor is left. */
  @Override
  public void close() {
    symbols = null;
    series = null;
    profileValues = null;
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
