// parallax-otf2-archives DIR: writes archives with known answers into DIR; for tests.
// parallax-otf2-archives --many RECORDS DIR: writes one for measurements.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/otf2/archive_writer.h"

int main(int argc, char** argv) {
  using namespace parallax::otf2;
  if (argc == 4 && strcmp(argv[1], "--many") == 0) {
    writeMany(argv[3], strtoull(argv[2], nullptr, 10));
    return 0;
  }
  if (argc != 2) {
    fputs("usage: parallax-otf2-archives [--many RECORDS] DIR\n", stderr);
    return 2;
  }
  const std::string directory = argv[1];
  writeLateSender(directory + "/late", 1'000'000'000);
  writeLateSender(directory + "/clock", 2'095'197'000);
  writeThreads(directory + "/threads");
  writeTeam(directory + "/team");
  writeOneSided(directory + "/window");
  writeSamples(directory + "/samples");
  writeTasks(directory + "/tasks");
  writeOldTeam(directory + "/old");
  writeFiles(directory + "/files");
  return 0;
}
