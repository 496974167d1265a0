package org.parallax.experiment.design;

import java.util.stream.IntStream;

/**
 * The field of q elements, q a power of a prime, as tables. An element is the number whose digits
 * to the base p are its polynomial's coefficients; with q prime that is counting modulo q.
 */
final class GaloisField {
  private final int order;
  private final int[][] sums;
  private final int[][] products;

  private GaloisField(int order, int prime, int[] modulus) {
    this.order = order;
    int degree = modulus.length - 1;
    sums = new int[order][order];
    products = new int[order][order];
    for (int a = 0; a < order; a++) {
      for (int b = 0; b < order; b++) {
        int[] left = digits(a, prime, degree);
        int[] right = digits(b, prime, degree);
        int[] sum = new int[degree];
        int[] product = new int[2 * degree];
        for (int i = 0; i < degree; i++) {
          sum[i] = (left[i] + right[i]) % prime;
          for (int j = 0; j < degree; j++) {
            product[i + j] = (product[i + j] + left[i] * right[j]) % prime;
          }
        }
        for (int i = 2 * degree - 1; i >= degree; i--) {
          int factor = product[i];
          for (int j = 0; j <= degree; j++) {
            int at = i - degree + j;
            product[at] = Math.floorMod(product[at] - factor * modulus[j], prime);
          }
        }
        sums[a][b] = number(sum, prime, degree);
        products[a][b] = number(product, prime, degree);
      }
    }
  }

  /**
   * The field of an order; takes O(q^2) room.
   *
   * @throws IllegalArgumentException when there is none: the order is not a power of a prime
   */
  static GaloisField of(int order) {
    int prime = IntStream.rangeClosed(2, order).filter(i -> order % i == 0).findFirst().orElse(0);
    int degree = 0;
    int power = 1;
    while (prime > 0 && power < order) {
      power *= prime;
      degree++;
    }
    if (prime == 0 || power != order) {
      throw new IllegalArgumentException("there is no field of " + order + " elements");
    }
    // The first modulus that leaves no two elements whose product is nothing.
    for (int low = 0; low < order; low++) {
      int[] modulus = digits(low, prime, degree + 1);
      modulus[degree] = 1;
      GaloisField field = new GaloisField(order, prime, modulus);
      if (IntStream.range(1, order).allMatch(a -> IntStream.range(1, order)
          .allMatch(b -> field.products[a][b] != 0))) {
        return field;
      }
    }
    throw new IllegalStateException("no irreducible polynomial for " + order);
  }

  /** @return whether there is a field of that many elements */
  static boolean exists(int order) {
    if (order < 2) {
      return false;
    }
    int prime = IntStream.rangeClosed(2, order).filter(i -> order % i == 0).findFirst().getAsInt();
    int rest = order;
    while (rest % prime == 0) {
      rest /= prime;
    }
    return rest == 1;
  }

  private static int[] digits(int number, int prime, int count) {
    int[] digits = new int[count];
    for (int i = 0; i < count; i++) {
      digits[i] = number % prime;
      number /= prime;
    }
    return digits;
  }

  private static int number(int[] digits, int prime, int count) {
    int number = 0;
    for (int i = count - 1; i >= 0; i--) {
      number = number * prime + digits[i];
    }
    return number;
  }

  int order() {
    return order;
  }

  int plus(int a, int b) {
    return sums[a][b];
  }

  int times(int a, int b) {
    return products[a][b];
  }

  int minus(int a, int b) {
    return IntStream.range(0, order).filter(x -> sums[x][b] == a).findFirst().getAsInt();
  }

  /** @return 0 for 0, 1 for a square, -1 for another element */
  int character(int a) {
    return a == 0 ? 0 : IntStream.range(1, order).anyMatch(x -> products[x][x] == a) ? 1 : -1;
  }
}
