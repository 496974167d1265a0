package org.parallax.analysis.source;

import java.util.List;
import java.util.function.Predicate;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Symbols;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;
import org.parallax.trace.code.MachineCode.Instruction;

/**
 * The instructions of functions with the samples of each. Immutable.
 *
 * @param functions those with the most samples first
 * @param allSamples in the scope, also those of other functions
 * @param warnings what a person must know to read the numbers right
 */
public record Disassembly(List<Code> functions, long allSamples, List<String> warnings) {
  /**
   * What is listed. Without functions and lines it is the function with the most samples.
   *
   * @param functions names, with or without parameters; of a function that was inlined, its
   *     instructions inside of other functions
   * @param lines {@code FILE:LINE}: the instructions of the line; the path of the file can be cut at
   *     its beginning
   */
  public record Wanted(List<String> functions, List<String> lines, CodeReader.Syntax syntax) {
    private static final String OPERATOR = "::operator";
    private static final String ANONYMOUS = "(anonymous namespace)";

    public Wanted {
      functions = List.copyOf(functions);
      lines = List.copyOf(lines);
    }

    boolean isAny() {
      return functions.isEmpty() && lines.isEmpty();
    }

    boolean has(String function) {
      return functions.stream().anyMatch(wanted -> wanted.equals(function)
          || wanted.equals(withoutParameters(function)));
    }

    boolean has(Symbols.Frame frame) {
      return has(frame.function()) || lines.stream().anyMatch(isAt(frame));
    }

    private static Predicate<String> isAt(Symbols.Frame frame) {
      String place = frame.file() + ":" + frame.line();
      return wanted -> place.equals(wanted) || place.endsWith("/" + wanted);
    }

    /** Up to the parenthesis that belongs neither to arguments of templates nor to an operator. */
    private static String withoutParameters(String name) {
      int depth = 0;
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (name.startsWith(OPERATOR, i)) {
          i = name.indexOf('(', name.startsWith("()", i + OPERATOR.length())
              ? i + OPERATOR.length() + 2 : i);
          return i < 0 ? name : name.substring(0, i);
        }
        if (name.startsWith(ANONYMOUS, i)) {
          i += ANONYMOUS.length() - 1;
        } else if (c == '(' && depth == 0) {
          return name.substring(0, i);
        } else {
          depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        }
      }
      return name;
    }
  }

  /**
   * A function, or the instructions of it that are wanted.
   *
   * @param name with the module's where the function has none
   * @param module path of the program or library
   * @param isWhole whether all instructions are listed
   */
  public record Code(String name, String module, boolean isWhole, List<Line> lines) {
    public long samples() {
      return lines.stream().mapToLong(Line::samples).sum();
    }

    public long ns() {
      return lines.stream().mapToLong(Line::ns).sum();
    }
  }

  /**
   * An instruction.
   *
   * @param label by which jumps in the function name it; empty when none leads here
   * @param target the label, function or address to which it jumps or which it calls; else empty
   * @param part of the function in which it is, from 0
   * @param interval of its time
   */
  public record Line(Instruction instruction, String label, String target, int part, long samples,
      long ns, SampleInterval interval) {
    /** @return the file of the source, empty where it is not known */
    public String file() {
      return instruction.frames().isEmpty() ? "" : instruction.frames().get(0).file();
    }

    /** @return the line of the source, 0 where it is not known */
    public int sourceLine() {
      return instruction.frames().isEmpty() ? 0 : instruction.frames().get(0).line();
    }

    /** @return the function whose inlined code it is, else empty */
    public String inlined() {
      return instruction.frames().size() < 2 ? "" : instruction.frames().get(0).function();
    }
  }

  /**
   * Lists instructions.
   *
   * @param node to which samples are limited; null for all
   * @throws CodeException when no code can be shown, with the reason
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static Disassembly of(ApplicationAnalysis analysis, TreeNode node, Wanted wanted,
      CodeReader reader, Progress progress) throws CodeException {
    return new DisassemblyMaker(new AddressSums(analysis, node, progress), wanted, reader)
        .make(progress);
  }

  /** @return the time of all instructions that are listed */
  public long totalNs() {
    return functions.stream().mapToLong(Code::ns).sum();
  }
}
