package org.parallax.ui.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Names as compilers and demanglers write them. */
class FunctionNameTest {
  private static void assertName(String expected, String name) {
    assertEquals(expected, FunctionName.of(name).toString(), name);
  }

  @Test
  void whatTellsVariantsApartIsLeftOut() {
    assertName("relax", "relax");
    assertName("relax", "relax.constprop.0");
    assertName("relax", "relax(double, int)");
    assertName("memcpy", "memcpy@plt");
    assertName("n::Solver::run", "n::Solver::run(int) const");
    assertName("n::Box::get", "n::Box<std::pair<int, char> >::get()");
    assertName("n::twice", "double n::twice<double>(double)");
    assertName("n::Solver::~Solver", "n::Solver::~Solver()");
    assertName("work", "(anonymous namespace)::work(int)");
    assertName("n::Solver::run", "n::Solver::run(int)::{lambda()#1}::operator()() const");
    assertName("f", "f[abi:cxx11](int)");
  }

  @Test
  void operatorsKeepTheirSigns() {
    assertName("n::V::operator()", "n::V::operator()(int) const");
    assertName("operator<", "operator<(n::V const&, n::V const&)");
    assertName("n::V::operator->", "n::V::operator->()");
    assertName("n::V::operator[]", "n::V::operator[](int)");
    assertName("operator_of", "operator_of(int)");
  }

  @Test
  void whatIsNoNameHasNoSegments() {
    assertName("", "");
    assertName("", "()");
    assertName("", "<<<");
    assertName("a", "a<b");
    assertName("a", "::a");
  }
}
