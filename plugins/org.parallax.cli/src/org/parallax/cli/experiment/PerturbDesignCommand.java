package org.parallax.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.experiment.design.AliasString;
import org.parallax.experiment.design.AliasTable;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.DesignRequest;
import org.parallax.experiment.design.PlannedDesign;
import org.parallax.experiment.design.Power;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.ExperimentLock;
import org.parallax.experiment.run.Factors;
import org.parallax.experiment.run.Places;
import org.parallax.experiment.run.ResponseText;
import org.parallax.experiment.run.TrialResponses;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.Treatment;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;

/** Makes an experiment: factors, design, responses. Nothing is run. */
public final class PerturbDesignCommand implements Command {
  @Override
  public String name() {
    return "perturb design";
  }

  @Override
  public String usage() {
    return "[OPTIONS] FILE" + ExperimentFile.SUFFIX + " [-- COMMAND]";
  }

  @Override
  public String summary() {
    return "Creates an experiment: the places to perturb, and the pattern of runs";
  }

  @Override
  public String description() {
    return """

        Finds the places in the program, determines which effects the design cannot separate, and
        writes the experiment to FILE for "perturb run". It runs nothing. Places are

          FUNCTION, entry:FUNCTION, exit:FUNCTION
          FILE:LINE                     before the line
          before:ROUTINE[@WHERE]        calls of ROUTINE; WHERE is a function or FILE:LINE
          after:ROUTINE[@WHERE]
          macro:NAME                    parallax_delay_point("NAME") of <parallax/parallax.h>

        A place in a library begins with MODULE!. Treatments are delay (spins below a millisecond,
        sleeps above), spin, sleep, work, lock:VARIABLE, message, buffer, and speedup (all other
        threads pause while the place, or what it calls, runs). If FILE exists, its factors and its
        command are kept unless new ones are given.""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.of("--factor", "[NAME=]PLACE", "a place to perturb; repeat for more places"),
        Option.of("--treatment", "'T [LEVEL...]'",
            "treatment of all factors: 'spin 0 500ns', 'buffer 64k' (delay 10us)"),
        Option.flag("--exclusive", "virtual speed-ups without the time of callees"),
        Option.of("--set", "NAME='T [LEVEL...]'", "treatment of one factor"),
        Option.of("--design", "TEXT", "full, 'resolution IV', '16 runs', plackett-burman, screening, "
            + "orthogonal-array, generators as in 'E=ABC' or 'swap=push*pop'; after semicolons "
            + "foldover, centre=N, blocks=N, separate=A&B (chosen to fit)"),
        Option.of("--replicates", "N", "number of trials of each run (1)"),
        Option.of("--response", "[NAME=]R", "elapsed, cpu, critical-path, metric:NAME, or "
            + "output:REGEX for a number that the program prints; repeat for more responses "
            + "(elapsed)"),
        Option.of("--program", "PATH", "the executable that contains the places, if COMMAND does "
            + "not name it"),
        Option.of("--library", "PATH", "a library that contains places; repeat for more libraries"),
        Option.of("--seed", "N", "seed of the random order of trials (random)"),
        Option.of("--warmups", "N", "trials before all others, whose results are not used (1)"),
        Option.of("--timeout", "SECONDS", "timeout for a trial (10 times the longest one)"),
        Option.flag("--again", "discard the trials in FILE"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "parallax perturb design qs.experiment --factor push --factor pop --factor swap \\\n"
            + "      --treatment 'spin 200ns' --replicates 3 -- ./quicksort 100000",
        "parallax perturb design ring.experiment --factor before:MPI_Recv --factor after:MPI_Recv \\\n"
            + "      -- mpirun -n 4 ./ring",
        "parallax perturb design faster.experiment --factor solve --treatment 'speedup 50%' -- ./a.out");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the experiment file is missing");
    }
    Path file = PerturbFiles.named(arguments.positional().get(0));
    List<String> command = arguments.positional().subList(1, arguments.positional().size());
    if (!Files.exists(file)) {
      return run(file, ModelFactory.eINSTANCE.createExperiment(), command, arguments, console);
    }
    ExperimentFile.read(file);  // nothing is made beside a file that is none
    try (ExperimentLock lock = ExperimentLock.of(file)) {
      Experiment experiment = lock.read();
      long made = experiment.getTrials().stream()
          .filter(trial -> trial.getStatus() == TrialStatus.DONE).count();
      if (made > 0 && !arguments.has("--again")) {
        throw new CommandFailure(file + " has " + made + " trials, which a new design discards; "
            + "name another file, or use --again");
      }
      return run(file, experiment, command, arguments, console);
    } catch (ExperimentException e) {
      throw new CommandFailure(e.getMessage());
    }
  }

  private static int run(Path file, Experiment experiment, List<String> command,
      Arguments arguments, Console console) throws UsageException, CommandFailure {
    try {
      fill(experiment, arguments, command);
      TrialResponses.check(experiment);
      Places places = PerturbFiles.tools().places(file, experiment);
      PlannedDesign planned = design(experiment, arguments);
      ExperimentData.setDesign(experiment, planned.design());
      Path directory = file.toAbsolutePath().getParent();
      Files.createDirectories(directory);
      ExperimentFile.write(experiment, file);
      console.out().print(text(experiment, places, planned));
      console.out().println("\nnext: parallax perturb run " + file);
    } catch (ExperimentException | IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage());
    } catch (IOException e) {
      throw new CommandFailure("the experiment cannot be written: " + e);
    }
    return 0;
  }

  private static void fill(Experiment experiment, Arguments arguments, List<String> command)
      throws UsageException, ExperimentException {
    if (!command.isEmpty()) {
      experiment.getArguments().clear();
      experiment.getArguments().addAll(command);
      experiment.setDirectory(Path.of("").toAbsolutePath().toString());
    }
    if (experiment.getArguments().isEmpty()) {
      throw new UsageException("the command is missing; give it after --");
    }
    if (arguments.has("--program")) {
      String program = arguments.get("--program", "");
      experiment.setProgram(Files.exists(Path.of(program))
          ? Path.of(program).toAbsolutePath().toString() : program);
    }
    for (String library : arguments.all("--library")) {
      experiment.getLibraries().add(Path.of(library).toAbsolutePath().toString());
    }
    List<Factor> factors = experiment.getFactors();
    if (arguments.has("--factor")) {
      factors.clear();
      for (String text : arguments.all("--factor")) {
        factors.add(Factors.make(text, factors));
      }
    }
    if (factors.isEmpty()) {
      throw new UsageException("there is no factor; name one with --factor PLACE, or print "
          + "proposals: parallax perturb suggest TRACE");
    }
    treat(factors, arguments);
    experiment.setReplicates(arguments.number("--replicates", experiment.getReplicates(), 1));
    experiment.setWarmups(arguments.number("--warmups", experiment.getWarmups(), 0));
    experiment.setTimeoutSeconds(arguments.number("--timeout",
        (int) experiment.getTimeoutSeconds(), 0));
    experiment.setSeed(arguments.number("--seed", (int) (System.nanoTime() % 1_000_000_007), 0));
    if (arguments.has("--response") || experiment.getResponses().isEmpty()) {
      experiment.getResponses().clear();
      List<String> wanted = arguments.all("--response");
      for (String text : wanted.isEmpty() ? List.of("elapsed") : wanted) {
        try {
          experiment.getResponses().add(ResponseText.parse(text));
        } catch (ExperimentException e) {
          throw new UsageException(e.getMessage());
        }
      }
    }
  }

  private static void treat(List<Factor> factors, Arguments arguments)
      throws UsageException, ExperimentException {
    for (Factor factor : factors) {
      if (arguments.has("--treatment") || factor.getSettings() == null) {
        Factors.treat(factor, arguments.get("--treatment", "delay"), 0);
      }
    }
    for (String text : arguments.all("--set")) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? text : text.substring(0, equals);
      Factor factor = factors.stream().filter(each -> each.getName().equals(name)).findFirst()
          .orElseThrow(() -> new UsageException("--set names no factor \"" + name + "\""
              + NearNames.hint(name, factors.stream().map(Factor::getName).toList())));
      Factors.treat(factor, text.substring(equals + 1), 0);
    }
    if (arguments.has("--exclusive")) {
      List<Factor> faster = factors.stream()
          .filter(factor -> factor.getTreatment() == Treatment.SPEEDUP).toList();
      if (faster.isEmpty()) {
        throw new UsageException("--exclusive needs a virtual speed-up, and no factor has one; add "
            + "--treatment 'speedup 50%'");
      }
      faster.forEach(factor -> factor.setArgument(Factors.EXCLUSIVE));
    }
    int levels = factors.get(0).getSettings().split(" ").length;
    for (Factor factor : factors) {
      if (factor.getSettings().split(" ").length != levels) {
        throw new UsageException("all factors need the same number of levels; "
            + factors.get(0).getName()
            + " has " + factors.get(0).getSettings() + ", " + factor.getName() + " has "
            + factor.getSettings());
      }
    }
  }

  private static PlannedDesign design(Experiment experiment, Arguments arguments) {
    List<String> names = experiment.getFactors().stream().map(Factor::getName).toList();
    String before = experiment.getDesign() == null ? "" : experiment.getDesign();
    DesignRequest request = DesignRequest.parse(arguments.get("--design", before));
    int levels = experiment.getFactors().get(0).getSettings().split(" ").length;
    PlannedDesign planned = request.make(names, levels);
    experiment.setDesign(request.text());
    return planned;
  }

  private static String text(Experiment experiment, Places places, PlannedDesign planned) {
    Design design = planned.design();
    StringBuilder text = new StringBuilder();
    List<Factor> factors = experiment.getFactors();
    List<String> names = factors.stream().map(Factor::getName).toList();
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    for (int i = 0; i < factors.size(); i++) {
      Factor factor = factors.get(i);
      text.append(String.format(Locale.ROOT, "%-" + width + "s  %s  %s %s%n", factor.getName(),
          factor.getPlace(), factor.getTreatment().getName().toLowerCase(Locale.ROOT),
          factor.getSettings()));
      Map<String, Integer> points = new TreeMap<>();
      for (Places.Point point : places.points()) {
        if (point.place() == i) {
          points.merge((point.function().isEmpty() ? "a function without a name"
              : point.file().isEmpty() ? point.function()
              : point.function() + " (" + Path.of(point.file()).getFileName() + ":" + point.line()
                  + ")") + " by " + point.method(), 1, Integer::sum);
        }
      }
      points.forEach((where, count) -> text.append(" ".repeat(width + 4)).append(where)
          .append(count > 1 ? ", " + count + " times" : "").append('\n'));
      for (String note : places.notes(i)) {
        text.append(" ".repeat(width + 4)).append(note).append('\n');
      }
    }
    text.append('\n');
    planned.lines(names).forEach(line -> text.append(line).append('\n'));
    int replicates = experiment.getReplicates();
    text.append(replicates).append(replicates == 1 ? " replicate, " : " replicates, ")
        .append(replicates * design.runs()).append(" trials\n");
    if (design.levels() == 2) {
      text.append(aliases(design, names));
      text.append(String.format(Locale.ROOT, "with a noise of 1 %%, %s%n",
          Power.of(design, replicates, 1).text(Power.USUAL_POWER, "%")));
    }
    return text.toString();
  }

  private static String aliases(Design design, List<String> names) {
    List<String> strings = new ArrayList<>();
    AliasTable table = AliasTable.of(design, 2);
    for (AliasString string : table.strings()) {
      if (string.terms().size() > 1) {
        strings.add("  " + string.name(names));
      }
    }
    StringBuilder text = new StringBuilder(strings.isEmpty()
        ? "no two effects of one or two factors are aliased\n"
        : "aliased, of one and two factors, are\n" + String.join("\n", strings) + "\n");
    if (!table.orthogonal()) {
      text.append("main effects are mixed with parts of many interactions\n");
    }
    return text.toString();
  }
}
