package org.parallax.ui.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of the core, as the workbench shows them. */
class TextsTest {
  @Test
  void sentencesBeginWithACapital() {
    assertEquals("The trace has no symbols", Texts.sentence("the trace has no symbols"));
    assertEquals("Damaged: a.def: a record is cut", Texts.sentence("damaged: a.def: a record is cut"));
    assertEquals("Incomplete: rank 0 of 8 (heat): not in the trace",
        Texts.sentence("incomplete: rank 0 of 8 (heat): not in the trace"));
    assertEquals("Cannot read", Texts.sentence("cannot read"));
    assertEquals("\"x\" was inlined", Texts.sentence("\"x\" was inlined"));
    assertEquals("", Texts.sentence(""));
  }

  @Test
  void namesStayAsTheyAre() {
    for (String name : List.of("lulesh: useful work is 60 %", "planted_delays.c:27 has no code",
        "heat[0] and 7 more: sampling by timer", "server (pid 12 on node1) was killed by SIGKILL",
        "server and 3 more ended without notice", "libfoo.so.1 cannot be read", "main() was inlined",
        "node1 has no clock", "refine_cells takes no time", "computeNorm has no samples")) {
      assertEquals(name, Texts.sentence(name));
    }
  }

  /** Each is a message of the core, which the command line prints as it is. */
  @Test
  void adviceForTheCommandLineIsReplaced() {
    for (String message : List.of(
        "no verdict from a single run, because the variation between runs is unknown; record several "
            + "runs of each: parallax compare base1,base2,base3 new1,new2,new3",
        "the start and the end of MPI take 13 % of the run; the phase mpi is the time between them",
        "for a list of all damage and its consequences, run: parallax check /tmp/trace",
        "sums over processes include all of them; see --level application or procedure",
        "the experiment has no command; give it after --",
        "the trace has no symbols; run: parallax-symbols /tmp/trace",
        "a trial took 60 s; if the program needs more time, use perturb design --timeout 120",
        "the program has changed. Restore the old program, or make all trials again: parallax perturb run "
            + "--again a.experiment",
        "the response varies by 40 %; to continue anyway, use --force",
        "mpirun starts what it runs; name the program with --program PATH",
        "the remaining free space of the disk is reserved for the program (--keep-free). Free space, choose "
            + "another disk with record -o, or reserve less with --keep-free",
        "the trace reached its maximum size (--max-size). Allow a larger trace, or record less with "
            + "--sample-hz, --adapters or --count",
        "option bins cannot be 1; for finer bins, choose a part of the time with --phase",
        "\"f\" was inlined: with --fold-inlined, its time is that of the functions that contain its code; "
            + "leave out --fold-inlined",
        "\"f\" has no time of its own: with --exclusive, the time of its callees does not count; leave out "
            + "--exclusive",
        "record more samples (--sample-hz), or compile it with parallax-cc",
        "use a larger input, record with --sample-hz 1000, and do not strip the program",
        "the directory /tmp is empty. Record one with: parallax record -o DIR -- COMMAND",
        "there is no session a. Create one: parallax session a --replay TRACE",
        "they seem to be runs of different programs; see parallax info /tmp/trace",
        "the session has no active run; add one with --active COMMAND")) {
      String here = Texts.sentence(message);
      assertFalse(here.matches("(?s).*(\\s|\\()--.*|.*parallax (\\w+ )+(-|/|\\w+[,.]).*|.*parallax-symbols.*"),
          here);
      assertFalse(here.matches("(?s).*[;:,.]\\s*|.*[;:,] *[;:,.].*"), here);
    }
  }
}
