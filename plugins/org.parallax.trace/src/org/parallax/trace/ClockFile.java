package org.parallax.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The file {@code clocks} of a trace: how the times of its threads' events are corrected. Whoever opens the
 * trace gets the corrected times.
 *
 * <pre>
 * parallax-clocks TAB 1
 * clock TAB HOST TAB REFERENCE TAB MULTIPLIER TAB SHIFT TAB OFFSET      each machine's clock
 * thread TAB HOST.PID.SEQ TAB THREAD TAB COUNT                          followed by so many lines:
 * FROM TAB TO                                                           ns since the start of the trace</pre>
 *
 * <p>If a machine's clock is another one, the trace has changed since, and the corrections are not used.
 */
public final class ClockFile {
  static final String FILE_NAME = "clocks";
  private static final String FIRST_LINE = "parallax-clocks\t1";
  /** A damaged count must not fill the memory. */
  private static final int MOST_KNOTS = 1 << 28;

  /** The reason why a file is not used. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String reason) {
      super(reason);
    }
  }

  private ClockFile() {}

  /** @return whether times of events of the trace are corrected */
  public static boolean isUsed(Trace trace) {
    return trace.processes().stream().anyMatch(ProcessTrace::isCorrected);
  }

  /**
   * Writes the corrections that some processes have, in place of those that the trace has. It must be opened again
   * to show them.
   *
   * @param processes {@link ProcessTrace#corrected} ones of the trace
   * @return the file
   */
  public static Path write(Trace trace, List<ProcessTrace> processes) throws IOException {
    Path file = trace.files().resolve(FILE_NAME);
    Path beside = trace.files().resolve("." + FILE_NAME + ".new");
    try {
      write(trace, processes, beside, ThreadTrace::corrections);
      try {
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(beside);
    }
    return file;
  }

  /**
   * Writes all that corrects times of the trace, those of measured offsets between machines, too, for a reader that knows only
   * {@link MachineClock#numbers}.
   *
   * @param file is replaced
   * @return false if nothing corrects times; there is no file then
   */
  public static boolean writeAll(Trace trace, Path file) throws IOException {
    if (trace.processes().stream().flatMap(process -> process.threads().stream())
        .allMatch(thread -> thread.allCorrections() == null)) {
      return false;
    }
    write(trace, trace.processes(), file, ThreadTrace::allCorrections);
    return true;
  }

  private static void write(Trace trace, List<ProcessTrace> processes, Path file,
      Function<ThreadTrace, TimeMap> corrections) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.println(FIRST_LINE);
      trace.clocks().forEach(clock -> out.println(line(clock)));
      for (ProcessTrace process : processes) {
        for (ThreadTrace thread : process.threads()) {
          TimeMap map = corrections.apply(thread);
          if (map != null) {
            write(process, thread, map, out);
          }
        }
      }
      if (out.checkError()) {
        throw new IOException("writing " + file + " failed");
      }
    }
  }

  private static void write(ProcessTrace process, ThreadTrace thread, TimeMap map, PrintWriter out) {
    out.println("thread\t" + TraceDirectory.stem(process.definitions().file) + "\t" + thread.id() + "\t" + map.knots());
    for (int i = 0; i < map.knots(); i++) {
      out.println(map.fromNs(i) + "\t" + map.toNs(i));
    }
  }

  /**
   * Removes the corrections of a trace.
   *
   * @return false if it has none
   */
  public static boolean remove(Trace trace) throws IOException {
    return Files.deleteIfExists(trace.files().resolve(FILE_NAME));
  }

  static String line(MachineClock clock) {
    return "clock\t" + clock.host().replaceAll("\\s", "_") + "\t" + clock.referenceTicks() + "\t" + clock.multiplier()
        + "\t" + clock.shift() + "\t" + clock.offsetNs()
        + (clock.offsets() == null ? "" : "\t" + clock.offsets().hashCode());
  }

  /**
   * Applies the corrections in a trace's directory, if there are some.
   *
   * @param warnings to which is added why they are not used
   */
  static List<ProcessTrace> apply(Path directory, List<MachineClock> clocks, List<ProcessTrace> processes,
      List<String> warnings) {
    Path file = directory.resolve(FILE_NAME);
    Map<String, Map<Integer, TimeMap>> corrections;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      corrections = read(lines, clocks);
    } catch (NoSuchFileException e) {
      return processes;
    } catch (IOException | IllegalArgumentException | Unusable e) {
      warnings.add("the corrected times in " + file + " are not used: " + (e instanceof IOException ? e.toString()
          : e instanceof NumberFormatException ? "a line has no numbers" : e.getMessage())
          + "; times are those of the machines' clocks");
      return processes;
    }
    List<ProcessTrace> corrected = new ArrayList<>();
    for (ProcessTrace process : processes) {
      Map<Integer, TimeMap> threads = corrections.get(TraceDirectory.stem(process.definitions().file));
      corrected.add(threads == null ? process : process.corrected(threads));
    }
    return corrected;
  }

  private static Map<String, Map<Integer, TimeMap>> read(BufferedReader lines, List<MachineClock> clocks)
      throws IOException, Unusable {
    String line = lines.readLine();
    if (!FIRST_LINE.equals(line)) {
      throw new Unusable("the file has another format");
    }
    Set<String> known = clocks.stream().map(ClockFile::line).collect(Collectors.toCollection(TreeSet::new));
    Map<String, Map<Integer, TimeMap>> corrections = new HashMap<>();
    while ((line = lines.readLine()) != null) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals("clock")) {
        if (!known.remove(line)) {
          throw new Unusable("the trace has changed since they were made");
        }
      } else if (fields[0].equals("thread") && fields.length == 4) {
        corrections.computeIfAbsent(fields[1], missing -> new HashMap<>())
            .put(Integer.parseInt(fields[2]), knots(lines, Integer.parseInt(fields[3])));
      } else {
        throw new Unusable("the file is damaged");
      }
    }
    if (!known.isEmpty()) {
      throw new Unusable("the trace has changed since they were made");
    }
    return corrections;
  }

  private static TimeMap knots(BufferedReader lines, int count) throws IOException, Unusable {
    if (count < 1 || count > MOST_KNOTS) {
      throw new Unusable("the file is damaged");
    }
    long[] from = new long[Math.min(count, 1024)];
    long[] to = new long[from.length];
    for (int i = 0; i < count; i++) {
      String line = lines.readLine();
      int tab = line == null ? -1 : line.indexOf('\t');
      if (tab < 0) {
        throw new Unusable("the file is damaged");
      }
      if (i == from.length) {
        from = Arrays.copyOf(from, 2 * i);
        to = Arrays.copyOf(to, 2 * i);
      }
      from[i] = Long.parseLong(line.substring(0, tab));
      to[i] = Long.parseLong(line.substring(tab + 1));
    }
    return TimeMap.of(Arrays.copyOf(from, count), Arrays.copyOf(to, count));
  }
}
