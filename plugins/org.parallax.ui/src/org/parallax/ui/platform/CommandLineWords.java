package org.parallax.ui.platform;

import java.util.List;
import java.util.regex.Pattern;

/** Advice of the core that is for the command line, in terms of the workbench. */
final class CommandLineWords {
  private record Words(Pattern there, String here) {
    static Words of(String there, String here) {
      return new Words(Pattern.compile(there), here);
    }
  }

  /** In this order: the last ones leave out what is still for the command line only. */
  private static final List<Words> ALL = List.of(
      Words.of("; record several runs of each: parallax compare \\S+ \\S+",
          "; record several runs of each, and choose them with Runs"),
      Words.of("for a list of all damage and its consequences, run: parallax check \\S+",
          "the damaged part of the trace is left out of all results"),
      Words.of("; see --level application or procedure", "; choose the level application or procedure"),
      Words.of("; give it after --(?=\\s|$)", "; enter it in the editor"),
      Words.of("; run: parallax-symbols \\S+", "; record it again, or copy the whole trace again"),
      Words.of(", or run on the machine that recorded it: parallax-symbols \\S+", ""),
      Words.of("; if the program needs more time, use perturb design --timeout \\S+",
          "; if the program needs more time, raise the timeout of a trial in the editor"),
      Words.of("(, or make all trials again): parallax perturb run --again \\S+", "$1"),
      Words.of("to continue anyway, use --force", "to continue anyway, run the experiment once more"),
      Words.of("; name the program with --program PATH", "; name the program in the editor"),
      Words.of(" with --program PATH", " in the editor"),
      Words.of("record with --sample-hz (\\d+)", "record $1 samples a second"),
      Words.of("record more samples \\(--sample-hz\\)", "record more samples a second"),
      Words.of("choose another disk with record -o, or reserve less with --keep-free",
          "choose another folder for traces, or reserve less of the disk"),
      Words.of("record less with --sample-hz, --adapters or --count",
          "record fewer samples, interfaces or routines"),
      Words.of("for finer bins, choose a part of the time with --phase", "for finer bins, choose a phase"),
      Words.of("; add one with --active COMMAND", "; add one in the launch configuration"),
      Words.of("with --fold-inlined, ", "with inlined functions in their callers, "),
      Words.of("; leave out --(fold-inlined|exclusive)", ""),
      Words.of("with --exclusive, ", "without callees, "),
      Words.of("; without --exclusive, its callees count too", ""),
      Words.of("Record one with: parallax record -o DIR -- COMMAND",
          "Record one with a launch configuration"),
      Words.of("(Create one|Make one|Remove one of these runs): parallax session [^.;]*", "$1 with the session's editor"),
      Words.of("; see:? parallax [a-z]+ [^.;]*", ""),
      Words.of("[.;:] (see|run|use):? parallax [^.;]*", ""),
      Words.of(" \\(--[a-z-]+\\)", ""));

  private CommandLineWords() {
  }

  /** @return the message with the advice that holds here */
  static String replaced(String message) {
    String text = message;
    for (Words words : ALL) {
      text = words.there().matcher(text).replaceAll(words.here());
    }
    return text;
  }
}
