package org.parallax.trace.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.parallax.trace.Symbols.Frame;
import org.parallax.trace.code.MachineCode.Function;
import org.parallax.trace.code.MachineCode.Instruction;

/** The lines of the native tool. */
class MachineCodeTest {
  private static final String TEXT = """
      parallax-disassembly\t1
      B\tabc123
      X\tffff
      P\t1220\tdivide(long)
      R\t1220\t1227
      R\t10a3\t10a8
      I\t10a3\t5\t1080\tcomplain\tcall 0x1080
      F\tdivide(long)\t/s/hot.c\t27\t26\t0
      I\t1220\t3\t\t\tdiv rsi
      F\tmix\t/s/hot.c\t23\t22\t1
      F\tdivide(long)\t/s/hot.c\t30\t26\t0
      Z\tof a later version
      I\t1223\t4\t10a3\t\tjs 0x10a3
      S
      P\t1300\t
      R\t1300\t1301
      I\t1300\t1\t\t\tret
      """;

  @Test
  void readsFunctionsWithTheirPartsInOrder() throws CodeException {
    MachineCode code = MachineCode.parse(TEXT);
    assertEquals("abc123", code.buildId());
    assertEquals(Set.of(0xffffL), code.unknown());
    assertEquals(List.of("divide(long)", ""),
        code.functions().stream().map(Function::name).toList());
    Function divide = code.functions().get(0);
    assertEquals(0x1220, divide.entry());
    assertEquals(List.of(0x1220L, 0x1223L, 0x10a3L),
        divide.instructions().stream().map(Instruction::offset).toList());
    assertTrue(divide.contains(0x10a7));
    assertFalse(divide.contains(0x10a8));
    Instruction slow = divide.instructions().get(0);
    assertEquals("div rsi", slow.text());
    assertFalse(slow.hasTarget());
    assertEquals(List.of(new Frame("mix", "/s/hot.c", 23, 22, true),
        new Frame("divide(long)", "/s/hot.c", 30, 26, false)), slow.frames());
    Instruction jump = divide.instructions().get(1);
    assertEquals(slow.frames(), jump.frames(), "the same as before");
    assertEquals(0x10a3, jump.target());
    assertEquals("complain", divide.instructions().get(2).targetName());
    assertEquals(List.of(), code.functions().get(1).instructions().get(0).frames());
  }

  @Test
  void refusesOtherTexts() {
    assertThrows(CodeException.class, () -> MachineCode.parse("parallax-disassembly\t2\n"));
    assertThrows(CodeException.class, () -> MachineCode.parse(""));
    assertThrows(CodeException.class,
        () -> MachineCode.parse("parallax-disassembly\t1\nP\t12\tf\nI\tzz\t1\t\t\tnop\n"));
    assertThrows(CodeException.class,
        () -> MachineCode.parse("parallax-disassembly\t1\nP\t12\tf\nI\t12\n"));
  }
}
