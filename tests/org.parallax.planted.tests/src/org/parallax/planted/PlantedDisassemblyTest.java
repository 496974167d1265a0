package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.source.Disassembly;
import org.parallax.analysis.source.Disassembly.Code;
import org.parallax.analysis.source.Disassembly.Line;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.trace.Progress;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader.Syntax;

/** One instruction of a real program is known to have the time; it is found, however the program was built. */
class PlantedDisassemblyTest {
  /** A sample stands at the slow instruction or behind it: what a processor completes at once. */
  private static final int SKID = 3;
  private static final String SOURCE = "hot_instruction.c";
  private static final CodeTool TOOL =
      new CodeTool(() -> Agent.in(Path.of(System.getProperty("parallax.native"))));
  @TempDir Path directory;

  private Disassembly of(Recording run, List<String> functions, List<String> lines, Syntax syntax)
      throws CodeException {
    return Disassembly.of(
        run.analysis(), null, new Wanted(functions, lines, syntax), TOOL, Progress.NONE);
  }

  private Recording record(String name, Path program) throws Exception {
    return Recording.of(directory.resolve(name), program.toString(), "60");
  }

  private static int at(List<Line> lines, String text) {
    return IntStream.range(0, lines.size())
        .filter(i -> lines.get(i).instruction().text().startsWith(text)).findFirst().orElseThrow();
  }

  /** Nearly all samples are at the division or just behind it. */
  private static void checkHot(Code code) {
    List<Line> lines = code.lines();
    int slow = at(lines, "div");
    long near = IntStream.rangeClosed(slow, slow + SKID)
        .mapToLong(i -> lines.get(i).samples()).sum();
    assertTrue(code.samples() >= 10, code.samples() + " samples");
    assertTrue(near >= 0.9 * code.samples(), near + " of " + code.samples() + " samples");
  }

  @Test
  void theSlowInstructionHasTheSamples() throws Exception {
    Path program = directory.resolve("hot");
    Compilers.compile(program, SOURCE, "gcc", "-O2", "-g", "-pie", "-fPIE");
    try (Recording run = record("run", program)) {
      Disassembly found = of(run, List.of(), List.of(), Syntax.INTEL);
      Code divide = found.functions().get(0);
      assertEquals("divide", divide.name());
      checkHot(divide);
      List<Line> lines = divide.lines();
      // The loop: its last instruction leads back to its first.
      Line back = lines.get(at(lines, "jnz"));
      int begin = IntStream.range(0, lines.size())
          .filter(i -> lines.get(i).label().equals(back.target())).findFirst().orElseThrow();
      assertTrue(begin < at(lines, "div"), "the loop begins at " + begin);
      // The part that the compiler put elsewhere, with its call.
      Line call = lines.get(at(lines, "call"));
      assertEquals(1, call.part());
      assertEquals("complain", call.target());
      // Inlined code.
      assertTrue(lines.stream().anyMatch(line -> line.inlined().equals("mix")));
      assertEquals(List.of(), found.warnings());
      // The same by the line, in the other syntax.
      Line hot = lines.get(at(lines, "div"));
      Disassembly line = of(run, List.of(), List.of(SOURCE + ":" + hot.sourceLine()), Syntax.ATT);
      assertTrue(line.functions().get(0).lines().stream()
          .anyMatch(each -> each.instruction().text().equals("div %rsi")));
      assertTrue(line.functions().get(0).lines().size() < lines.size());
      assertTrue(assertThrows(CodeException.class,
          () -> of(run, List.of("dvide"), List.of(), Syntax.INTEL)).getMessage()
          .contains("did you mean divide?"));
      // Built anew, it has other instructions: none of them gets these samples.
      Compilers.compile(program, SOURCE, "gcc", "-O1", "-g");
      assertTrue(assertThrows(CodeException.class,
          () -> of(run, List.of(), List.of(), Syntax.INTEL)).getMessage()
          .contains("has changed since the run"));
    }
  }

  @Test
  void strippedProgramsAndLibrariesAreListed() throws Exception {
    Path library = directory.resolve("libhot.so");
    Compilers.compile(library, SOURCE, "gcc", "-O2", "-g", "-shared", "-fPIC", "-Dmain=run",
        "-Wl,-Bsymbolic");
    Path main = directory.resolve("main.c");
    Files.writeString(main, "int run(int, char**);\n"
        + "int main(int n, char** a) { return run(n, a); }\n");
    Path program = directory.resolve("with_library");
    assertEquals(0, new ProcessBuilder("gcc", main.toString(), library.toString(), "-o",
        program.toString()).inheritIO().start().waitFor());
    try (Recording run = record("library", program)) {
      Disassembly found = of(run, List.of("divide"), List.of(), Syntax.INTEL);
      assertEquals(library.toString(), found.functions().get(0).module());
      checkHot(found.functions().get(0));
    }
    Path stripped = directory.resolve("stripped");
    Compilers.compile(stripped, SOURCE, "gcc", "-O2", "-s", "-no-pie");
    try (Recording run = record("stripped-run", stripped)) {
      Code code = of(run, List.of(), List.of(), Syntax.INTEL).functions().get(0);
      assertTrue(code.name().startsWith("stripped+0x"), code.name());
      checkHot(code);
    }
    // Without a build id, a file that was written after the run is another one.
    Path plain = directory.resolve("plain");
    Compilers.compile(plain, SOURCE, "gcc", "-O2", "-Wl,--build-id=none");
    try (Recording run = record("plain-run", plain)) {
      checkHot(of(run, List.of("divide"), List.of(), Syntax.INTEL).functions().get(0));
      Files.write(plain, Files.readAllBytes(plain));
      assertTrue(assertThrows(CodeException.class,
          () -> of(run, List.of(), List.of(), Syntax.INTEL)).getMessage()
          .contains("no build id"));
    }
  }
}
