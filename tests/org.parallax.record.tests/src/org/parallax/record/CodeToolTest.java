package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.code.CodeReader.Syntax;
import org.parallax.trace.code.MachineCode;

/** How machine code is asked for; the real tool is run by the tests of planted programs. */
class CodeToolTest {
  /** Each 16 bytes are a function, but for those at 0. */
  private static final String TOOL = """
      #!/bin/sh
      shift 3
      printf 'parallax-disassembly\\t1\\nB\\tab12\\n'
      for offset; do
        entry=$((0x$offset / 16 * 16))
        if [ $entry = 0 ]; then
          printf 'X\\t%s\\n' $offset
        elif [ "$entry" != "$last" ]; then
          printf 'P\\t%x\\tf\\nR\\t%x\\t%x\\nI\\t%x\\t16\\t\\t\\tnop\\n' $entry $entry $((entry + 16)) $entry
        fi
        last=$entry
      done
      """;
  @TempDir Path directory;

  @Test
  void moreAddressesThanACommandLineHoldsAreAskedForInPortions() throws Exception {
    Path tool = directory.resolve("parallax-disassembly");
    Files.writeString(tool, TOOL);
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    List<Long> offsets = LongStream.range(0, 6000).mapToObj(i -> 8 * i).toList();
    MachineCode code = new CodeTool(() -> Agent.in(directory))
        .read("/opt/program", "", offsets, Syntax.INTEL, Progress.NONE);
    assertEquals(LongStream.range(1, 3000).mapToObj(i -> 16 * i).toList(),
        code.functions().stream().map(MachineCode.Function::entry).sorted().toList());
    assertEquals(Set.of(0L, 8L), code.unknown());
    assertEquals("ab12", code.buildId());
  }
}
