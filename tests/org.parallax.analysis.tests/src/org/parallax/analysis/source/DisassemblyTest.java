package org.parallax.analysis.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.trace.Contributions;
import org.parallax.trace.Symbols.Frame;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;
import org.parallax.trace.code.CodeReader.Syntax;

/** What is asked for. {@code PlantedDisassemblyTest} has real programs. */
class DisassemblyTest {
  private static Wanted functions(String... names) {
    return new Wanted(List.of(names), List.of(), Syntax.INTEL);
  }

  @Test
  void functionsAreNamedWithOrWithoutParameters() {
    for (Map.Entry<String, String> each : Map.of(
        "n::solve(int, char const*)", "n::solve",
        "Box<std::function<void (int)> >::get(long) const", "Box<std::function<void (int)> >::get",
        "Box<int>::operator()(int)", "Box<int>::operator()",
        "Box<int>::operator<(Box<int> const&)", "Box<int>::operator<",
        "(anonymous namespace)::solve(int)", "(anonymous namespace)::solve",
        "main", "main").entrySet()) {
      assertTrue(functions(each.getValue()).has(each.getKey()), each.getKey());
      assertTrue(functions("x", each.getKey()).has(each.getKey()), each.getKey());
    }
    assertFalse(functions("solve").has("n::solve(int)"));
    assertFalse(functions("n::sol").has("n::solve(int)"));
  }

  @Test
  void linesAreNamedByTheEndOfTheirPath() {
    Frame frame = new Frame("f", "/src/a/solver.c", 120, 100, false);
    for (String line : List.of("solver.c:120", "a/solver.c:120", "/src/a/solver.c:120")) {
      assertTrue(new Wanted(List.of(), List.of(line), Syntax.ATT).has(frame), line);
    }
    for (String line : List.of("solver.c:12", "lver.c:120", "b/solver.c:120")) {
      assertFalse(new Wanted(List.of(), List.of(line), Syntax.ATT).has(frame), line);
    }
  }

  @Test
  void withoutAReaderThereIsNoSuchReport() throws Exception {
    assertFalse(new ReportCatalogue(Contributions.none()).ids().contains("disassembly"));
    CodeReader reader = (path, buildId, offsets, syntax, progress) -> {
      throw new CodeException("not here");
    };
    ReportCatalogue catalogue = new ReportCatalogue(Contributions.none(), reader);
    assertEquals("source", catalogue.ids().get(catalogue.ids().indexOf("disassembly") - 1));
    assertTrue(catalogue.parameters().stream().anyMatch(each -> each.name().equals("syntax")));
  }
}
