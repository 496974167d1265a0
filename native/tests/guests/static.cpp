// Linked statically: the agent cannot come in. With an argument, it waits for a signal.
#include <unistd.h>

int main(int count, char**) {
  if (count > 1) pause();
  return 0;
}
