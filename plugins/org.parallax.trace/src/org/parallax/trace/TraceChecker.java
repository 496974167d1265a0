package org.parallax.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.trace.Finding.Severity;

/**
 * Validates a trace against everything that FORMAT.md demands: checksums, order of time, payload,
 * operands and their definitions, balance of Enter and Leave, and over all processes the matching
 * of messages and collectives. Cost: one pass over all events.
 */
public final class TraceChecker {
  /**
   * What was found and how much was looked at.
   *
   * @param findings the worst first
   * @param absences of processes and threads; each is a finding, too
   * @param definitions records of all definitions files
   */
  public record Result(Path trace, List<Finding> findings, List<Absence> absences, int processes,
      int threads, long definitions, long blocks, long events) {

    /** The result with these findings. */
    public Result with(List<Finding> others) {
      return new Result(trace, List.copyOf(others), absences, processes, threads, definitions, blocks,
          events);
    }

    /** The number of findings of this severity. */
    public long count(Severity severity) {
      return findings.stream().filter(finding -> finding.severity() == severity).count();
    }

    /** Whether there is no {@link Severity#ERROR}. */
    public boolean isSound() {
      return count(Severity.ERROR) == 0;
    }
  }

  private final TraceDirectory directory;
  private final Progress progress;
  private final FindingList findings = new FindingList();
  private final AbsenceFinder absences;
  private final List<CheckedProcess> processes = new ArrayList<>();
  private int threadCount;
  private long definitionCount;
  private long blockCount;
  private long eventCount;

  private TraceChecker(TraceDirectory directory, Progress progress) {
    this.directory = directory;
    this.progress = progress;
    this.absences = new AbsenceFinder(directory);
  }

  /**
   * Checks a trace.
   *
   * @throws TraceException when the directory is not a trace, or cannot be read at all
   */
  public static Result check(Path directory) throws TraceException {
    return check(directory, Progress.NONE);
  }

  /**
   * Checks a trace.
   *
   * @param progress told of each block; may cancel
   * @throws TraceException when the directory is not a trace, or cannot be read at all
   * @throws java.util.concurrent.CancellationException when {@code progress} cancels
   */
  public static Result check(Path directory, Progress progress) throws TraceException {
    return new TraceChecker(TraceDirectory.find(directory, progress), progress).check();
  }

  private Result check() throws TraceException {
    checkDirectory();
    Map<CheckedProcess, List<EventFile>> files = new TreeMap<>();
    long blocks = 0;
    for (Map.Entry<String, Path> entry : directory.definitions.entrySet()) {
      try {
        CheckedProcess process = CheckedProcess.read(processes.size(), entry.getValue(),
            findings);
        process.reportBeginning(directory.events.containsKey(entry.getKey()));
        processes.add(process);
        Map<Integer, EventFile> opened = EventFile.openAll(process.definitions(),
            directory.events.getOrDefault(entry.getKey(), Map.of()),
            EventFile.DEFAULT_SEGMENT_SHIFT, findings);
        absences.add(process.definitions(), opened);
        List<EventFile> threads = List.copyOf(opened.values());
        blocks += threads.stream().mapToLong(EventFile::blockCount).sum();
        files.put(process, threads);
      } catch (IOException e) {
        throw new TraceException("a file of process " + entry.getKey() + " cannot be read: " + e,
            "Check the permissions of the files", e);
      }
    }
    checkEnds();
    List<Absence> missing = absences.find();
    report(missing);
    progress.begin("Checking " + directory.shown, blocks);
    MessageCheck messages = new MessageCheck();
    CollectiveCheck collectives = new CollectiveCheck();
    files.forEach((process, threads) -> checkProcess(process, threads, messages, collectives));
    messages.report(findings);
    collectives.report(findings);
    return new Result(directory.shown, findings.sorted(), missing, processes.size(), threadCount,
        definitionCount, blockCount, eventCount);
  }

  private void checkEnds() {
    List<String> warnings = new ArrayList<>();
    ProcessEnds ends = ProcessEnds.of(processes.stream().map(CheckedProcess::definitions).toList(),
        directory.outcomes, directory.manifest.hasEnded(), warnings);
    warnings.forEach(warning -> findings.add(Severity.WARNING, null, "directory", warning,
        "The rest of the trace is read", ""));
    processes.forEach(process -> process.reportEnd(ends.of(process.definitions())));
    ends.unrecorded().forEach(program -> findings.add(Severity.INFO, null, "unrecorded", "the program "
        + program.path() + " was executed but is not in the trace: it is "
        + program.reason().text(),
        "The agent cannot be loaded into it. Programs that it executes can also be missing", ""));
  }

  private void report(List<Absence> missing) {
    for (Absence absence : missing) {
      findings.add(absence.isCertain() ? Severity.ERROR : Severity.WARNING, null, "absence",
          absence.text(), Absence.MEANING, absence.nextStep());
    }
  }

  private void checkDirectory() {
    for (String warning : directory.warnings) {
      findings.add(Severity.WARNING, null, "directory", warning, "The rest of the trace is read",
          "");
    }
    if (directory.manifest.version() > 0 && !directory.manifest.hasEnded()) {
      findings.add(Severity.INFO, directory.path.resolve(Manifest.FILE_NAME), "manifest",
          "the run has no end", "The program is still running, or its recorder was killed", "");
    }
    if (directory.manifest.processes() > 0 && !Files.exists(directory.path.resolve(Symbols.FILE_NAME))) {
      findings.add(Severity.WARNING, null, "symbols", "there is no file " + Symbols.FILE_NAME,
          "Procedures have no names", "Copy the whole trace again, or run on the machine that recorded "
          + "it: parallax-symbols " + directory.path);
    }
    String cut = Symbols.problemOf(directory.path);
    if (!cut.isEmpty()) {
      findings.add(Severity.WARNING, directory.path.resolve(Symbols.FILE_NAME), "symbols", cut,
          "Some or all procedures have no names", "Copy the whole trace again, or run on the "
          + "machine that recorded it: parallax-symbols " + directory.path);
    }
  }

  private void checkProcess(CheckedProcess process, List<EventFile> threads,
      MessageCheck messages, CollectiveCheck collectives) {
    definitionCount += process.recordCount();
    ProcessEvents events = new ProcessEvents(process);
    for (EventFile file : threads) {
      ThreadCheck check = new ThreadCheck(process, file, findings, messages, collectives,
          events);
      check.run(progress);
      threadCount++;
      blockCount += file.blockCount();
      eventCount += check.eventCount();
    }
    events.report(findings);
    long kept = threads.stream().filter(file -> file.kept() != null).count();
    if (kept > 0) {
      findings.add(Severity.INFO, process.file(), "kept", "of " + kept + (kept == 1 ? " thread" : " threads")
          + " only the last events are there", "The space of earlier ones was given back (--keep-last)", "");
    }
  }
}
