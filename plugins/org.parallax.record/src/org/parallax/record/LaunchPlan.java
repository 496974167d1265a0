package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.parallax.model.RunMode;
import org.parallax.record.LaunchAttributes.Field;

/**
 * What a launch does: a saved one with its variables replaced and its numbers read.
 *
 * @param name of what it makes, as a file can be named
 * @param applications at least one
 * @param options of the recorder
 * @param output in which each launch makes a directory
 * @param repetitions how often the active applications run, at least once
 */
public record LaunchPlan(String name, List<PlannedApplication> applications, List<String> options,
    Path output, int repetitions) {
  /** In which traces go when nothing is said. */
  public static final String USUAL_OUTPUT = "traces";

  private static final Pattern NUMBER = Pattern.compile("(\\d{1,8})(\\..*)?");
  private static final int MOST_PROCESSES = 1 << 20;
  private static final int MOST_REPETITIONS = 1000;
  /** Replaces variables in a text. */
  @FunctionalInterface
  public interface Variables {
    /** @throws RecordException when one is not known */
    String replace(String text) throws RecordException;
  }

  /**
   * An application.
   *
   * @param name unique in the plan, as a file can be named
   * @param command what runs, empty unless it is active
   * @param directory in which it runs
   * @param environment besides that of the recorder
   * @param processes of the launcher; 0 without one
   * @param hosts of the launcher
   * @param trace of an application that is not active, else null
   * @param attached the processes that are recorded, which run already; empty: the command is started
   */
  public record PlannedApplication(String name, RunMode mode, List<String> command, Path directory,
      Map<String, String> environment, int processes, List<String> hosts, Path trace,
      List<Long> attached) {
    /** One that is started. */
    public PlannedApplication(String name, RunMode mode, List<String> command, Path directory,
        Map<String, String> environment, int processes, List<String> hosts, Path trace) {
      this(name, mode, command, directory, environment, processes, hosts, trace, List.of());
    }

    /** Whether it runs already: it goes on when its recording ends. */
    public boolean isAttached() {
      return !attached.isEmpty();
    }

    /** @return the search path for programs, as the application has it */
    public String search() {
      return environment.getOrDefault("PATH", System.getenv("PATH"));
    }

    /** @return a variable as the application sees it, or null */
    public String variable(String variable) {
      return environment.getOrDefault(variable, System.getenv(variable));
    }

    public boolean isActive() {
      return mode == RunMode.ACTIVE;
    }
  }

  /**
   * Reads a saved launch. Looks at files, and asks a launcher of MPI with hosts which one it is.
   *
   * @param title the name of the saved launch
   * @param base to which paths refer that are not absolute
   * @throws RecordException when something in it is wrong or missing
   */
  public static LaunchPlan of(String title, Map<String, String> attributes, Path base,
      Variables variables) throws RecordException {
    List<String> options = new ArrayList<>();
    List<String> forAgent = new ArrayList<>();
    for (RecorderOption option : RecorderOption.ALL) {
      if (addOption(option, attributes, base, variables, options)
          && !option.variable().isEmpty()) {
        forAgent.add(option.variable());
      }
    }
    options.addAll(CommandLine.split(value(attributes, LaunchAttributes.OPTIONS, variables)));
    List<PlannedApplication> applications = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ApplicationSettings each : ApplicationSettings.read(attributes)) {
      applications.add(application(each, base, variables, forAgent, names));
    }
    if (applications.isEmpty()) {
      throw new RecordException("the launch " + title + " has no application; add one with a program");
    }
    String runName = value(attributes, LaunchAttributes.RUN_NAME, variables);
    String output = value(attributes, LaunchAttributes.OUTPUT, variables);
    return new LaunchPlan(fileName(runName.isEmpty() ? title : runName), List.copyOf(applications),
        List.copyOf(options), output.isEmpty()
            ? applications.get(0).directory().resolve(USUAL_OUTPUT) : base.resolve(output).normalize(),
        number(attributes.getOrDefault(LaunchAttributes.REPETITIONS, ""), 1, MOST_REPETITIONS,
            "the number of repetitions"));
  }

  /** Adds the words of an option that the attributes set. @return whether they do */
  static boolean addOption(RecorderOption option, Map<String, String> attributes, Path base,
      Variables variables, List<String> options) throws RecordException {
    String value = value(attributes, option.attribute(), variables);
    if (value.isEmpty() || option.isFlag() && !Boolean.parseBoolean(value)) {
      return false;
    }
    if (option.name().equals(RecorderOption.FILTER)) {
      value = base.resolve(value).toString();
    }
    for (String each : option.name().equals(RecorderOption.EXTERNAL) ? lines(value) : List.of(value)) {
      options.addAll(option.words(each));
    }
    return true;
  }

  /** Whether it records programs that run already, and go on when the recording ends. */
  public boolean isAttached() {
    return applications.stream().anyMatch(PlannedApplication::isAttached);
  }

  /** @return the applications that run */
  public List<PlannedApplication> active() {
    return applications.stream().filter(PlannedApplication::isActive).toList();
  }

  private static PlannedApplication application(ApplicationSettings settings, Path base,
      Variables variables, List<String> forAgent, Set<String> names) throws RecordException {
    RunMode mode = settings.mode();
    if (mode == null) {
      throw new RecordException("the mode " + settings.get(Field.MODE) + " of the application "
          + settings.name() + " does not exist; the modes are active, replay and comparison");
    }
    String name = unique(fileName(variables.replace(settings.name())), names);
    String trace = variables.replace(settings.get(Field.TRACE)).strip();
    String directory = variables.replace(settings.get(Field.DIRECTORY)).strip();
    if (mode != RunMode.ACTIVE) {
      if (trace.isEmpty()) {
        throw new RecordException("the application " + name + " is in mode "
            + settings.get(Field.MODE) + " but has no trace; name a trace, or make the application "
            + "active");
      }
      return new PlannedApplication(name, mode, List.of(),
          directory.isEmpty() ? base : base.resolve(directory).normalize(), Map.of(), 0, List.of(),
          base.resolve(trace).normalize());
    }
    String program = variables.replace(settings.get(Field.PROGRAM)).strip();
    if (program.isEmpty()) {
      throw new RecordException("an application has no program; name its program");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    for (String line : lines(variables.replace(settings.get(Field.ENVIRONMENT)))) {
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw new RecordException("\"" + line + "\" in the environment of " + name
            + " is not a variable; write NAME=VALUE, one per line");
      }
      environment.put(line.substring(0, equals), line.substring(equals + 1));
    }
    Path file = program.contains("/") ? base.resolve(program).normalize() : null;
    Path work = !directory.isEmpty() ? base.resolve(directory).normalize()
        : file != null && file.getParent() != null ? file.getParent() : base;
    String launcher = variables.replace(settings.get(Field.LAUNCHER)).strip();
    List<String> hosts = Arrays.stream(variables.replace(settings.get(Field.HOSTS)).split("[,\\s]+"))
        .filter(host -> !host.isEmpty()).toList();
    List<String> command = new ArrayList<>();
    int processes = 0;
    if (!launcher.isEmpty()) {
      processes = number(variables.replace(settings.get(Field.PROCESSES)), 1, MOST_PROCESSES,
          "the number of processes of " + name);
      Path found = Programs.find(launcher, work,
          environment.getOrDefault("PATH", System.getenv("PATH")));
      MpiLauncher kind = hosts.isEmpty() || found == null ? MpiLauncher.OTHER
          : MpiLauncher.of(found);
      command.add(launcher);
      command.addAll(kind.arguments(processes, hosts, forAgent));
      command.addAll(CommandLine.split(variables.replace(settings.get(Field.LAUNCHER_ARGUMENTS))));
    } else if (!hosts.isEmpty()) {
      throw new RecordException("the application " + name + " has hosts but no launcher; name the "
          + "program that starts processes there, such as mpirun");
    }
    command.add(file == null ? program : file.toString());
    command.addAll(CommandLine.split(variables.replace(settings.get(Field.ARGUMENTS))));
    return new PlannedApplication(name, mode, List.copyOf(command), work, environment, processes,
        hosts, null);
  }

  static String value(Map<String, String> attributes, String key, Variables variables)
      throws RecordException {
    return variables.replace(attributes.getOrDefault(key, "")).strip();
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  private static int number(String text, int usual, int most, String what) throws RecordException {
    if (text.isBlank()) {
      return usual;
    }
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new RecordException(what + " is \"" + text.strip() + "\"; the value must be a number "
        + "from 1 to " + most);
  }

  static String fileName(String name) {
    String plain = name.strip().replaceAll("[^\\p{L}\\p{N}._+-]+", "_");
    return plain.isEmpty() || plain.startsWith(".") ? "run" + plain : plain;
  }

  private static String unique(String name, Set<String> names) {
    String candidate = name;
    for (int number = 2; !names.add(candidate); number++) {
      candidate = name + "-" + number;
    }
    return candidate;
  }

  /**
   * Makes the directory of a launch: no other launch has it, also when two begin at once.
   *
   * @return a new, empty directory whose name ends with a number one above the highest that is there, also of what stands beside
   *     a launch, such as NAME-3.tuning
   * @throws RecordException when it cannot be made
   */
  public Path makeDirectory() throws RecordException {
    try {
      Files.createDirectories(output);
      int number = 1;
      try (Stream<Path> entries = Files.list(output)) {
        for (Path entry : (Iterable<Path>) entries::iterator) {
          number = Math.max(number, number(entry.getFileName().toString()) + 1);
        }
      }
      for (;; number++) {
        Path directory = output.resolve(name + "-" + number);
        try {
          return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(
              PosixFilePermissions.fromString("rwx------")));
        } catch (java.nio.file.FileAlreadyExistsException e) {
          // Another launch was faster: the next number.
        }
      }
    } catch (IOException e) {
      throw new RecordException("the directory " + output + " for traces is not writable ("
          + reason(e) + "); choose another one", e);
    }
  }

  private int number(String entry) {
    String rest = entry.startsWith(name + "-") ? entry.substring(name.length() + 1) : "";
    Matcher number = NUMBER.matcher(rest);
    return number.matches() ? Integer.parseInt(number.group(1)) : 0;
  }

  static String reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException ? "permission denied"
        : e instanceof java.nio.file.FileAlreadyExistsException ? e.getMessage() + " is a file"
            : String.valueOf(e.getMessage());
  }
}
