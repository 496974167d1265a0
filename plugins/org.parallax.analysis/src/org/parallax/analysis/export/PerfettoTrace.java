package org.parallax.analysis.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.metrics.ExternalTracks;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/** Writes the packets of a trace of Perfetto. The numbers are those of its messages' fields. */
final class PerfettoTrace {
  private static final int PACKET = 1;
  private static final int TIMESTAMP = 8;
  private static final int SEQUENCE = 10;
  private static final int TRACK_EVENT = 11;
  private static final int INTERNED_DATA = 12;
  private static final int SEQUENCE_FLAGS = 13;
  private static final int TRACK_DESCRIPTOR = 60;

  private static final int UUID = 1;
  private static final int NAME = 2;
  private static final int PROCESS = 3;
  private static final int THREAD = 4;
  private static final int PARENT = 5;
  private static final int COUNTER = 8;

  private static final int TYPE = 9;
  private static final int NAME_IID = 10;
  private static final int TRACK = 11;
  private static final int EVENT_NAME = 23;
  private static final int COUNTER_VALUE = 44;
  private static final int FLOW = 47;
  private static final int FLOW_END = 48;
  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int COUNT = 4;

  /** Names are given once, when the first event has them. */
  private static final int STATE_CLEARED = 1;
  private static final int NEEDS_STATE = 2;
  private static final int EVENT_NAMES = 2;

  private final ApplicationAnalysis analysis;
  private final TreeNode node;
  private final OutputStream out;
  private final Map<Object, Long> tracks = new HashMap<>();
  private final Map<Object, Integer> pids = new HashMap<>();
  private final BitSet named = new BitSet();
  private final ProtoWriter frame = new ProtoWriter();
  private final ProtoWriter packet = new ProtoWriter();
  private final ProtoWriter message = new ProtoWriter();
  private final ProtoWriter inner = new ProtoWriter();
  private long originNs;
  private long flows;
  private boolean hasState;

  PerfettoTrace(ExportFormat.Part part, OutputStream out) {
    analysis = part.analysis();
    node = part.node();
    this.out = out;
  }

  void write(Progress progress) throws IOException {
    try {
      // Clocks of traces that were joined can begin before 0.
      originNs = Math.min(0, analysis.workload().processes().stream().flatMap(process -> process.threads().stream())
          .mapToLong(ThreadTrace::beginNs).min().orElse(0));
      CallSlices.threads(analysis, node, progress).forEach(this::describe);
      CallSlices.steps(analysis, node, new CallSlices.Steps() {
        @Override
        public void begin(ProgramThread thread, long ns, int procedure) {
          message.clear().number(TYPE, BEGIN).number(TRACK, tracks.get(thread)).number(NAME_IID, procedure + 1L);
          event(ns, procedure);
        }

        @Override
        public void end(ProgramThread thread, long ns, int procedure) {
          message.clear().number(TYPE, END).number(TRACK, tracks.get(thread));
          event(ns, -1);
        }
      }, progress);
      Interactions.of(analysis, node, (kind, from, fromNs, to, toNs) -> {
        flows++;
        instant(from, fromNs, kind, FLOW);
        instant(to, toNs, kind, FLOW_END);
      }, progress);
      counters();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void describe(ProgramThread thread) {
    ProgramProcess process = thread.getProcess();
    int pid = pid(process, process.getMachine().getHost() + ": " + process.getName());
    inner.clear().number(1, pid).number(2, (long) pid * 1_000_000 + thread.getId()).text(5, thread.getName());
    message.clear().number(UUID, track(thread)).number(PARENT, tracks.get(process)).message(THREAD, inner);
    packet.clear().message(TRACK_DESCRIPTOR, message);
    write();
  }

  /** Processes have numbers in the order of the trace: those of several machines can be the same. */
  private int pid(Object subject, String name) {
    return pids.computeIfAbsent(subject, unknown -> {
      int pid = pids.size() + 1;
      inner.clear().number(1, pid).text(6, name);
      message.clear().number(UUID, track(subject)).message(PROCESS, inner);
      packet.clear().message(TRACK_DESCRIPTOR, message);
      write();
      return pid;
    });
  }

  private long track(Object subject) {
    return tracks.computeIfAbsent(subject, unknown -> tracks.size() + 1L);
  }

  private void instant(ProgramThread thread, long ns, String name, int flow) {
    message.clear().number(TYPE, INSTANT).number(TRACK, tracks.get(thread)).text(EVENT_NAME, name).fixed(flow, flows);
    event(ns, -1);
  }

  /** What monitors measured, beside the processes of what it is about. */
  private void counters() {
    ExternalTracks.of(analysis, node).forEach(track -> {
      pid(track.subject(), track.name());
      inner.clear();
      message.clear().number(UUID, track(track)).text(NAME, track.metric())
          .number(PARENT, tracks.get(track.subject())).message(COUNTER, inner);
      packet.clear().message(TRACK_DESCRIPTOR, message);
      write();
      track.visit((from, to, level) -> {
        message.clear().number(TYPE, COUNT).number(TRACK, tracks.get(track))
            .fixed(COUNTER_VALUE, Double.doubleToRawLongBits(level));
        event(from, -1);
      });
    });
  }

  /** @param procedure whose name the event has; -1 for none */
  private void event(long ns, int procedure) {
    packet.clear().number(TIMESTAMP, ns - originNs).message(TRACK_EVENT, message);
    if (procedure >= 0 && !named.get(procedure)) {
      named.set(procedure);
      inner.clear().number(1, procedure + 1L).text(2, analysis.procedures().get(procedure).name());
      message.clear().message(EVENT_NAMES, inner);
      packet.message(INTERNED_DATA, message);
    }
    packet.number(SEQUENCE_FLAGS, hasState ? NEEDS_STATE : STATE_CLEARED | NEEDS_STATE);
    hasState = true;
    write();
  }

  private void write() {
    packet.number(SEQUENCE, 1);
    try {
      frame.clear().message(PACKET, packet).writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
