package org.parallax.trace.code;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.parallax.trace.Symbols.Frame;

/**
 * Functions of a program or library, as {@code parallax-disassembly} prints them. Immutable.
 *
 * @param buildId of the file; empty when it has none
 * @param unknown the offsets that were asked for and that no known function holds
 */
public record MachineCode(String buildId, List<Function> functions, Set<Long> unknown) {
  private static final String FIRST_LINE = "parallax-disassembly\t1";
  private static final long NO_TARGET = -1;

  /** A piece of code, from its first byte to the first one behind it. */
  public record Range(long begin, long end) {
    public boolean contains(long offset) {
      return Long.compareUnsigned(offset, begin) >= 0 && Long.compareUnsigned(offset, end) < 0;
    }
  }

  /**
   * A function.
   *
   * @param name empty where it is not known
   * @param parts the first one begins with the entry; compilers put code that is seldom executed elsewhere
   * @param instructions of all parts in their order, each part by address
   */
  public record Function(String name, long entry, List<Range> parts,
      List<Instruction> instructions) {
    public boolean contains(long offset) {
      return parts.stream().anyMatch(part -> part.contains(offset));
    }
  }

  /**
   * An instruction.
   *
   * @param offset from the load bias
   * @param target where it jumps to or what it calls; -1 where that is not known or it does neither
   * @param targetName of the function that begins there, or of the routine of another module; may be
   *     empty
   * @param frames innermost first; empty where nothing is known
   */
  public record Instruction(long offset, int length, long target, String targetName, String text,
      List<Frame> frames) {
    public boolean hasTarget() {
      return target != NO_TARGET;
    }

    public boolean contains(long address) {
      return address >= offset && address < offset + length;
    }
  }

  public MachineCode {
    functions = List.copyOf(functions);
    unknown = Set.copyOf(unknown);
  }

  /**
   * Reads what the native tool printed.
   *
   * @throws CodeException for a text of another version
   */
  public static MachineCode parse(String text) throws CodeException {
    String[] lines = text.split("\n");
    if (!lines[0].equals(FIRST_LINE)) {
      throw new CodeException("the tool that reads machine code has another version; build it "
          + "again: parallax setup");
    }
    Parser parser = new Parser();
    try {
      for (String line : lines) {
        parser.parse(line.split("\t", -1));
      }
      parser.endFunction();
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new CodeException("the tool that reads machine code printed a line that cannot be "
          + "read: " + e.getMessage());
    }
    return new MachineCode(parser.buildId, parser.functions, parser.unknown);
  }

  private static final class Parser {
    private final List<Function> functions = new ArrayList<>();
    private final Set<Long> unknown = new HashSet<>();
    private String buildId = "";
    private String[] function;
    private final List<Range> parts = new ArrayList<>();
    private final List<Instruction> instructions = new ArrayList<>();
    private String[] instruction;
    private List<Frame> frames = new ArrayList<>();
    private List<Frame> before = List.of();

    void parse(String[] field) {
      switch (field[0]) {
        case "B" -> buildId = field[1];
        case "X" -> unknown.add(hex(field[1]));
        case "P" -> {
          endFunction();
          function = field;
        }
        case "R" -> parts.add(new Range(hex(field[1]), hex(field[2])));
        case "I" -> {
          endInstruction();
          instruction = field;
        }
        case "F" -> frames.add(new Frame(field[1], field[2], Integer.parseInt(field[3]),
            Integer.parseInt(field[4]), field[5].equals("1")));
        case "S" -> frames = before;
        default -> {
          // Of a later version: more than is needed here.
        }
      }
    }

    private void endInstruction() {
      if (instruction != null) {
        before = frames;
        instructions.add(new Instruction(hex(instruction[1]), Integer.parseInt(instruction[2]),
            instruction[3].isEmpty() ? NO_TARGET : hex(instruction[3]), instruction[4],
            instruction[5], before));
      }
      instruction = null;
      frames = new ArrayList<>();
    }

    void endFunction() {
      endInstruction();
      if (function != null) {
        List<Instruction> ordered = new ArrayList<>();
        for (Range part : parts) {
          instructions.stream().filter(each -> part.contains(each.offset)).forEach(ordered::add);
        }
        functions.add(
            new Function(function[2], hex(function[1]), List.copyOf(parts), List.copyOf(ordered)));
      }
      function = null;
      before = List.of();
      parts.clear();
      instructions.clear();
    }

    private static long hex(String text) {
      return Long.parseUnsignedLong(text, 16);
    }
  }
}
