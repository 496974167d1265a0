package org.parallax.cli;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.cli.export.ExportCommand;
import org.parallax.cli.report.ReportOptions;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Prints a script with which a shell completes commands, options and their values. */
final class CompletionCommand implements Command {
  private static final String PROGRAM = "parallax";
  private static final String BASH = "bash";
  /** What stands in the help for the values of options that are files. */
  private static final String FILES = "(FILE|DIR|TRACE|PATH).*";
  /** Those that {@code ./parallax} runs without this program, and the words that can follow. */
  private static final Map<String, List<String>> OTHERS = new TreeMap<>(Map.of("setup", List.of(), "demo",
      List.of(), "filter", List.of(), "ide", List.of(), "test", List.of("native", "plugins", "sanitize", "installed",
      "fresh", "build"), "bench", List.of("agent", "experiments", "interchange", "transports", "ui"), "study",
      List.of("hybrid", "clock", "psim", "storage", "quicksort", "ring", "intrusion", "pvm-library", "pvm-is",
          "mpi-variables", "mpi-collectives"), "screenshots", List.of()));

  private final List<Command> commands;

  /** @param commands all others */
  CompletionCommand(List<Command> commands) {
    this.commands = commands;
  }

  @Override
  public String name() {
    return "completion";
  }

  @Override
  public String usage() {
    return BASH;
  }

  @Override
  public String summary() {
    return "Prints a script for the shell that completes commands and options";
  }

  @Override
  public String description() {
    return """

        The script completes commands, options, their values and file names. parallax must be in
        the PATH. In zsh, first run: autoload -U +X bashcompinit && bashcompinit""";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public List<String> examples() {
    return List.of("parallax completion bash > ~/.local/share/bash-completion/completions/parallax",
        "source <(parallax completion bash)");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException {
    if (!arguments.positional().equals(List.of(BASH))) {
      throw new UsageException("completion exists only for " + BASH + "; see: parallax completion "
          + "--help");
    }
    console.out().print(AutoComplete.bash(PROGRAM, new CommandLine(spec())));
    console.out().flush();
    return 0;
  }

  private CommandSpec spec() {
    List<String> reports = ReportOptions.catalogue().ids();
    Map<String, List<String>> firstWords = Map.of("report", reports, "compare", reports, "export",
        ExportCommand.formats(), name(), List.of(BASH));
    CommandSpec all = CommandSpec.create().name(PROGRAM);
    List<Command> each = new ArrayList<>(commands);
    each.add(this);
    for (Command command : each) {
      CommandSpec parent = all;
      String[] words = command.name().split(" ");
      for (int i = 0; i + 1 < words.length; i++) {
        CommandLine group = parent.subcommands().get(words[i]);
        CommandSpec made = group == null ? CommandSpec.create() : group.getCommandSpec();
        if (group == null) {
          parent.addSubcommand(words[i], made);
        }
        parent = made;
      }
      parent.addSubcommand(words[words.length - 1],
          spec(command, firstWords.getOrDefault(command.name(), List.of())));
    }
    OTHERS.forEach((name, words) -> all.addSubcommand(name, positionals(CommandSpec.create(), words)));
    return all;
  }

  private static CommandSpec spec(Command command, List<String> firstWords) {
    CommandSpec spec = CommandSpec.create();
    for (Option option : command.allOptions()) {
      // The script names the list of values after the label, which must not be that of another one.
      OptionSpec.Builder made = OptionSpec.builder(option.name()).paramLabel(option.name());
      if (option.isFlag() || !option.usual().isEmpty()) {
        made.arity("0").type(boolean.class);
      } else if (option.value().matches(FILES)) {
        made.arity("1").type(File.class);
      } else {
        made.arity("1").type(String.class);
      }
      if (!option.allowed().isEmpty()) {
        made.completionCandidates(option.allowed());
      }
      spec.addOption(made.build());
    }
    return positionals(spec, firstWords);
  }

  private static CommandSpec positionals(CommandSpec spec, List<String> firstWords) {
    if (!firstWords.isEmpty()) {
      spec.addPositional(PositionalParamSpec.builder().index("0").type(String.class)
          .completionCandidates(firstWords).build());
    }
    return spec.addPositional(files(firstWords.isEmpty() ? "0..*" : "1..*"));
  }

  private static PositionalParamSpec files(String index) {
    return PositionalParamSpec.builder().index(index).arity("0..*").type(List.class)
        .auxiliaryTypes(File.class).build();
  }
}
