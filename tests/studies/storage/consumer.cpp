//   consumer ADDRESS [OBJECTS [ROUNDS]]        defaults 100, 400
//
// Reads the objects that `producer` stores, with the same ROUNDS of work for each, and waits for those
// that are not there yet. Prints the producer's checksum; exit status 1 if one was not what it made.
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

int main(int count, char** arguments) {
  const int objects = count > 2 ? atoi(arguments[2]) : 100;
  const int rounds = count > 3 ? atoi(arguments[3]) : 400;
  if (count < 2 || count > 4 || objects < 1 || rounds < 1) {
    fprintf(stderr, "usage: consumer ADDRESS [OBJECTS [ROUNDS]]\n");
    return 2;
  }
  Client client(arguments[1]);
  uint64_t checksum = 0;
  bool right = true;
  for (int i = 0; i < objects; i++) {
    char bytes[kPageBytes];
    client.waitForObject(i);
    client.beginTransaction();
    client.readObject(i, bytes);
    client.commitTransaction();
    right = checkObject(i, rounds, bytes) && right;
    checksum = checksum * 31 + digestObject(bytes);
  }
  client.leave();
  printf("objects=%d checksum=%016llx answer=%s\n", objects,
         static_cast<unsigned long long>(checksum), right ? "right" : "wrong");
  return right ? 0 : 1;
}
