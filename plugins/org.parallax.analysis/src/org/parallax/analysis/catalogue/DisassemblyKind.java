package org.parallax.analysis.catalogue;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.analysis.source.DisassemblyReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;

/** The report that needs the binaries of the run, and what reads them. */
final class DisassemblyKind implements ReportKind {
  private static final Parameter FUNCTION = Parameter.of("function", "NAME",
      "disassembly: this function (the one with the most samples)");
  private static final Parameter LINE = Parameter.of("line", "FILE:LINE",
      "disassembly: the instructions of a source line");
  private static final Parameter SYNTAX = Parameter.choice("syntax", "SYNTAX",
      List.of("intel", "att"), "disassembly: syntax of instructions (intel)");

  private final CodeReader reader;

  DisassemblyKind(CodeReader reader) {
    this.reader = reader;
  }

  @Override
  public String id() {
    return DisassemblyReport.ID;
  }

  @Override
  public String title() {
    return "Disassembly";
  }

  @Override
  public String summary() {
    return "the instructions of a function, with the samples of each";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(FUNCTION, LINE, SYNTAX, Parameter.PHASE, Parameter.NODE);
  }

  @Override
  public Level defaultLevel() {
    return Level.PROCEDURE;
  }

  @Override
  public boolean hasProcedures() {
    return true;
  }

  /** Binaries differ, and with them the addresses. */
  @Override
  public Comparability comparability() {
    return Comparability.NONE;
  }

  @Override
  public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
      throws ReportException {
    ParameterValues values = request.values();
    try {
      return DisassemblyReport.of(analysis, request.node(),
          new Wanted(values.all(FUNCTION.name()), values.all(LINE.name()),
              CodeReader.Syntax.valueOf(
                  values.get(SYNTAX.name(), "intel").toUpperCase(Locale.ROOT))),
          reader, progress);
    } catch (CodeException e) {
      throw new ReportException(e.getMessage());
    }
  }
}
