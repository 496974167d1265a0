package org.parallax.analysis.replay;

/** An exchange in memory that also tells who takes part in groups. */
final class OrderedExchange extends MemoryExchange {
  private final TimeOrder order;

  OrderedExchange(TimeOrder order) {
    this.order = order;
  }

  @Override
  public void contribute(
      long key1, long key2, int size, int rank, long timeNs, long length, long reference) {
    super.contribute(key1, key2, size, rank, timeNs, length, reference);
    order.contributed(Reference.thread(reference), key1, key2, size, timeNs);
  }

  @Override
  public void leave(long key1, long key2, int size) {
    super.leave(key1, key2, size);
    order.left(key1, key2, size);
  }
}
