package org.parallax.help;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FixedTextTest {
  @Test
  void textsAreReadFromExpressions() {
    assertEquals(List.of("no \u2026 in \u2026; see: a \"b\""),
        FixedText.ofExpression("\"no \" + name(1, \"x\") + \" in \"\n + b + \"; see: a \\\"b\\\"\""));
    assertEquals(List.of("one thing", "\u2026 is another"),
        FixedText.ofExpression("a ? \"one thing\" : b + \" is another\""));
    assertEquals(List.of("takes \u2026 of \u2026 %"), FixedText.ofExpression(
        "String.format(Locale.ROOT, \"takes %.3g \" + \"of %d %%\", a, b)"));
    assertEquals(List.of("cannot start \u2026: \u2026"),
        FixedText.ofExpression("std::string(\"cannot start \") + name + \": \" + strerror(e)"));
    assertEquals("there is \u2026 and \u2026; choose it", FixedText.ofShell(
        "\"there is $a and\" \\\n  \"${b:-}; choose it\""));
    assertEquals("Open \u2026 or import it.",
        FixedText.ofPattern("Open {0} or <a href=\"x\">import</a> it."));
  }
}
