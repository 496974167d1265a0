package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.source.FunctionName;
import org.parallax.ui.source.SourceModel.Definition;
import org.parallax.ui.source.SourceModel.Function;
import org.parallax.ui.testing.Workbench;

/** What CDT knows of functions, in the words of the workbench's models of source. */
class CdtSourceModelTest {
  private final CdtSourceModel model = new CdtSourceModel();
  private IProject project;

  @BeforeEach
  void makeProject() throws Exception {
    Workbench.reset();
    project = CProjects.create("solver");
  }

  private List<String> functions(IFile file, String text) throws Exception {
    List<Function> found = model.functions(file, text, new NullProgressMonitor());
    return found == null ? null : found.stream().map(each -> each.name() + " " + each.line()
        + " in " + each.first() + "-" + each.last()).toList();
  }

  private List<String> definitions(String name) throws Exception {
    List<Definition> found =
        model.definitions(FunctionName.of(name), new NullProgressMonitor());
    return found.stream()
        .map(each -> each.file().resource().getFullPath() + ":" + each.line()).sorted().toList();
  }

  @Test
  void functionsOfCAreKnownWithTheirLines() throws Exception {
    IFile file = CProjects.file(project, "ring.c", CProjects.ring());
    assertEquals(List.of("main 100 in 100-199", "solve 200 in 200-298", "relax 300 in 299-340",
        "idle 350 in 350-360"), functions(file, CProjects.ring()));
  }

  @Test
  void theTextCountsAndNotTheFile() throws Exception {
    IFile file = CProjects.file(project, "one.c", "int one(void) { return 1; }\n");
    assertEquals(List.of("one 3 in 3-3", "two 4 in 4-6"), functions(file,
        "\n\nint one(void) { return 1; }\nint two(void)\n{\n}\n"));
    assertEquals(List.of("one 1 in 1-1"), functions(file, "int one(void) { return 1; }\n"));
  }

  @Test
  void functionsOfCxxHaveTheirScopes() throws Exception {
    String text = """
        namespace n {
        template <class T> class Box {
         public:
          T get() { return value; }
          T value;
        };
        struct Solver { void run(int); bool operator()(int) const { return true; } };
        void Solver::run(int count) {
          Box<int> box;
        }
        }
        namespace {
        template <class T> T twice(T t) {
          return t + t;
        }
        }
        """;
    IFile file = CProjects.file(project, "box.cpp", text);
    assertEquals(List.of("n::Box::get 4 in 4-4", "n::Solver::operator() 7 in 7-7",
        "n::Solver::run 8 in 8-10", "twice 13 in 13-15"), functions(file, text));
    assertEquals(List.of("/solver/box.cpp:8"), definitions("n::Solver::run(int)"));
    assertEquals(List.of("/solver/box.cpp:4"), definitions("n::Box<int>::get()"));
  }

  @Test
  void whatIsNoProgramHasNoFunctions() throws Exception {
    IFile file = CProjects.file(project, "broken.c", "");
    assertEquals(List.of(), functions(file, ""));
    assertEquals(List.of(), functions(file, "}}} int ((( \u0000 \"\n#if 1\n"));
    assertNull(functions(CProjects.file(project, "notes.txt", "int f() {}"), "int f() {}"));
    IProject other = Workbench.project("papers");
    assertNull(functions(CProjects.file(other, "one.c", "int f() {}"), "int f() {}"));
  }

  @Test
  void definitionsAreFoundInAllProjects() throws Exception {
    CProjects.file(project, "src/ring.c", CProjects.ring());
    IProject other = CProjects.create("other");
    CProjects.file(other, "main.c", "int helper(int);\nint main(void) { return helper(1); }\n");
    assertEquals(List.of("/solver/src/ring.c:300"), definitions("relax"));
    assertEquals(List.of("/solver/src/ring.c:300"), definitions("relax.constprop.0"));
    assertEquals(List.of("/other/main.c:2", "/solver/src/ring.c:100"), definitions("main"));
    assertEquals(List.of(), definitions("helper"), "a declaration is no definition");
    assertEquals(List.of(), definitions("nothing"));
    other.close(null);
    assertEquals(List.of("/solver/src/ring.c:100"), definitions("main"));
  }
}
