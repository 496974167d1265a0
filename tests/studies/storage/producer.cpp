//   producer ADDRESS [OBJECTS [ROUNDS]]        defaults 100, 400
//
// Makes objects of 4 KB, each with ROUNDS rounds of work, and stores them, each in a transaction.
// Prints a checksum of all.
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

int main(int count, char** arguments) {
  const int objects = count > 2 ? atoi(arguments[2]) : 100;
  const int rounds = count > 3 ? atoi(arguments[3]) : 400;
  if (count < 2 || count > 4 || objects < 1 || rounds < 1) {
    fprintf(stderr, "usage: producer ADDRESS [OBJECTS [ROUNDS]]\n");
    return 2;
  }
  Client client(arguments[1]);
  uint64_t checksum = 0;
  bool right = true;
  for (int i = 0; i < objects; i++) {
    char bytes[kPageBytes];
    makeObject(i, rounds, bytes);
    client.beginTransaction();
    right = client.createObject(bytes) == i && right;
    client.commitTransaction();
    checksum = checksum * 31 + digestObject(bytes);
  }
  client.leave();
  printf("objects=%d checksum=%016llx answer=%s\n", objects,
         static_cast<unsigned long long>(checksum), right ? "right" : "wrong");
  return right ? 0 : 1;
}
