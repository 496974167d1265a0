package org.parallax.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Term;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Options;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;
import org.parallax.model.Treatment;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.SimulatedTools;

class ExperimentRunnerTest {
  /** a adds 3 times its delay, b nothing, both together 2 ms less. */
  private static final String LINEAR = """
      ns=$((100000000 + 3 * f0 + (f0 > 0 && f1 > 0 ? -2000000 : 0) + n % 3 * 10000))
      """;

  @TempDir
  private Path directory;
  private Path file;
  private final List<String> failures = new ArrayList<>();
  private final List<Pilot> pilots = new ArrayList<>();
  private final ExperimentRunner.Listener listener = new ExperimentRunner.Listener() {
    @Override
    public void made(Trial trial, int done, int all, long remainingNs) {
      assertTrue(remainingNs >= 0);
    }

    @Override
    public void failed(Trial trial, String failure) {
      failures.add(failure);
    }

    @Override
    public void piloted(Pilot pilot) {
      pilots.add(pilot);
    }
  };

  @BeforeEach
  void nameFile() {
    file = directory.resolve("test.experiment");
  }

  private Experiment experiment(int factors) throws Exception {
    Experiment experiment = ModelFactory.eINSTANCE.createExperiment();
    experiment.getArguments().add("/bin/true");
    for (int i = 0; i < factors; i++) {
      Factor factor = ModelFactory.eINSTANCE.createFactor();
      factor.setName(Character.toString('a' + i));
      factor.setPlace("macro:" + factor.getName());
      factor.setTreatment(Treatment.DELAY);
      factor.setSettings("0 1ms");
      experiment.getFactors().add(factor);
    }
    Response elapsed = ModelFactory.eINSTANCE.createResponse();
    elapsed.setName("elapsed");
    elapsed.setKind(ResponseKind.ELAPSED);
    elapsed.setUnit("ns");
    experiment.getResponses().add(elapsed);
    int basic = 2;
    int[][] settings = new int[1 << basic][factors];
    for (int run = 0; run < settings.length; run++) {
      for (int factor = 0; factor < factors; factor++) {
        settings[run][factor] = 2 * (run >> factor % basic & 1) - 1;
      }
    }
    ExperimentData.setDesign(experiment, new Design("2^2", 2, settings));
    experiment.setReplicates(3);
    experiment.setSeed(7);
    return experiment;
  }

  private void run(Experiment experiment, String body, Progress progress) throws Exception {
    new ExperimentRunner(file, experiment, tools(body)).run(false, listener, progress);
  }

  private Tools tools(String body) throws Exception {
    SimulatedTools tools = SimulatedTools.make(directory, body);
    return new Tools(tools.recorder(), tools.points());
  }

  @Test
  void theEffectsAreThosePlanted() throws Exception {
    run(experiment(2), LINEAR, Progress.NONE);
    Experiment experiment = ExperimentFile.read(file);
    assertEquals(1 + Schedule.NOISE_PILOTS + 1 + 3 * (4 + 1), experiment.getTrials().size());
    assertEquals(List.of(), failures);
    Effects effects = Effects.of(ExperimentData.responses(experiment,
        experiment.getResponses().get(0)), Options.of(2));
    assertEquals(2_000_000, effects.effect(0).orElseThrow().estimate(), 20_000);
    assertEquals(-1_000_000, effects.effect(1).orElseThrow().estimate(), 20_000);
    assertEquals(-1_000_000, effects.effect(Term.of(0, 1)).orElseThrow().estimate(), 20_000);
    Pilot pilot = pilots.get(0);
    assertEquals(101_000_000, pilot.highest(), 100_000);
    assertEquals(0.01, 100 * pilot.deviation() / pilot.mean(), 0.005);
    assertEquals(10_000_000, pilot.askedNs());
    Trial highest = experiment.getTrials().get(1 + Schedule.NOISE_PILOTS);
    assertEquals(List.of(5L, 5L), highest.getCounts().stream().map(c -> c.getCount()).toList());
  }

  @Test
  void aLimitedRunEndsAndTheNextGoesOn() throws Exception {
    Experiment experiment = experiment(2);
    int all = 1 + Schedule.NOISE_PILOTS + 1 + 3 * (4 + 1);
    for (int done = 4; done < all + 4; done += 4) {
      ExperimentRunner runner =
          new ExperimentRunner(file, experiment, tools(LINEAR));
      runner.limit(4);
      runner.run(false, listener, Progress.NONE);
      experiment = ExperimentFile.read(file);
      assertEquals(Math.min(done, all), experiment.getTrials().stream()
          .filter(trial -> trial.getStatus() == TrialStatus.DONE).count());
    }
    assertEquals(1, pilots.size());
  }

  @Test
  void eachReplicateHasAnOrderOfItsOwnAndSeedsGiveTheSame() throws Exception {
    Experiment first = experiment(2);
    Schedule.plan(first);
    Experiment again = experiment(2);
    Schedule.plan(again);
    assertEquals(orders(first), orders(again));
    Experiment other = experiment(2);
    other.setSeed(8);
    Schedule.plan(other);
    assertNotEquals(orders(first), orders(other));
    Set<String> different = new HashSet<>(orders(first));
    assertTrue(different.size() > 1, different.toString());
    for (String order : orders(first)) {
      assertEquals("-01123", String.join("", order.chars().sorted().mapToObj(Character::toString)
          .toList()), order);
    }
  }

  private static List<String> orders(Experiment experiment) {
    List<String> orders = new ArrayList<>();
    for (int replicate = 0; replicate < experiment.getReplicates(); replicate++) {
      StringBuilder order = new StringBuilder();
      for (Trial trial : experiment.getTrials()) {
        if (trial.getReplicate() == replicate && (trial.getKind() == TrialKind.DESIGN
            || trial.getKind() == TrialKind.BASELINE)) {
          order.append(trial.getRun());
        }
      }
      orders.add(order.toString());
    }
    return orders;
  }

  @Test
  void whatWasInterruptedGoesOnWhereItStopped() throws Exception {
    int[] trials = {0};
    Progress afterTen = new Progress() {
      @Override
      public void worked(long amount) {
        trials[0] += amount;
      }

      @Override
      public boolean isCancelled() {
        return trials[0] >= 10;
      }
    };
    assertThrows(CancellationException.class, () -> run(experiment(2), LINEAR, afterTen));
    Experiment stopped = ExperimentFile.read(file);
    assertEquals(10, stopped.getTrials().stream().filter(
        trial -> trial.getStatus() == TrialStatus.DONE).count());
    List<String> times = stopped.getTrials().stream().limit(10).map(Trial::getStarted).toList();
    run(stopped, LINEAR, Progress.NONE);
    Experiment complete = ExperimentFile.read(file);
    assertTrue(complete.getTrials().stream().allMatch(
        trial -> trial.getStatus() == TrialStatus.DONE));
    assertEquals(times, complete.getTrials().stream().limit(10).map(Trial::getStarted).toList());
  }

  @Test
  void trialsThatFailOrHangAreMadeAgainAndNeverUsed() throws Exception {
    Experiment experiment = experiment(2);
    experiment.setTimeoutSeconds(2);
    run(experiment, LINEAR + """
        case $n in
          8) ns=1; echo 'out of luck' >&2; echo "$ns 1" > "$times"; exit 3;;
          11) sleep 60;;
        esac
        """, Progress.NONE);
    assertEquals(List.of("it exited with status 3: out of luck",
        "it timed out and was ended after 2.0 s"), failures);
    Experiment complete = ExperimentFile.read(file);
    assertEquals(2, complete.getTrials().stream().mapToInt(t -> t.getFailures().size()).sum());
    ExperimentData.responses(complete, complete.getResponses().get(0)).observations()
        .forEach(observation -> assertTrue(observation.value() > 90e6, observation.toString()));
  }

  @Test
  void aTrialThatFailsAlwaysEndsTheExperiment() throws Exception {
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(experiment(2), LINEAR + "[ $n -lt 9 ] || exit 1\n", Progress.NONE));
    assertTrue(e.getMessage().startsWith("trial 9 ("), e.getMessage());
    assertTrue(e.getMessage().contains("failed 3 times, the last time: it exited with status 1"),
        e.getMessage());
    Experiment stopped = ExperimentFile.read(file);
    assertEquals(TrialStatus.FAILED, stopped.getTrials().get(8).getStatus());
    run(stopped, LINEAR, Progress.NONE);
    assertEquals(TrialStatus.DONE, ExperimentFile.read(file).getTrials().get(8).getStatus());
  }

  @Test
  void onlyAttemptsThatAreFollowedByAnotherAreSaidToBe() throws Exception {
    assertThrows(ExperimentException.class,
        () -> run(experiment(2), "echo no >&2; exit 1\n", Progress.NONE));
    assertEquals(List.of("it exited with status 1: no", "it exited with status 1: no"), failures,
        "the third one ends the run");
    assertEquals(3, ExperimentFile.read(file).getTrials().get(0).getFailures().size());
  }

  @Test
  void onlyOneMakesTrialsOfAFile() throws Exception {
    Experiment experiment = experiment(2);
    ExperimentRunner runner = new ExperimentRunner(file, experiment, tools(LINEAR));
    try (ExperimentLock other = ExperimentLock.of(file)) {
      ExperimentException e = assertThrows(ExperimentException.class,
          () -> runner.run(false, listener, Progress.NONE));
      assertEquals("trials of " + file + " are already running, in another \"perturb run\" or in "
          + "Eclipse; wait for their end, or name another file", e.getMessage());
      assertFalse(Files.exists(directory.resolve("test.trials/0000")), "no trial");
      new ExperimentRunner(file, experiment(2), tools(LINEAR))
          .run(other, false, listener, Progress.NONE);
    }
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> runner.run(false, listener, Progress.NONE));
    assertEquals(file + " was changed during the run; start the run again", e.getMessage());
  }

  @Test
  void theLimitOfTimeComesFromTheTrialsBefore() throws Exception {
    Experiment experiment = experiment(2);
    experiment.getFactors().get(0).setSettings("0 300ms");
    Schedule.plan(experiment);
    Trial first = experiment.getTrials().get(0);
    Trial highest = experiment.getTrials().get(1 + Schedule.NOISE_PILOTS);
    assertEquals(600e9, TimeLimit.ns(experiment, first, 0), "nothing is known");
    run(experiment, LINEAR, Progress.NONE);  // each place is reached 5 times in a trial
    assertEquals(10e9, TimeLimit.ns(experiment, first, 100_000_000), "no less");
    assertEquals(20e9, TimeLimit.ns(experiment, first, 2_000_000_000));
    assertEquals(20e9 + 10 * 5 * (300e6 + 1e6), TimeLimit.ns(experiment, highest, 2_000_000_000));
    experiment.setTimeoutSeconds(3);
    assertEquals(3e9, TimeLimit.ns(experiment, highest, 2_000_000_000), "a person knows better");
  }

  @Test
  void aPlaceThatIsNeverReachedIsAnErrorBeforeTheExperiment() throws Exception {
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(experiment(10), LINEAR, Progress.NONE));
    assertEquals("the place of the factor j, macro:j, was never reached (it has 1 point in the "
        + "program's code); choose another place, or an input that reaches it", e.getMessage());
    assertFalse(Files.exists(directory.resolve("test.trials/0006")), "no run of the design");
  }

  @Test
  void manyPlacesThatAreNeverReachedAreOneMessage() throws Exception {
    ExperimentException e = assertThrows(ExperimentException.class, () -> run(experiment(7),
        LINEAR + "printf 'PLXPERT1\\007\\000\\000\\000\\001\\000\\000\\000' > \"${0%/*}/counts\"\n"
            + "head -c $((48 + 16 + 32 * 7)) /dev/zero >> \"${0%/*}/counts\"\n", Progress.NONE));
    assertEquals("the places of 7 of 7 factors were never reached; leave them out, or choose an input "
        + "that reaches them: a, b, c, d, e, f, g", e.getMessage());
  }

  @Test
  void aProgramThatIsNotRepeatableIsSaidToBeSo() throws Exception {
    String noisy = "ns=$((100000000 + n * n % 7 * 30000000))\n";
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(experiment(2), noisy, Progress.NONE));
    assertTrue(e.getMessage().matches("the program is not repeatable enough: its elapsed varies by "
        + "\\d\\d.* Use \\d+ replicates instead of 3, .*"), e.getMessage());
    new ExperimentRunner(file, ExperimentFile.read(file), tools(noisy))
        .run(true, listener, Progress.NONE);
  }

  @Test
  void aNumberThatTheProgramPrintsIsAResponse() throws Exception {
    Experiment experiment = experiment(2);
    Response printed = experiment.getResponses().get(0);
    printed.setName("rate");
    printed.setKind(ResponseKind.OUTPUT);
    printed.setArgument("rate=([-+.e0-9]+)");
    printed.setUnit("");
    run(experiment, LINEAR + "echo rate=7; echo rate=$((f0 / 1000))e-1\n", Progress.NONE);
    Effects effects = Effects.of(ExperimentData.responses(experiment, printed), Options.of(2));
    assertEquals(100, effects.effect(0).orElseThrow().estimate(), 1e-9);
    printed.setArgument("speed=(.*)");
    experiment.getTrials().clear();
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(experiment, LINEAR, Progress.NONE));
    assertTrue(e.getMessage().contains("nothing in its output matches \"speed=(.*)\" of the "
        + "response rate"), e.getMessage());
  }

  @Test
  void trialsOfAnotherBuildAreNotAveragedWithOthers() throws Exception {
    Files.writeString(directory.resolve("build"), "1a");
    ExperimentException stop = assertThrows(ExperimentException.class,
        () -> run(experiment(2), LINEAR + "[ $n -lt 9 ] || exit 1\n", Progress.NONE));
    assertTrue(stop.getMessage().startsWith("trial 9 ("), stop.getMessage());
    Files.writeString(directory.resolve("build"), "2b");
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(ExperimentFile.read(file), LINEAR, Progress.NONE));
    assertEquals("the program has changed since the 8 trials were made: /program 2b is new, before "
        + "it "
        + "was /program 1a. Restore the old program, or make all trials again: parallax perturb "
        + "run --again " + file, e.getMessage());
    Experiment again = ExperimentFile.read(file);
    again.getTrials().clear();
    run(again, LINEAR, Progress.NONE);
    assertEquals(List.of("/program 2b"), ExperimentFile.read(file).getBuilds());
  }

  @Test
  void allProcessesOfATrialEndWithIt() throws Exception {
    Experiment experiment = experiment(2);
    experiment.setTimeoutSeconds(1);
    // One that is deaf, and one that somebody else has started, as daemons do.
    String hangs = """
        export PARALLAX_PERTURB=$plan
        sh -c 'trap "" TERM; while :; do sleep 0.1; done' &
        echo $! >> "$0.pids"
        (setsid sleep 100 > /dev/null 2>&1 & echo $! >> "$0.pids")
        sleep 100
        """;
    assertThrows(ExperimentException.class, () -> run(experiment, hangs, Progress.NONE));
    assertEquals("it timed out and was ended after 1.0 s", failures.get(0));
    List<String> pids = Files.readAllLines(directory.resolve("recorder.pids"));
    assertEquals(2 * experiment.getAttempts(), pids.size());
    for (String pid : pids) {
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
      if (process.isPresent()) {  // perhaps its parent has not looked yet
        process.get().onExit().get(120, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aTrialWithoutTheAgentIsNotTakenForOneWithoutTreatments() throws Exception {
    run(experiment(2), LINEAR + """
        if [ $n -eq 9 ]; then echo "$ns 1" > "$times"; exit; fi
        """, Progress.NONE);
    assertEquals(List.of("the agent was not loaded into any of its processes, so nothing was "
        + "perturbed; check whether the program is static, or starts without the environment of "
        + "its parent"), failures);
  }

  @Test
  void countsOfOtherHostsAreAdded() throws Exception {
    Experiment experiment = experiment(2);
    run(experiment, LINEAR + """
        cp "${0%/*}/counts" "$(dirname "$plan")/counts@beta"
        """, Progress.NONE);
    Trial highest = experiment.getTrials().get(1 + Schedule.NOISE_PILOTS);
    assertEquals(List.of(10L, 10L), highest.getCounts().stream().map(c -> c.getCount()).toList());
  }

  @Test
  void aHostThatDoesNotSeeThePlanIsTold() throws Exception {
    run(experiment(2), LINEAR + """
        [ $n -ne 1 ] || echo "parallax: not perturbed on beta: the plan does not exist" >&2
        [ $n -ne 2 ] || echo "counts" > "$(dirname "$plan")/counts@beta.problems"
        """, Progress.NONE);
    assertEquals(List.of("a part of the program was not perturbed: \"parallax: not perturbed on "
        + "beta: the plan "
        + "does not exist\"; other hosts must see " + directory.resolve("test.trials")
        + " and Parallax at the same path", "counts"), failures);
  }

  @Test
  void damagedCountsAreOneFailureOfATrial() throws Exception {
    run(experiment(2), LINEAR + """
        if [ $n -eq 9 ]; then printf x > "$(dirname "$plan")/counts"; echo "$ns 1" > "$times"; exit; fi
        """, Progress.NONE);
    assertEquals(1, failures.size(), failures.toString());
    assertTrue(failures.get(0).endsWith("are truncated"), failures.get(0));
  }

  @Test
  void countsAreThoseOfTheHighestLevelForAllTreatments() throws Exception {
    Experiment experiment = experiment(2);
    experiment.getFactors().get(0).setTreatment(Treatment.BUFFER);
    experiment.getFactors().get(0).setSettings("0 64k");
    Schedule.plan(experiment);
    for (Trial trial : experiment.getTrials()) {
      trial.setStatus(TrialStatus.DONE);
      boolean high = Schedule.codes(experiment, trial)[0] > 0;
      TreatmentCount count = ModelFactory.eINSTANCE.createTreatmentCount();
      count.setFactor("a");
      count.setCount(10);
      count.setAchievedNs(high ? 7000 : 0);
      trial.getCounts().add(count);
    }
    experiment.getFactors().remove(1);
    assertEquals(7000L, TrialTables.counts("", experiment).rows().get(0).values().get(2));
  }

  @Test
  void aLockHasNoCentre() throws Exception {
    Experiment experiment = experiment(2);
    experiment.getFactors().get(1).setTreatment(Treatment.LOCK);
    experiment.getFactors().get(1).setSettings("0 1");
    Design design = new Design("with a centre", 2, new int[][] {{-1, -1}, {1, 1}, {0, 0}});
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
        () -> ExperimentData.setDesign(experiment, design));
    assertTrue(e.getMessage().contains("b"), e.getMessage());
  }

  @Test
  void operatorsOfCPlusPlusArePlaces() throws Exception {
    assertEquals("Vector::operator==", Factors.make("Vector::operator==", List.of()).getPlace());
    assertEquals("exit:operator<=(A)", Factors.make("less=exit:operator<=(A)", List.of()).getPlace());
    assertEquals("a", Factors.make("a=operator=", List.of()).getName());
  }

  @Test
  void codeThatIsNeverFasterIsAnErrorBeforeTheExperiment() throws Exception {
    Experiment experiment = experiment(2);
    experiment.getFactors().get(1).setTreatment(Treatment.SPEEDUP);
    experiment.getFactors().get(1).setSettings("0 50%");
    Tools tools = tools(LINEAR);
    Files.writeString(tools.points(), """
        #!/bin/sh
        printf 'macro\\t0\\t0\\ta\\nrange\\t1\\t0\\t10\\t20\\n'
        python3 -S -E - "%s/counts" <<'END'
        import struct, sys
        data = struct.pack("<8sIIQQ32x", b"PLXPERT1", 3, 1, 10**9, 0) + struct.pack("<IIQ", 1, 1, 0)
        for count in (5, 0, 0):
            data += struct.pack("<QQQQ", count, 5000000, 5000000, 0)
        open(sys.argv[1], "wb").write(data)
        END
        """.formatted(directory));
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> new ExperimentRunner(file, experiment, tools).run(false, listener, Progress.NONE));
    assertTrue(e.getMessage().startsWith("the place of the factor b, macro:b, was reached for less than"),
        e.getMessage());
  }

  @Test
  void virtualSpeedUpsAreOfElapsedTimesOnly() throws Exception {
    Experiment experiment = experiment(2);
    experiment.getFactors().get(1).setTreatment(Treatment.SPEEDUP);
    experiment.getFactors().get(1).setSettings("0 50%");
    experiment.getResponses().get(0).setKind(ResponseKind.CPU);
    ExperimentException e = assertThrows(ExperimentException.class,
        () -> run(experiment, LINEAR, Progress.NONE));
    assertTrue(e.getMessage().startsWith("virtual speed-ups measure only"), e.getMessage());
  }
}
