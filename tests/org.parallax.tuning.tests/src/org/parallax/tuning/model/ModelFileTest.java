package org.parallax.tuning.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ModelFileTest {
  private static final String GOOD = """
      name: work-unit
      about: Larger units need fewer messages
      measure: [{name: sent, routines: [MPI_Send], key: size}]
      each: run
      after: 50 of sent
      let: {now: "variable('work_unit')"}
      when: now < most('work_unit') && mean(sent) < 1000
      act: {tunable: work_unit, value: 2 * now}
      verify: {metric: elapsed() / count(sent), better: lower, after: 50 of sent, by: 2%}
      reason: "units of {now} make messages of {mean(sent)} bytes"
      """;

  private static List<String> problems(String text) {
    return assertThrows(ModelException.class, () -> ModelFile.parse("m.yaml", text)).problems().stream()
        .map(ModelProblem::toString).toList();
  }

  @Test
  void aModelIsRead() throws ModelException {
    TuningModel model = ModelFile.parse("m.yaml", GOOD);
    assertEquals("work-unit", model.name());
    assertTrue(model.isForRun() && model.canUndo() && model.isFor("MPICH 4.0.2"));
    assertEquals(new Visits(50, "sent"), model.after());
    assertEquals(0.02, model.verification().by(), 1e-12);
    assertEquals(8, model.verification().pairs());
    assertEquals("now < most('work_unit') && mean(sent) < 1000", model.when().toString());
  }

  @Test
  void theModelsOfTheBundleAreRead() {
    assertEquals(List.of("pvm-route", "pvm-encoding", "pvm-fragment-size-all", "pvm-fragment-size"),
        namesFor("pvm 3.4.6"));
    List<String> ofOpenMpi = List.of("mpi-allreduce-reduce-bcast", "mpi-allreduce-exchange",
        "mpi-allreduce-scatter-gather", "mpi-alltoall-pairwise", "mpi-alltoall-linear");
    assertEquals(ofOpenMpi, namesFor("Open MPI 4.1.4"));
    assertEquals(Stream.concat(ofOpenMpi.stream(), Stream.of("mpi-alltoall-brucks")).toList(), namesFor("MPICH 4.0.2"));
  }

  private static List<String> namesFor(String library) {
    return BuiltInModels.all().stream().filter(model -> !model.library().isEmpty() && model.isFor(library)).map(TuningModel::name).toList();
  }

  @Test
  void formulasOfProcesses() throws ModelException {
    String good = GOOD.replace("let: {", "own: {busy: 1 - time(sent) / elapsed(), part: \"portion(total('busy'), 'busy', 1)\"}\nlet: {")
        .replace("value: 2 * now", "value: 2 * part + now");
    TuningModel model = ModelFile.parse("m.yaml", good);
    assertEquals(List.of("busy", "part"), List.copyOf(model.own().keySet()));
    assertEquals(List.of("m.yaml:8:7: when: there is no name busy; choose from: now, sent"),
        problems(good.replace("when: now", "when: busy")));
    assertEquals(List.of("m.yaml:6:6: own: only where several processes are judged together; add: each: host or: each: run"),
        problems(good.replace("each: run", "each: process")).subList(0, 1));
  }

  /** All errors of a file at once, in its order, each with its place and what was expected. */
  @Test
  void allErrorsAreTold() {
    assertEquals(List.of(
        "m.yaml:1:1: the model: the key reason is missing",
        "m.yaml:3:51: key: expected none or peer or size, not sizes",
        "m.yaml:4:7: each: expected process or host or run, not runs",
        "m.yaml:5:14: after: there is no measure point snt; did you mean sent?",
        "m.yaml:6:12: now: there is no function varable; did you mean variable?",
        "m.yaml:7:13: when: there is no name mots; choose from: now, sent",
        "m.yaml:8:6: act: tunable needs the key value",
        "m.yaml:8:33: act: tunable has no key valu; did you mean value?",
        "m.yaml:9:51: better: expected lower or higher, not less",
        "m.yaml:9:80: by: expected a percentage below 100, as 2%",
        "m.yaml:10:1: the model: unknown key reson; did you mean reason?"),
        problems(GOOD.replace("key: size", "key: sizes").replace("each: run", "each: runs").replace("after: 50 of sent\nlet",
            "after: 50 of snt\nlet").replace("variable('", "varable('").replace("now < most('work_unit')", "now < mots")
            .replace("value: 2", "valu: 2").replace("better: lower", "better: less").replace("by: 2%", "by: two")
            .replace("reason:", "reson:")));
  }

  @Test
  void whatIsNoYamlIsTold() {
    assertTrue(problems("name: [x").get(0).matches("m.yaml:\\d+:\\d+: this is no YAML: .*"), problems("name: [x").get(0));
    assertEquals(List.of("m.yaml:1:1: the file is empty; expected a model, which begins with: name: NAME"), problems(""));
    assertTrue(problems("- a").get(0).startsWith("m.yaml:1:1: the model: expected keys with values"), problems("- a").get(0));
    assertTrue(problems("a: &x [*x]").toString().contains("alias") || problems("a: &x [*x]").toString().contains("YAML"));
  }

  @Test
  void listsAreNotWithoutALimitInEachOther() {
    assertEquals(List.of("m.yaml:1:70: lists and maps stand in each other, more than 64 deep"),
        problems("name: " + "[".repeat(100_000)));
    assertTrue(problems("name: " + "[".repeat(60) + "a" + "]".repeat(60)).stream().noneMatch(each -> each.contains("deep")));
  }

  @Test
  void aCallNeedsWhatUndoesIt() {
    String call = GOOD.replace("{tunable: work_unit, value: 2 * now}", "{call: pvm_setopt, arguments: [10, now]}");
    assertEquals("m.yaml:8:6: act: a call is undone by another one; add: undo: {call: NAME, arguments: [...]} or: undo: none",
        problems(call).get(0));
    assertEquals("m.yaml:9:9: verify: an action that cannot be undone cannot take turns; add: how: before-after",
        problems(call.replace("now]}", "now], undo: none}")).get(0));
  }

  @Test
  void aWrongKindNamesTheNearOne() {
    assertTrue(problems(GOOD.replace("{tunable:", "{tunabel:")).get(0)
        .endsWith("mpi_variable, tunable, collective, not tunabel; did you mean tunable?"), problems(GOOD.replace("{tunable:", "{tunabel:")).get(0));
  }

  /** Files of others: any text gets a model or a list of errors. */
  @Test
  void damagedFilesGetErrors() {
    String signs = "{}[]:,'\"&*!|>%#- \n\t()";
    Random random = new Random(5);
    int models = 0;
    for (int i = 0; i < 1500; i++) {
      StringBuilder text = new StringBuilder(GOOD);
      for (int k = random.nextInt(4); k >= 0; k--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, signs.charAt(random.nextInt(signs.length())));
          default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
        }
      }
      try {
        models += ModelFile.parse("m.yaml", text.toString()).name().isEmpty() ? 0 : 1;
      } catch (ModelException e) {
        assertTrue(e.problems().stream().allMatch(problem -> problem.line() >= 1 && problem.column() >= 1), e.getMessage());
      }
    }
    assertTrue(models > 50 && models < 1400, "models: " + models);
  }
}
