// Initialises and finalises what it takes for MPI.
#include <stdio.h>

extern int MPI_Init(int* argc, char*** argv);
extern int MPI_Finalize(void);

int main(int argc, char** argv) {
  int result = MPI_Init(&argc, &argv);
  result += MPI_Finalize();
  printf("result %d\n", result);
  return result;
}
