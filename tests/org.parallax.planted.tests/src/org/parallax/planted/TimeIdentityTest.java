package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.analysis.time.SampleIntervals;
import org.parallax.analysis.time.TimeCheck;
import org.parallax.analysis.waits.WaitCheck;
import org.parallax.trace.EndReason;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;

/**
 * The identity of hybrid measurement (Szebenyi et al. 2011, section II.B.2) in every thread of
 * every example program: the time that samples stand for and the time in measured calls are the
 * time that the thread's clocks show. To the nanosecond on the wall clock; on the CPU clock, which
 * the agent reads at the begin and the end of the thread, within {@value #UNTOLD_NS} ns, below
 * which a loss of the processor is not told, the reads of clocks one after the other, and what
 * CLOCK_MONOTONIC was slewed against the clock that CPU time is counted by.
 */
class TimeIdentityTest {
  /** Losses of less are told when they have added up to it. */
  private static final long UNTOLD_NS = 2_000;
  /** Between the reads of ticks and of the CPU clock, at the begin and at the end. */
  private static final long READS_NS = 2_000;
  private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

  /** Arguments that are small: what matters is each kind of event, not much of it. */
  private static final Map<String, String> ARGUMENTS = Map.ofEntries(
      Map.entry("imbalance", "4 4 2"), Map.entry("pipeline", "4 1"), Map.entry("bad_ends", "return"),
      Map.entry("error_codes", ""), Map.entry("wait_states", "2"), Map.entry("thread_messages", "3 40"),
      Map.entry("many_communicators", "20"), Map.entry("message_counts", ""), Map.entry("types", ""),
      Map.entry("message_counts_f", ""), Map.entry("message_counts_f08", ""),
      Map.entry("heat", "10 100 100"), Map.entry("mpi4", ""), Map.entry("mutex_queue", "4 4 2"),
      Map.entry("bench_calls", "20"), Map.entry("bench_calls.inst", "2"),
      Map.entry("bench_locks", "2000"), Map.entry("bench_locks.inst", "500"),
      Map.entry("bench_events", "locks 100000"), Map.entry("bench_events.inst", "calls 100000"),
      Map.entry("bench_ping_pong", "5"), Map.entry("bench_sort", "2 10000"),
      Map.entry("client_server", "2 6 2"), Map.entry("phases", "4"),
      Map.entry("openmp_threads", ""), Map.entry("hybrid.gnu", "3"), Map.entry("hybrid.llvm", "3"),
      Map.entry("late_receiver", "10 1000 1"),
      Map.entry("late_ranks", "integers 10 1000 1000"), Map.entry("uneven_threads.gnu", "3"), Map.entry("uneven_threads.llvm", "3"), Map.entry("work_units", "2 512"),
      Map.entry("openmp_fortran", ""), Map.entry("openmp_hybrid", ""),
      Map.entry("drops", "3 2000 100 2 endl /dev/null"),
      Map.entry("drops.inst", "1 500 20 1 newline /dev/null"), Map.entry("shm_join", "2 2000 2"),
      Map.entry("shm_join.inst", "2 2000 2"), Map.entry("psim", "3 2 20"),
      Map.entry("planted_delays", ""), Map.entry("quicksort", "100000"),
      Map.entry("quicksort.inline", "100000"), Map.entry("ring", "50"), Map.entry("integer_sort", "S"),
      Map.entry("memory_waits", "atomic"), Map.entry("off_cpu", "read inline 2"),
      Map.entry("descheduled", "flock 1"),
      Map.entry("async_io", "aio plain 2"), Map.entry("window_waits", "2"), Map.entry("windows", ""),
      Map.entry("windows_f", ""), Map.entry("windows_f08", ""), Map.entry("collective_counts", "2"),
      Map.entry("kernel_waits", "eventfd threads 2"), Map.entry("openmp_tasks", "chain 4"),
      Map.entry("openmp_cancel", "queued 20"), Map.entry("polling_ranks", "test 2 2"), Map.entry("polling_waits", "trylock 2"),
      Map.entry("spawn_waits", "2 messages"), Map.entry("session_waits", "2"), Map.entry("sessions_f", ""),
      Map.entry("sessions_f08", ""), Map.entry("library_leaves", "sin 2"),
      Map.entry("grouped_arcs", "2"), Map.entry("paused_ranks", "2"), Map.entry("partitioned_waits", "2 messages"));
  /**
   * Built otherwise for other tools, or for one native test; some need a daemon of PVM, and
   * servers and their clients each other; some need a script, a file of their own, or three ranks.
   */
  private static final Set<String> OTHERS = Set.of("mpi_bench", "openmp_bench", "layered",
      "partly", "queries", "loader", "openmp_loader", "openmp_reload", "pvm_farm", "pvm_phases",
      "pvm_round_trip", "integer_sort.pvm", "cosched", "sm_server", "producer", "consumer", "ring.pg", "speedup",
      "perturb-ring", "bench_causal", "planted_slack", "by_name", "deep", "stubbed.other",
      "stubbed.proposal", "stubbed.static", "sessions", "jobs", "late_jobs", "weak", "random_waits", "random_ranks",
      "random_tasks", "file_waits", "early_delay", "locks_until", "mpi_variables", "mpi_collectives", "attached", "tuned_mpi", "tuned_collectives", "tuned_buffered",
      "tuned_threads.gnu", "tuned_threads.llvm",
      "tuned_pvm");
  private static final String MPIS = "openmpi|mpich|openmpi5|mpich5|mpiabi";
  private static final String OPENMP_CASES = "openmp_cases";
  /** A hypervisor takes the processor away unseen; at the end of a thread that cannot be told. */
  private static final int ATTEMPTS = 5;

  /** For several programs; what is repeated measures it anew. */
  private static final long SLEW_LASTS_NS = 5_000_000_000L;

  private static final int BESIDE = 2;

  @TempDir Path directory;
  private final ExecutorService beside = Executors.newFixedThreadPool(BESIDE);
  private double slew;
  private long slewTime = System.nanoTime() - SLEW_LASTS_NS;

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  private static List<String> built() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(Recording.program("mutex_queue")).getParent())) {
      return files.filter(Files::isRegularFile).map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".pg") && !name.endsWith(".dwarf4"))
          .filter(name -> !name.contains(".so")).sorted().toList();  // no libraries
    }
  }

  private static String withoutLibrary(String program) {
    return program.replaceFirst("\\.(" + MPIS + "|gnu|llvm|gnu_on_llvm)$", "");
  }

  @TestFactory
  Stream<DynamicTest> theTimesOfEveryThreadAddUp() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String program : built()) {
      if (withoutLibrary(program).equals(OPENMP_CASES)) {
        for (String each : List.of("imbalance", "critical", "chain", "nested", "exit", "results")) {
          tests.add(test(program + " " + each, List.of(Recording.program(program), each)));
        }
      }
      String arguments = ARGUMENTS.get(withoutLibrary(program));
      if (arguments == null) {
        continue;
      }
      List<String> command = new ArrayList<>();
      if (program.matches("(drops|openmp_hybrid).*|.*\\.(" + MPIS + ")")) {
        String ending = program.substring(program.lastIndexOf('.') + 1);
        command.addAll(List.of(Recording.mpirun(ending.matches(MPIS) ? ending : "openmpi"), "-n",
            "2"));
      }
      command.add(Recording.program(program));
      command.addAll(words(arguments));
      tests.add(test(program, command));
    }
    tests.add(test("killed", List.of("mpirun.mpich", "-n", "2",
        Recording.program("bad_ends.mpich"), "kill")));
    tests.add(test("threads, processes and pipes of Python", List.of("/usr/bin/python3",
        REPOSITORY.resolve("tests/guests/guest.py").toString())));
    return tests.stream();
  }

  @Test
  void theTimesAddUpWherePhasesAreTold() throws Exception {
    Path program = directory.resolve("phases.program");
    assertEquals(0, new ProcessBuilder("cc", "-O2", "-pthread", "-o", program.toString(), "-I",
        REPOSITORY.resolve("native/include").toString(),
        REPOSITORY.resolve("native/tests/guests/phases.c").toString()).inheritIO().start().waitFor());
    check("phases", List.of(program.toString(), "events"));
  }

  @Test
  void everyProgramIsAmongThem() throws IOException {
    Set<String> unknown = new TreeSet<>();
    for (String program : built()) {
      String name = withoutLibrary(program);
      if (!ARGUMENTS.containsKey(name) && !OTHERS.contains(name) && !name.equals(OPENMP_CASES)) {
        unknown.add(name);
      }
    }
    assertEquals(Set.of(), unknown, "programs that are not checked");
  }

  /** Begins at once, beside others: no time is judged, and many a program waits. */
  private DynamicTest test(String name, List<String> command) {
    Future<Void> checked = beside.submit(() -> {
      check(name, command);
      return null;
    });
    return DynamicTest.dynamicTest(name, () -> {
      try {
        checked.get();
      } catch (ExecutionException e) {
        throw e.getCause();
      }
    });
  }

  @AfterEach
  void end() {
    beside.shutdownNow();
  }

  /** The CPU clock shows another time than the events tell of. */
  private static final class CpuTimeDiffers extends AssertionError {
    private static final long serialVersionUID = 1;

    CpuTimeDiffers(String message) {
      super(message);
    }
  }

  private void check(String name, List<String> command) throws Exception {
    for (int attempt = 1;; attempt++) {
      try {
        checkOnce(name + " " + attempt, command);
        return;
      } catch (CpuTimeDiffers differs) {
        if (attempt == ATTEMPTS) {
          throw differs;
        }
        forgetSlew();
      }
    }
  }

  private void checkOnce(String name, List<String> command) throws Exception {
    Path trace = directory.resolve(name.replaceAll("[^a-z0-9]", "-"));
    double slew = slew();
    String output = Recording.record(trace, command).output();
    try (Trace recorded = Trace.open(trace)) {
      int threads = 0;
      for (ProcessTrace process : recorded.processes()) {
        Assumptions.assumeTrue(process.cpuClock() != ProcessTrace.CpuClock.THREAD_CLOCK,
            "neither restartable sequences nor perf events are to be had here");
        long cpuNs = 0;
        for (ThreadTrace thread : process.threads()) {
          if (thread.slotCount() > 0) {
            threads++;
            cpuNs += check(process, thread, slew);
          }
        }
        if (process.endReason() == EndReason.EXIT && process.cpuNs() >= 0) {
          assertTrue(cpuNs <= process.cpuNs() + UNTOLD_NS, process + " took " + process.cpuNs()
              + " ns, its threads " + cpuNs);
        }
      }
      assertTrue(threads > 0, "no thread: " + output);
      assertEquals(List.of(), TimeCheck.of(recorded, Progress.NONE), "parallax check");
      assertEquals(List.of(), WaitCheck.of(recorded.processes(), Progress.NONE), "waits and work");
    }
  }

  /** @return what the CPU clock of the thread showed */
  private static long check(ProcessTrace process, ThreadTrace thread, double slew) {
    SampleIntervals intervals = SampleIntervals.of(thread, Progress.NONE);
    CallPathProfile profile = CallPathProfile.of(process, thread, Window.ALL, Progress.NONE);
    long wallNs = thread.endNs() - thread.beginNs();
    assertEquals(wallNs, intervals.sumNs(Weight.WALL), thread + ": wall time of its parts");
    assertEquals(wallNs, LongStream.of(profile.wallNs()).sum(), thread + ": wall time of its paths");
    long toleranceNs = UNTOLD_NS + READS_NS + Math.round(slew * wallNs);
    assertCpu(intervals.measuredCpuNs(), intervals.sumNs(Weight.CPU), toleranceNs,
        thread + ", CPU time of its parts, of " + wallNs + " ns");
    assertCpu(intervals.measuredCpuNs(), LongStream.of(profile.cpuNs()).sum(), toleranceNs,
        thread + ", CPU time of its paths");
    return intervals.measuredCpuNs();
  }

  private static void assertCpu(long measuredNs, long toldNs, long toleranceNs, String what) {
    if (Math.abs(measuredNs - toldNs) > toleranceNs) {
      throw new CpuTimeDiffers(what + ": " + toldNs + " ns, the clock showed " + measuredNs
          + ", tolerance " + toleranceNs);
    }
  }

  /** By which part of a time CLOCK_MONOTONIC is slewed now, by what was measured a few seconds ago. */
  private synchronized double slew() throws Exception {
    if (System.nanoTime() - slewTime >= SLEW_LASTS_NS) {
      slew = measureSlew();
      slewTime = System.nanoTime();
    }
    return slew;
  }

  private synchronized void forgetSlew() {
    slewTime -= SLEW_LASTS_NS;
  }

  /** The same, measured; if unknown, the most a kernel does. */
  private static double measureSlew() throws Exception {
    Process python = new ProcessBuilder("/usr/bin/python3", "-c", """
        import time
        def pair():
          return min((lambda a, m, r: (r - a, m, a + (r - a) // 2))(
            time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW),
            time.clock_gettime_ns(time.CLOCK_MONOTONIC),
            time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)) for i in range(50))
        a = pair()
        time.sleep(0.1)
        b = pair()
        print(abs((b[1] - a[1]) / (b[2] - a[2]) - 1) + 300 / (b[2] - a[2]))
        """).start();
    String printed = new String(python.getInputStream().readAllBytes()).strip();
    return python.waitFor() == 0 ? Double.parseDouble(printed) : 500e-6;
  }
}
