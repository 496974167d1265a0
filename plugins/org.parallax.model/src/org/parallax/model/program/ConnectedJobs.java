package org.parallax.model.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.trace.Communicator;
import org.parallax.trace.ProcessTrace;

/** The MPI jobs of a trace, and which of them are one program: those that share a communicator. */
final class ConnectedJobs {
  /** For each job one that began before it and is connected with it, or itself. */
  private final Map<Long, Long> earlier = new HashMap<>();
  /** The jobs by their begin. */
  private final Map<Long, Integer> order = new HashMap<>();

  private ConnectedJobs() {
  }

  /** O(P log P + C) for P processes with C communicators that are shared between jobs. */
  static ConnectedJobs of(List<ProcessTrace> processes) {
    ConnectedJobs jobs = new ConnectedJobs();
    Map<Long, Long> owners = new HashMap<>();
    List<ProcessTrace> byBegin = new ArrayList<>(processes);
    byBegin.removeIf(process -> process.mpi() == null);
    byBegin.sort(Comparator.comparingLong(ProcessTrace::startNs));
    for (ProcessTrace process : byBegin) {
      long job = process.mpi().job();
      jobs.earlier.putIfAbsent(job, job);
      jobs.order.putIfAbsent(job, jobs.order.size());
      for (Communicator each : process.communicatorsBetweenJobs()) {
        jobs.connect(owners.computeIfAbsent(each.globalId(), unused -> job), job);
      }
    }
    return jobs;
  }

  private void connect(long one, long other) {
    long a = first(one);
    long b = first(other);
    if (order.get(a) < order.get(b)) {
      earlier.put(b, a);
    } else if (a != b) {
      earlier.put(a, b);
    }
  }

  /** @return the first of the jobs that are one program with this one */
  long first(long job) {
    long at = job;
    while (earlier.get(at) != at) {
      at = earlier.get(at);
    }
    return at;
  }

  /** @return the order of processes of MPI in a program: by the begin of their jobs, then by rank */
  Comparator<ProcessTrace> order() {
    return Comparator.<ProcessTrace>comparingInt(process -> order.get(process.mpi().job()))
        .thenComparingInt(process -> process.mpi().worldRank());
  }
}
