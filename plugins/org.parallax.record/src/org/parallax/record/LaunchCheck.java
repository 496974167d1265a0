package org.parallax.record;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.model.files.RunResolver;
import org.parallax.record.LaunchPlan.PlannedApplication;
import org.parallax.record.Problem.Topic;

/** Looks before a launch at what it needs: a problem with a remedy for each thing that is missing. */
public final class LaunchCheck {
  private static final long LITTLE_SPACE_BYTES = 100L << 20;
  /** Samples more often than this need perf events on common kernels. */
  private static final int TICK_HZ = 250;
  private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");
  private static final int MOST_PARANOID = 2;

  private final LaunchPlan plan;
  private final Agent agent;
  private final List<Problem> problems = new ArrayList<>();

  private LaunchCheck(LaunchPlan plan, Agent agent) {
    this.plan = plan;
    this.agent = agent;
  }

  /**
   * Looks; starts a launcher of MPI at most, to see which one it is.
   *
   * @return what is missing, errors first; empty when nothing is
   */
  public static List<Problem> of(LaunchPlan plan, Agent agent) {
    LaunchCheck check = new LaunchCheck(plan, agent);
    check.checkTraces();
    if (!plan.active().isEmpty()) {
      check.checkAgent();
      check.checkOutput();
      check.checkSampling();
      plan.active().stream().filter(each -> !each.isAttached()).forEach(check::checkProgram);
    }
    List<Problem> ordered =
        new ArrayList<>(check.problems.stream().filter(Problem::isError).distinct().toList());
    check.problems.stream().filter(each -> !each.isError()).distinct().forEach(ordered::add);
    return ordered;
  }

  static String noRecorder(Agent agent) {
    return "the recorder " + agent.recorder() + " does not exist or is not executable; "
        + RECORDER_REMEDY;
  }

  private static final String RECORDER_REMEDY = "install the Parallax feature for this machine, "
      + "build the native programs with ./parallax setup, or name their directory in the "
      + "preferences";

  private void checkAgent() {
    if (Agent.executable(agent.recorder()) == null) {
      problems.add(Problem.error(Topic.AGENT, "the recorder " + agent.recorder()
          + " does not exist or is not executable", RECORDER_REMEDY));
      return;
    }
    Path library = agent.library();
    if (library == null) {
      problems.add(Problem.error(Topic.AGENT, "the agent libparallax-agent.so is neither beside "
          + agent.recorder() + " nor in ../lib/parallax", "build it with: ./parallax setup"));
      return;
    }
    ElfFile elf = ElfFile.read(library);
    if (elf == null || !elf.isX86()) {
      problems.add(Problem.error(Topic.AGENT, library + " cannot be loaded: it is not a library "
          + "for x86_64", "build it again with: ./parallax setup"));
    } else if (library.toString().matches(".*[: ].*")) {
      problems.add(Problem.error(Topic.AGENT, "the path of the agent, " + library + ", contains a "
          + "space or colon, which LD_PRELOAD does not allow",
          "move Parallax to another directory"));
    }
  }

  private void checkOutput() {
    Path existing = plan.output().toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
      problems.add(Problem.error(Topic.OUTPUT, "cannot write traces to " + plan.output()
          + (existing == null || Files.isDirectory(existing) ? ": permission denied"
              : ": " + existing + " is a file"), "choose another directory for traces"));
      return;
    }
    try {
      FileStore store = Files.getFileStore(existing);
      if (store.getUsableSpace() < LITTLE_SPACE_BYTES) {
        problems.add(Problem.warning(Topic.OUTPUT, "there are only "
            + (store.getUsableSpace() >> 20) + " MiB of free space for traces in " + plan.output(),
            "remove old traces, or choose a directory on another disk"));
      }
    } catch (IOException e) {
      // Nothing is known of the space: the agent tells when it is used up.
    }
  }

  private void checkSampling() {
    int at = plan.options().indexOf("--sample-hz");
    String rate = at < 0 ? "" : plan.options().get(at + 1);
    if (!rate.matches("\\d{1,6}") || Integer.parseInt(rate) <= TICK_HZ) {
      return;
    }
    try {
      int paranoid = Integer.parseInt(Files.readString(PARANOID).strip());
      if (paranoid > MOST_PARANOID && !"root".equals(System.getProperty("user.name"))) {
        problems.add(Problem.warning(Topic.SAMPLING, rate + " samples per second may not be "
            + "possible: this kernel does not allow perf events (perf_event_paranoid is " + paranoid
            + ")",
            "allow them with: sudo sysctl kernel.perf_event_paranoid=2, or take " + TICK_HZ
                + " samples per second"));
      }
    } catch (IOException | NumberFormatException e) {
      // A kernel without perf events: samples come from timers, as the trace tells.
    }
  }

  private void checkTraces() {
    for (PlannedApplication each : plan.applications()) {
      if (!each.isActive() && !RunResolver.resolve(each.trace()).isRecorded()) {
        problems.add(Problem.error(Topic.TRACE, "there is no trace in " + each.trace(),
            "choose the directory of a trace for " + each.name() + ", or make it active"));
      }
    }
  }

  private void checkProgram(PlannedApplication application) {
    Path directory = application.directory();
    if (!Files.isDirectory(directory)) {
      problems.add(Problem.error(Topic.PROGRAM, "the working directory " + directory + " of "
          + application.name() + " does not exist", "create it, or choose another one"));
      return;
    }
    if (application.processes() > 0) {
      checkLauncher(application);
    }
    List<String> command = application.processes() > 0
        ? application.command().subList(1, application.command().size()) : application.command();
    Path program = Programs.executable(command, directory, application.search());
    String first = application.command().get(0);
    if (program == null && application.processes() == 0) {
      program = Programs.find(first, directory, application.search());
    }
    if (program == null) {
      String name = application.processes() == 0 ? first : application.name();
      problems.add(Problem.error(Topic.PROGRAM, "the program " + name + " does not exist"
          + (name.contains("/") ? "" : ", not even in PATH"), "build it, or correct its path"));
      return;
    }
    checkFile(program);
    ElfFile elf = ElfFile.read(program);
    if (elf != null && elf.isX86() && elf.isDynamic()) {
      checkElf(application, program, elf);
    }
  }

  private void checkFile(Path program) {
    ElfFile elf = ElfFile.read(program);
    if (!Files.isExecutable(program)) {
      problems.add(Problem.error(Topic.PROGRAM, program + " is not executable",
          "if it is a program: chmod +x " + program));
    } else if (elf != null && !elf.isX86()) {
      problems.add(Problem.error(Topic.PROGRAM, program + " is not a program for x86_64",
          "build it with -m64 for x86_64"));
    } else if (elf != null && !elf.isDynamic()) {
      problems.add(Problem.error(Topic.PROGRAM, program + " is statically linked, so the agent "
          + "cannot be loaded into it", "link it without -static"));
    } else if (elf != null && !elf.hasNames()) {
      problems.add(Problem.warning(Topic.SYMBOLS, program + " has no symbols: functions will be "
          + "shown as addresses", "build it with -g and do not strip it"));
    } else if (elf != null && !elf.hasLines()) {
      problems.add(Problem.warning(Topic.SYMBOLS, program + " has no debug information: there will be "
          + "no source lines", "build it with -g"));
    }
  }

  private void checkElf(PlannedApplication application, Path program, ElfFile elf) {
    String fitting = MpiLauncher.fitting(elf);
    if (!fitting.isEmpty() && application.processes() == 0
        && !Programs.isLauncher(application.command().get(0))) {
      problems.add(Problem.warning(Topic.MPI, program + " is an MPI program but has no launcher: "
          + "it will run as one process", "set a launcher, such as " + fitting));
    }
    if (elf.needs("libpvm")) {
      checkPvm(application);
    }
  }

  /** Tasks that the daemon of a virtual machine starts are only recorded when there is one. */
  private void checkPvm(PlannedApplication application) {
    Path temporary = Path.of(application.variable("PVM_TMP") == null ? "/tmp"
        : application.variable("PVM_TMP"));
    long user;
    try {
      user = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
    } catch (IOException | UnsupportedOperationException e) {
      return;
    }
    if (!Files.exists(temporary.resolve("pvmd." + user))) {
      problems.add(Problem.error(Topic.PVM, "no PVM daemon is running for this user ("
          + temporary.resolve("pvmd." + user) + " does not exist)",
          "start one with: echo quit | pvm"
              + (user == 0 ? " (as root with PVM_ALLOW_ROOT=1)" : "")));
    } else if (ProcessHandle.allProcesses().noneMatch(LaunchCheck::isPvmDaemon)) {
      problems.add(Problem.error(Topic.PVM, "the PVM daemon that wrote "
          + temporary.resolve("pvmd." + user) + " has ended",
          "remove that file, and start a new daemon with: echo quit | pvm"));
    }
  }

  private static boolean isPvmDaemon(ProcessHandle process) {
    return process.info().command().map(Path::of)
        .map(path -> path.getFileName().toString().startsWith("pvmd")).orElse(false);
  }

  private void checkLauncher(PlannedApplication application) {
    String name = application.command().get(0);
    Path launcher = Programs.find(name, application.directory(), application.search());
    if (launcher == null || !Files.isExecutable(launcher)) {
      String lower = name.substring(name.lastIndexOf('/') + 1);
      problems.add(Problem.error(Topic.MPI, "the launcher " + name + " does not exist"
          + (name.contains("/") ? "" : ", not even in PATH"), "install an MPI library (on Debian "
          + "and Ubuntu the package " + (lower.contains("mpich")
          ? "mpich" : lower.contains("openmpi")
                  ? "openmpi-bin" : "openmpi-bin or mpich") + "), or correct the path of the "
                  + "launcher"));
      return;
    }
    if (MpiLauncher.of(launcher) != MpiLauncher.OPEN_MPI) {
      return;
    }
    if ("root".equals(System.getProperty("user.name"))
        && application.variable("OMPI_ALLOW_RUN_AS_ROOT") == null
        && !application.command().contains("--allow-run-as-root")) {
      problems.add(Problem.error(Topic.MPI, "Open MPI does not run programs as root",
          "run as another user, or set in the environment of " + application.name()
              + ": OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"));
    }
    int processors = Runtime.getRuntime().availableProcessors();
    boolean mayShare = application.command().stream().anyMatch(word -> word.contains("oversubscribe")
        || word.equals("--hostfile") || word.equals("--use-hwthread-cpus"))
        || application.variable("OMPI_MCA_rmaps_base_oversubscribe") != null
        || application.variable("PRTE_MCA_rmaps_default_mapping_policy") != null;
    if (application.hosts().isEmpty() && application.processes() > processors && !mayShare) {
      problems.add(Problem.warning(Topic.MPI, application.processes() + " processes of "
          + application.name() + " are more than the " + processors + " processors of this machine, "
          + "which Open MPI may refuse", "run fewer, or add the launcher's argument --oversubscribe"));
    }
  }
}
