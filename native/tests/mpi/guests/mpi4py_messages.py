"""Exchanges one int with the other rank, makes one sum and one copy of MPI_COMM_WORLD."""
import array
import os
from mpi4py import MPI

world = MPI.COMM_WORLD
rank = world.rank
own, other, total = array.array("i", [rank]), array.array("i", [-1]), array.array("i", [0])
world.Sendrecv([own, MPI.INT], 1 - rank, 1, [other, MPI.INT], 1 - rank, 1)
world.Allreduce([own, MPI.INT], [total, MPI.INT])
request = world.Irecv([other, MPI.INT], MPI.ANY_SOURCE, MPI.ANY_TAG)
world.Send([own, MPI.INT], 1 - rank, 2)
request.Wait()
copy = world.Dup()
copy.Barrier()
copy.Free()
os.write(1, b"rank %d: got %d, sum %d\n" % (rank, other[0], total[0]))  # as one piece
