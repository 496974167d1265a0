package org.parallax.studies;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints the table that its first argument names. Exit status 0 done, 1 a wrong answer or input, 2 wrong use. */
public final class Main {
  /** Reads files and prints what they say. */
  interface Table {
    /**
     * @param arguments as many as the table takes
     * @throws Failure if an answer is wrong or an input lacks something
     */
    void print(List<String> arguments, PrintStream out) throws IOException;
  }

  private record Entry(int arguments, Table table) {
  }

  private static final Map<String, Entry> TABLES = tables();

  private Main() {
  }

  private static Map<String, Entry> tables() {
    Map<String, Entry> tables = new TreeMap<>();
    tables.put("hybrid-path", new Entry(2, (a, out) -> HybridStudy.printPath(Path.of(a.get(0)), a.get(1), out)));
    tables.put("hybrid-table", new Entry(1, (a, out) -> HybridStudy.printTable(Path.of(a.get(0)), out)));
    tables.put("clock", new Entry(1, (a, out) -> ClockStudy.print(Path.of(a.get(0)), out)));
    tables.put("psim", new Entry(1, (a, out) -> PsimStudy.print(Path.of(a.get(0)), out)));
    tables.put("storage-process", new Entry(1, (a, out) -> StorageStudy.printProcess(Path.of(a.get(0)), out)));
    tables.put("storage", new Entry(1, (a, out) -> StorageStudy.print(Path.of(a.get(0)), out)));
    tables.put("server", new Entry(2, (a, out) -> ServerStudy.print(Path.of(a.get(0)), a.get(1), out)));
    tables.put("quicksort", new Entry(2, (a, out) -> QuicksortStudy.print(Path.of(a.get(0)), a.get(1), out)));
    tables.put("ring", new Entry(1, (a, out) -> RingStudy.print(Path.of(a.get(0)), out)));
    tables.put("round-time", new Entry(2,
        (a, out) -> CausalBench.printRoundNs(Path.of(a.get(0)), Integer.parseInt(a.get(1)), out)));
    tables.put("experiments", new Entry(5, (a, out) -> CausalBench.print(Path.of(a.get(0)), Path.of(a.get(1)),
        Integer.parseInt(a.get(2)), Integer.parseInt(a.get(3)), a.get(4).equals("--short"), out)));
    tables.put("report-times", new Entry(1, (a, out) -> ReportTimes.print(Path.of(a.get(0)), out)));
    return tables;
  }

  /** Runs one command with its output to these streams, and returns the exit status. */
  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    Entry entry = arguments.isEmpty() ? null : TABLES.get(arguments.get(0));
    if (entry == null || arguments.size() != entry.arguments + 1) {
      err.println("parallax: there is no table \"" + String.join(" ", arguments) + "\"; the tables are: "
          + String.join(" ", TABLES.keySet()));
      return 2;
    }
    try {
      entry.table.print(arguments.subList(1, arguments.size()), out);
      return 0;
    } catch (Failure e) {
      out.flush();
      err.println("parallax: " + e.getMessage());
    } catch (IOException e) {
      out.flush();
      err.println("parallax: " + e);
    }
    return 1;
  }

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    int status = run(List.of(arguments), out, System.err);
    out.flush();
    System.exit(status);
  }
}
