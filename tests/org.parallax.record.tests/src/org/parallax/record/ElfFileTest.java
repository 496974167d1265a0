package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What executables say of themselves. */
class ElfFileTest {
  @TempDir Path directory;

  private Path stripped(String option) throws Exception {
    Path copy = directory.resolve("copy" + option);
    Process strip = new ProcessBuilder("objcopy", option, Launches.program("heat.openmpi"),
        copy.toString()).inheritIO().start();
    assertEquals(0, strip.waitFor());
    return copy;
  }

  @Test
  void aProgramTellsItsLibrariesAndSymbols() throws Exception {
    ElfFile heat = ElfFile.read(Path.of(Launches.program("heat.openmpi")));
    assertTrue(heat.isProgram() && heat.isX86() && heat.isDynamic());
    assertTrue(heat.hasNames() && heat.hasLines());
    assertTrue(heat.needs("libmpi.so"), heat.libraries()::toString);
    assertTrue(heat.needs("libc.so.6"), heat.libraries()::toString);
    assertEquals("mpirun.openmpi", MpiLauncher.fitting(heat));
    assertEquals("mpirun.mpich",
        MpiLauncher.fitting(ElfFile.read(Path.of(Launches.program("heat.mpich")))));
    assertEquals("",
        MpiLauncher.fitting(ElfFile.read(Path.of(Launches.program("mutex_queue")))));
    ElfFile namesOnly = ElfFile.read(stripped("--strip-debug"));
    assertTrue(namesOnly.hasNames());
    assertFalse(namesOnly.hasLines());
    ElfFile bare = ElfFile.read(stripped("--strip-all"));
    assertFalse(bare.hasNames());
    assertTrue(bare.isProgram() && bare.needs("libmpi.so"));
  }

  @Test
  void aLibraryIsNoProgram() {
    ElfFile agent = ElfFile.read(Launches.NATIVE.resolve("libparallax-agent.so"));
    assertTrue(agent.isX86());
    assertFalse(agent.isProgram());
  }

  @Test
  void otherFilesAreNone() throws Exception {
    assertNull(ElfFile.read(Files.writeString(directory.resolve("text"), "#!/bin/sh\n")));
    assertNull(ElfFile.read(directory));
    assertNull(ElfFile.read(directory.resolve("none")));
  }

  @Test
  void damagedFilesHaveWhatCanBeRead() throws Exception {
    byte[] whole = Files.readAllBytes(Path.of(Launches.program("heat.openmpi")));
    Path file = directory.resolve("damaged");
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = Arrays.copyOf(whole, i % 2 == 0 ? 4 + random.nextInt(whole.length) : whole.length);
      for (int hit = 0; hit < random.nextInt(20); hit++) {
        bytes[4 + random.nextInt(Math.min(bytes.length - 4, 2000))] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      ElfFile read = ElfFile.read(file);
      assertTrue(read != null && read.libraries().size() < 1000, () -> "seed " + seed);
    }
  }
}
