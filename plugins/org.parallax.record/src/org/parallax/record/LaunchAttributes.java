package org.parallax.record;

import java.util.List;

/**
 * The attributes of a saved launch of a parallel program. All values are text, so that a
 * {@code .launch} file can be read, written and compared by hand; docs/launching.md tells each.
 */
public final class LaunchAttributes {
  /** The type of launch configurations that have these attributes. */
  public static final String TYPE = "org.parallax.launch.parallelProgram";

  /** The type of those that record a program that runs already. */
  public static final String TYPE_RUNNING = "org.parallax.launch.runningProgram";

  private static final String PREFIX = "org.parallax.launch.";

  /** How many applications there are; those of the n-th begin with {@code application.n.}. */
  public static final String APPLICATIONS = PREFIX + "applications";
  /** The directory in which each launch makes one of its own. */
  public static final String OUTPUT = PREFIX + "output";
  /** How often the active applications run, one time after the other. */
  public static final String REPETITIONS = PREFIX + "repetitions";
  /** The name of what a launch makes; that of the configuration if empty. */
  public static final String RUN_NAME = PREFIX + "run-name";

  public static final String SAMPLE_HZ = PREFIX + "sample-hz";
  public static final String SAMPLE_CLOCK = PREFIX + "sample-clock";
  public static final String ADAPTERS = PREFIX + "adapters";
  public static final String COUNT = PREFIX + "count";
  public static final String FLAT = PREFIX + "flat";
  public static final String FULL = PREFIX + "full";
  public static final String FILTER = PREFIX + "filter";
  public static final String THROTTLE = PREFIX + "throttle";
  /** The free disk space at which recording stops, as the recorder's option has it. */
  public static final String KEEP_FREE = PREFIX + "keep-free";
  /** The size of the trace at which recording stops. */
  public static final String MAX_SIZE = PREFIX + "max-size";
  /** The size of the files of a process at which its recording stops. */
  public static final String MAX_PROCESS_SIZE = PREFIX + "max-process-size";
  /** The bytes that a process may record in a second, before it pauses for the rest of the second. */
  public static final String MAX_RATE = PREFIX + "max-rate";
  /** The time before the end of which events are kept. */
  public static final String KEEP_LAST = PREFIX + "keep-last";
  /** Whether recording can be paused, and how it begins: {@code running} or {@code paused}; empty if not. */
  public static final String CONTROL = PREFIX + "control";
  /** How events get to the disk. */
  public static final String TRANSPORT = PREFIX + "transport";
  /** What a thread does if the process that writes its events is behind: {@code wait} or {@code drop}. */
  public static final String WHEN_FULL = PREFIX + "when-full";
  /** Whether the first processes of hosts measure how far the clocks are apart: {@code true} or {@code false}. */
  public static final String CLOCK_OFFSETS = PREFIX + "clock-offsets";
  /** Whether daemons that an application leaves behind are ended: {@code true} or {@code false}. */
  public static final String END_ALL = PREFIX + "end-all";
  /** Further options of the recorder, as in a shell. */
  public static final String OPTIONS = PREFIX + "options";

  /** Of a program that runs already: a text that its name or command has, for the list of processes. */
  public static final String ATTACH_PROGRAM = PREFIX + "attach.program";
  /** For how long it is recorded; empty: until the recording is ended, or the program ends. */
  public static final String ATTACH_TIME = PREFIX + "attach.for";
  /** The numbers of processes, by commas, of a launch that does not ask for them; not for a saved one. */
  public static final String ATTACH_PROCESSES = PREFIX + "attach.processes";

  /** How many times a second the monitor of the machine looks; empty for none. */
  public static final String MONITOR_HZ = PREFIX + "monitor-hz";
  /** Commands of other monitors, one a line. */
  public static final String EXTERNALS = PREFIX + "externals";

  /** Whether the programs are tuned while they run: {@code advise} or {@code act}; empty if not. Only in the workbench. */
  public static final String TUNE = PREFIX + "tune";
  /** The names of the built-in models to use, by commas; empty for all. */
  public static final String TUNE_MODELS = PREFIX + "tune.models";
  /** Files of further models, one a line. */
  public static final String TUNE_FILES = PREFIX + "tune.files";

  /** What can be intercepted, as the recorder names it. */
  public static final List<String> ALL_ADAPTERS =
      List.of("mpi", "pthread", "process", "stream", "file", "openmp", "pvm", "user");

  /** A property of an application. */
  public enum Field {
    /** Its name; that of the program if empty. */
    NAME("name"),
    /** {@code active}, {@code replay} or {@code comparison}. */
    MODE("mode"),
    /** What to run: a path, or a name in the directories of {@code PATH}. */
    PROGRAM("program"),
    /** Arguments of the program, as in a shell. */
    ARGUMENTS("arguments"),
    /** What starts its processes, {@code mpirun} for instance; empty for none. */
    LAUNCHER("launcher"),
    /** How many processes the launcher starts. */
    PROCESSES("processes"),
    /** Further arguments of the launcher, as in a shell. */
    LAUNCHER_ARGUMENTS("launcher-arguments"),
    /** Machines on which the launcher starts processes, by commas; empty for this one. */
    HOSTS("hosts"),
    /** Variables, one a line: {@code NAME=VALUE}. */
    ENVIRONMENT("environment"),
    /** The working directory; that of the program if empty. */
    DIRECTORY("directory"),
    /** The trace of an application that is not active. */
    TRACE("trace");

    private final String key;

    Field(String key) {
      this.key = key;
    }

    /** The attribute of the application with this number, from 1. */
    public String of(int number) {
      return PREFIX + "application." + number + "." + key;
    }
  }

  private LaunchAttributes() {}
}
