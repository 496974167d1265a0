/* A task of PVM that sends messages of known sizes to itself: tuned_pvm DIRECTORY. */
#include <pvm3.h>
#include <string.h>

#include "gates.h"

static char data[1 << 20];

static void send(int self, int bytes, int times) {
  for (int i = 0; i < times; i++) {
    pvm_initsend(PvmDataRaw);
    pvm_pkbyte(data, bytes, 1);
    pvm_send(self, 1);
    pvm_recv(-1, 1);
  }
}

int main(int argc, char** argv) {
  char text[64];
  int self = pvm_mytid();
  if (argc < 2 || self < 0) return 2;
  gatesDirectory = argv[1];
  tell("ready", "");
  await("go");
  send(self, 1, 5);
  send(self, 100, 7);
  send(self, 5000, 3);
  send(self, 300000, 2);
  tell("sent", "");
  /* The first calls pvm_send inside. */
  await("packed");
  for (int i = 0; i < 50; i++) {
    pvm_psend(self, 2, data, 10, PVM_BYTE);
    pvm_recv(-1, 2);
  }
  tell("packedSent", "");
  await("next");
  send(self, 64, 1);
  snprintf(text, sizeof text, "%d\n", pvm_getopt(PvmFragSize));
  tell("result", text);
  pvm_exit();
  return 0;
}
