package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.testing.OpenMpi;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.ModelFile;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.monitor.ProcessMonitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Programs whose best setting is planted, tuned while they run: it is found, and what they print stays the same. */
class PlantedTuningTest {
  private static final long INTERVAL_NS = 20_000_000;
  private static final int SEED = 5;
  private static final String EXCHANGE = "mpi-allreduce-exchange";

  @TempDir Path directory;

  /** What was decided, and what the program printed. */
  private record Tuned(List<Decision> decisions, String output) {
    List<Decision> of(Kind kind) {
      return decisions.stream().filter(decision -> decision.kind() == kind).toList();
    }

    String shown() {
      StringBuilder text = new StringBuilder();
      decisions.forEach(decision -> text.append(decision.shown()).append('\n'));
      return text.toString();
    }
  }

  private static List<String> command(Path output, String command) {
    List<String> words = new ArrayList<>(List.of("env", "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2"));
    words.addAll(OpenMpi.words());
    words.addAll(List.of("sh", "-c", "exec " + command + " > " + output));
    return words;
  }

  private Tuned tune(String models, String command) throws Exception {
    return tune(true, ofName(models), command);
  }

  private static List<TuningModel> ofName(String models) {
    return BuiltInModels.all().stream().filter(model -> model.name().startsWith(models)).toList();
  }

  private Tuned tune(boolean isActing, List<TuningModel> chosen, String command) throws Exception {
    Path output = directory.resolve("tuned");
    return new Tuned(decisions(isActing, chosen, command(output, command)), Files.readString(output));
  }

  private static List<Decision> decisions(boolean isActing, List<TuningModel> chosen, List<String> command) throws Exception {
    SessionStart start = new SessionStart(isActing, SEED, INTERVAL_NS, chosen, command);
    List<Decision> decisions = new ArrayList<>();
    try (ProcessMonitor monitor =
        ProcessMonitor.start(Recording.NATIVE.resolve("parallax-tune"), List.of(), start.command())) {
      LiveSession session = new LiveSession(monitor, start, null, decisions::add);
      assertTrue(session.run(), "the monitor ends with the program");
      assertEquals(0, monitor.waitFor());
    }
    return decisions;
  }

  /** A unit of 16 rows is too small. */
  @Test
  void theUnitOfWorkIsFound() throws Exception {
    QuietMachine.measure(attempt -> {
      String command = "mpirun.openmpi -n 3 " + Recording.program("work_units.openmpi") + " 300 1024 ";
      Tuned tuned = tune("work-unit", command + 16);
      assertEquals("work_units rounds=300 rows=1024 sum=282ea46e8bbfbe00\n", tuned.output());
      QuietMachine.times(() -> {
        List<Decision> kept = tuned.of(Kind.KEEP);
        assertTrue(!kept.isEmpty(), tuned::shown);
        String change = kept.get(kept.size() - 1).change();
        int last = Integer.parseInt(change.substring("work_unit = ".length()));
        assertTrue(last >= 32 && last <= 512, tuned::shown);
        assertTrue(kept.stream().allMatch(one -> one.gain().low() > 0), tuned::shown);
      });
    });
  }

  /** Two ranks with two threads each, of work 3 to 1, each bound to a processor. */
  @Test
  void threadsMoveToTheRankThatOthersWaitFor() throws Exception {
    QuietMachine.measure(attempt -> {
      String command = bound("480 3 1");
      Tuned tuned = tune("openmp-threads", command);
      assertEquals("uneven_threads steps=480 total=0982100fee29f500\n", tuned.output());
      QuietMachine.times(() -> {
        assertEquals(1, tuned.of(Kind.KEEP).size(), tuned::shown);
        Decision kept = tuned.of(Kind.KEEP).get(0);
        assertTrue(kept.change().matches("openmp_threads = 3 in \\S+ rank 0, openmp_threads = 1 in \\S+ rank 1"), kept.change());
        assertTrue(kept.gain().low() > 0 && kept.gain().share() < 0.4, tuned::shown);
      });
    });
  }

  @Test
  void aBalancedProgramKeepsItsThreads() throws Exception {
    Tuned tuned = tune("openmp-threads", bound("100 2 2"));
    assertEquals(List.of(), tuned.of(Kind.KEEP), tuned::shown);
    assertEquals("uneven_threads steps=100 total=70b530b9e4a56560\n", tuned.output());
  }

  /** A step takes 1.8 ms because the sender waits for the receiver, and 1 ms if it goes on. */
  @Test
  void aSenderGoesOnWhenItsReceiverIsLate() throws Exception {
    QuietMachine.measure(attempt -> {
      Tuned tuned = tune("mpi-buffered-send", lateReceiver("3000 100000 5 5"));
      assertEquals("late_receiver steps=3000 words=12500 sum=cb4f467439206b30\n", tuned.output());
      QuietMachine.times(() -> {
        assertEquals(1, tuned.of(Kind.KEEP).size(), tuned::shown);
        Decision kept = tuned.of(Kind.KEEP).get(0);
        assertTrue(kept.change().startsWith("mpi_buffered_send = 131071 in late_receiver.openmpi rank 0"), kept.change());
        assertTrue(kept.gain().low() > 0 && kept.gain().share() > 0.2 && kept.gain().share() < 0.7, tuned::shown);
      });
    });
  }

  /** The same in ranks that ran before they are tuned. Two of the four only wait for the end. */
  @Test
  void ranksThatRunAlreadyAreTuned() throws Exception {
    QuietMachine.measure(attempt -> {
      Path output = directory.resolve("running");
      String program = Recording.program("late_receiver.openmpi");
      Process job = new ProcessBuilder(command(output, lateReceiver(4, "4000 100000 5 5"))).start();
      try {
        List<Decision> decisions = decisions(true, ofName("mpi-buffered-send"), List.of(Recording.NATIVE.resolve("parallax-record").toString(), "--quiet",
            "--no-calibration", "-o", directory.resolve("trace-" + attempt).toString(), "--attach", processes(job, program, 4)));
        assertEquals(0, job.waitFor());
        Tuned tuned = new Tuned(decisions, Files.readString(output));
        assertEquals("late_receiver steps=4000 words=12500 sum=7b21841cd9430440\n", tuned.output());
        QuietMachine.times(() -> {
          assertEquals(1, tuned.of(Kind.KEEP).size(), tuned::shown);
          Decision kept = tuned.of(Kind.KEEP).get(0);
          assertTrue(kept.change().startsWith("mpi_buffered_send = 131071 in late_receiver.openmpi rank 0"), kept.change());
          assertTrue(kept.gain().low() > 0, tuned::shown);
        });
      } finally {
        job.descendants().forEach(ProcessHandle::destroyForcibly);
        job.destroyForcibly();
      }
    });
  }

  /** Those of a program below a job, once there are so many and they have run for a moment. */
  private static String processes(Process job, String program, int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    List<String> found;
    do {
      Thread.sleep(200);
      found = job.descendants().filter(each -> each.info().command().orElse("").equals(program))
          .map(each -> Long.toString(each.pid())).toList();
    } while (found.size() < count && System.nanoTime() < end);
    assertEquals(count, found.size(), "ranks");
    Thread.sleep(300);
    return String.join(",", found);
  }

  /** The sender can go ahead, but the receiver needs 2 ms for each step: nothing is gained. */
  @Test
  void aSenderThatOnlyGoesAheadGainsNothing() throws Exception {
    QuietMachine.measure(attempt -> {
      Tuned tuned = tune("mpi-buffered-send", lateReceiver("3000 100000 2 1"));
      assertEquals("late_receiver steps=3000 words=12500 sum=cb4f467439206b30\n", tuned.output());
      QuietMachine.times(() -> assertEquals(List.of(), tuned.of(Kind.KEEP), tuned::shown));
    });
  }

  /** The model of the all-reduce and its contrary: "share > 0.05", "share < 0.05". */
  private static List<TuningModel> ofTheAllReduce() throws Exception {
    TuningModel model = BuiltInModels.all().stream().filter(each -> each.name().equals(EXCHANGE)).findFirst().orElseThrow();
    String contrary = model.text().replace("name: " + EXCHANGE, "name: contrary").replace("share > 0.05", "share < 0.05");
    return List.of(model, ModelFile.parse("contrary.yaml", contrary));
  }

  /** Which of them advise. */
  private List<String> advised(String expected, String command) throws Exception {
    Tuned tuned = tune(false, ofTheAllReduce(), command);
    assertEquals(expected, tuned.output());
    return tuned.of(Kind.ADVISE).stream().map(Decision::model).distinct().toList();
  }

  private static String lateRanks(String arguments) {
    // Of a ring with small segments, which is slow for two ranks.
    String slow = "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 5"
        + " --mca coll_tuned_allreduce_algorithm_segmentsize 1024 ";
    return "mpirun.openmpi --bind-to none -n 2 " + slow + Recording.program("late_ranks.openmpi") + " " + arguments;
  }

  /** Each rank spends half of its time in the call, where it waits for the other one. */
  @Test
  void noMethodHelpsWhereARankIsLate() throws Exception {
    QuietMachine.measure(attempt -> {
      List<String> advised = advised("late_ranks steps=600 sum=360000\n", lateRanks("integers 600 2 3000"));
      QuietMachine.times(() -> assertEquals(List.of("contrary"), advised));
    });
  }

  @Test
  void aSlowAllReduceIsFoundWithLateRanksAndWithout() throws Exception {
    QuietMachine.measure(attempt -> {
      List<String> late = advised("late_ranks steps=2000 sum=4000000\n", lateRanks("integers 2000 16384 200"));
      List<String> punctual = advised("late_ranks steps=4000 sum=16000000\n", lateRanks("integers 4000 16384 0"));
      QuietMachine.times(() -> {
        assertEquals(List.of(EXCHANGE), late);
        assertEquals(List.of(EXCHANGE), punctual);
      });
    });
  }

  /** Another order of the additions could change them, so neither model sees the calls, and both rest in the two seconds that it takes. */
  @Test
  void anAllReduceOfDoublesIsLeftAlone() throws Exception {
    Tuned tuned = tune(false, ofTheAllReduce(), lateRanks("doubles 1000 2 2000"));
    assertEquals("late_ranks steps=1000 sum=1000000\n", tuned.output());
    assertEquals(List.of(), tuned.of(Kind.ADVISE), tuned::shown);
    assertEquals(List.of("contrary", EXCHANGE), tuned.of(Kind.REST).stream().filter(one -> one.reason().matches("no visit of its measure point in \\d s; .*"))
        .map(Decision::model).distinct().sorted().toList(), tuned::shown);
  }

  private static String lateReceiver(String arguments) {
    return lateReceiver(2, arguments);
  }

  private static String lateReceiver(int ranks, String arguments) {
    return "mpirun.openmpi --bind-to none -n " + ranks + " " + Recording.program("late_receiver.openmpi") + " " + arguments;
  }

  private static String bound(String arguments) {
    String program = Recording.program("uneven_threads.gnu.openmpi") + " " + arguments;
    return "mpirun.openmpi --bind-to none -n 1 taskset -c 0 " + program + " : -n 1 taskset -c 1 " + program;
  }
}
