package org.parallax.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts a trace together from its files. */
final class TraceOpener {
  /** A process on the way: its definitions, event files by thread, and clock. */
  private static final class Part {
    private final Definitions definitions;
    private Map<Integer, EventFile> files = Map.of();
    private MachineClock clock;

    Part(Definitions definitions) {
      this.definitions = definitions;
    }

    long startNs() {
      return clock.timeNs(definitions.process.startTicks());
    }
  }

  private final TraceDirectory directory;
  private final int segmentShift;
  private final Progress progress;
  private final DamageLog damage = new DamageLog();
  private final List<String> warnings;
  private final AbsenceFinder absences;
  private long epochNs;
  private ProcessEnds ends;

  TraceOpener(TraceDirectory directory, int segmentShift, Progress progress) {
    this.directory = directory;
    this.segmentShift = segmentShift;
    this.progress = progress;
    this.warnings = directory.warnings;
    this.absences = new AbsenceFinder(directory);
  }

  Trace open() throws TraceException {
    progress.begin("Opening " + directory.shown, directory.definitions.size());
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, Path> entry : directory.definitions.entrySet()) {
      progress.check();
      Part part = readPart(entry.getKey(), entry.getValue());
      if (part != null) {
        parts.add(part);
      }
      progress.worked(1);
    }
    if (parts.isEmpty()) {
      throw new TraceException("no process of the trace " + directory.path + " can be read: "
          + (damage.entries().isEmpty() ? "each was killed before it wrote its first record"
              : String.join("; ", damage.entries())), "Copy the trace again, or record again");
    }
    if (directory.manifest.cpuTickNs() > 0) {
      warnings.add("CPU times are rounded down to multiples of " + directory.manifest.cpuTickNs()
          + " ns (cpu-tick-ns in the manifest)");
    }
    List<MachineClock> clocks = assignClocks(parts);
    List<ProcessTrace> processes = ClockFile.apply(directory.path, clocks, processes(parts), warnings);
    return new Trace(directory.shown, directory.path, directory.manifest, processes, ends.unrecorded(), clocks,
        epochNs, directory.series, warnings, absences, damage);
  }

  private Part readPart(String stem, Path file) throws TraceException {
    try {
      Definitions definitions = Definitions.read(file, damage);
      if (definitions.isUnbegun() && !directory.events.containsKey(stem)) {
        return null;
      }
      if (definitions.process == null) {
        damage.damage(file, DamageSink.NONE, DamageSink.NONE, "there is no Process record",
            "this process");
        absences.add(definitions, Map.of());
        return null;
      }
      Part part = new Part(definitions);
      part.files = EventFile.openAll(definitions, directory.events.getOrDefault(stem, Map.of()),
          segmentShift, damage);
      absences.add(definitions, part.files);
      return part;
    } catch (IOException e) {
      throw new TraceException("a file of process " + stem + " in the trace " + directory.path
          + " cannot be read: " + describe(e),
          "Check the permissions of the files. With very many threads, also raise vm.max_map_count", e);
    }
  }

  private static String describe(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName()
        : e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  /** One clock for each machine; afterwards the earliest process starts at 0. */
  private List<MachineClock> assignClocks(List<Part> parts) {
    Map<String, ClockBuilder> builders = new TreeMap<>();
    for (Part part : parts) {
      builders.computeIfAbsent(clockKey(part),
          key -> new ClockBuilder(part.definitions.process.host(), source(part), warnings))
          .add(part.definitions, List.copyOf(part.files.values()));
    }
    Map<String, MachineClock> clocks = new TreeMap<>();
    builders.forEach((key, builder) -> clocks.put(key, builder.build()));
    clocks.putAll(MeasuredOffsets.align(clocks, parts.stream().map(part -> part.definitions).toList()));
    parts.forEach(part -> part.clock = clocks.get(clockKey(part)));
    epochNs = parts.stream().mapToLong(Part::startNs).min().orElse(0);
    clocks.replaceAll((key, clock) -> clock.movedBy(-epochNs));
    parts.forEach(part -> part.clock = clocks.get(clockKey(part)));
    return List.copyOf(clocks.values());
  }

  private static String clockKey(Part part) {
    return part.definitions.process.host() + '\0' + source(part);
  }

  private static MachineClock.Source source(Part part) {
    return part.definitions.process.clock() == 1 ? MachineClock.Source.TSC
        : MachineClock.Source.MONOTONIC;
  }

  private List<ProcessTrace> processes(List<Part> parts) {
    Map<Long, Long> jobStartNs = new HashMap<>();
    for (Part part : parts) {
      if (part.definitions.mpi != null) {
        jobStartNs.merge(part.definitions.mpi.job(), part.startNs(), Math::min);
      }
    }
    Comparator<Part> mpiFirst = Comparator.comparing(part -> part.definitions.mpi == null);
    parts.sort(mpiFirst
        .thenComparingLong(part -> part.definitions.mpi == null ? 0
            : jobStartNs.get(part.definitions.mpi.job()))
        .thenComparingLong(part -> part.definitions.mpi == null ? 0 : part.definitions.mpi.job())
        .thenComparingInt(part -> part.definitions.mpi == null ? 0
            : part.definitions.mpi.worldRank())
        .thenComparingLong(Part::startNs)
        .thenComparing(part -> part.definitions.file));
    ends = ProcessEnds.of(parts.stream().map(part -> part.definitions).toList(),
        directory.outcomes, directory.manifest.hasEnded(), warnings);
    List<ProcessTrace> processes = new ArrayList<>();
    for (Part part : parts) {
      ProcessTrace process = new ProcessTrace(processes.size(), part.definitions, part.clock,
          ends.of(part.definitions));
      process.setModules(modules(part));
      process.setThreads(threads(process, part));
      processes.add(process);
    }
    return processes;
  }

  private List<ThreadTrace> threads(ProcessTrace process, Part part) {
    Map<Integer, Definitions.ThreadRecord> records = new TreeMap<>();
    for (Integer id : part.files.keySet()) {
      records.put(id, new Definitions.ThreadRecord(id, 0, -1, 0,
          part.definitions.process.startTicks(), ""));
    }
    part.definitions.threads.forEach(record -> records.put(record.id(), record));
    List<ThreadTrace> threads = new ArrayList<>();
    for (Definitions.ThreadRecord record : records.values()) {
      String named = part.definitions.threadNames.getOrDefault(record.id(), record.name());
      String name = !named.isEmpty() ? named : record.id() == 0 ? "main" : "thread " + record.id();
      threads.add(new ThreadTrace(process, record.id(), record.kernelTid(), record.creator(),
          record.flags(), name, record.ticks(), part.files.get(record.id()), part.clock, null,
          directory.manifest.cpuTickNs()));
    }
    return threads;
  }

  private static List<Module> modules(Part part) {
    Map<Integer, Long> unloadNs = new HashMap<>();
    for (Definitions.Unload unload : part.definitions.unloads) {
      unloadNs.put(unload.module(), part.clock.timeNs(unload.ticks()));
    }
    List<Module> modules = new ArrayList<>();
    for (Definitions.ModuleRecord record : part.definitions.modules) {
      modules.add(new Module(record.id(), part.clock.timeNs(record.ticks()),
          unloadNs.getOrDefault(record.id(), Long.MAX_VALUE), record.loadBias(), record.first(),
          record.end(), record.buildId(), record.path()));
    }
    modules.sort(Comparator.comparingLong(Module::loadNs).thenComparingInt(Module::id));
    return modules;
  }
}
