package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.Traffic;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * What goes from whom to whom: the rows of a communication matrix that are not empty.
 *
 * <p>Rows are named as arcs of critical paths are, {@code Msg: host:process->host:process}, {@code
 * Stream: ...} for pipes and connections. Columns: {@code from} and {@code to}; {@code messages};
 * {@code bytes}, which add up to the total; {@code meanBytes}; {@code meanTime} and {@code
 * shortest}, from the begin of a send to the end of its receive; {@code receiverWait} and {@code
 * senderWait}, how long one waited for the other. Means are empty where a phase has waits but no
 * message. Collective operations are between all, and are
 * not in it.
 */
public final class TrafficReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("from", "from", Unit.TEXT),
      new Column("to", "to", Unit.TEXT),
      new Column("messages", "messages", Unit.COUNT),
      new Column("bytes", "bytes", Unit.BYTES),
      Column.mean("meanBytes", "mean bytes", Unit.NUMBER),
      Column.mean("meanTime", "mean time", Unit.NANOSECONDS),
      Column.mean("shortest", "shortest", Unit.NANOSECONDS),
      new Column("receiverWait", "receiver waits", Unit.NANOSECONDS),
      new Column("senderWait", "sender waits", Unit.NANOSECONDS));
  private static final int BYTES = 3;

  private TrafficReport() {}

  private static final class Sum {
    final String name;
    final String from;
    final String to;
    long messages;
    long timedMessages;
    long bytes;
    long timeNs;
    long shortestNs = Long.MAX_VALUE;
    long receiverWaitNs;
    long senderWaitNs;

    Sum(String name, String from, String to) {
      this.name = name;
      this.from = from;
      this.to = to;
    }

    void add(Traffic.Flow flow) {
      messages += flow.messages();
      timedMessages += flow.timedMessages();
      bytes += flow.bytes();
      timeNs += flow.timeNs();
      shortestNs = Math.min(shortestNs, flow.shortestNs());
      receiverWaitNs += flow.receiverWaitNs();
      senderWaitNs += flow.senderWaitNs();
    }

    Row row() {
      return Row.of(name, null, from, to, messages, bytes,
          messages == 0 ? "" : (Object) ((double) bytes / messages),
          timedMessages == 0 ? "" : (Object) (timeNs / timedMessages),
          timedMessages == 0 ? "" : (Object) shortestNs, receiverWaitNs, senderWaitNs);
    }
  }

  /**
   * Makes a table of what is sent.
   *
   * @param level between whom: application, machine, process or thread
   * @param node whose threads send or receive; null for all
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    Traffic traffic = analysis.traffic(progress);
    Scope scope = new Scope(analysis, node);
    Map<String, Sum> sums = new LinkedHashMap<>();
    for (Traffic.Flow flow : traffic.flows()) {
      ProgramThread from = analysis.thread(traffic.threads().get(flow.from()));
      ProgramThread to = analysis.thread(traffic.threads().get(flow.to()));
      if (scope.has(from) || scope.has(to)) {
        String sender = Names.where(from, level);
        String receiver = Names.where(to, level);
        sums.computeIfAbsent(flow.kind().label() + ": " + sender + "->" + receiver,
            name -> new Sum(name, sender, receiver)).add(flow);
      }
    }
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.bytes)
            .thenComparing(sum -> -sum.messages).thenComparing(sum -> sum.name, NaturalOrder.INSTANCE))
        .forEach(sum -> rows.add(sum.row()));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("comm", "Communication (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "name", Unit.BYTES, sums.values().stream().mapToLong(sum -> sum.bytes).sum(),
        BYTES, COLUMNS, rows, traffic.warnings());
  }
}
