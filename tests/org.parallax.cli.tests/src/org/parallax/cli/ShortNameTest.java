package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.text.ShortName;

/** What is left of long names. */
class ShortNameTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
      "main|main",
      "  solve(double)|  solve(double)",
      "void sort<int, std::less<int> >(int*, int*)|void sort<>(int*, int*)",
      "    std::vector<double, std::allocator<double> >::at(int)|    std::vector<>::at(int)",
      "std::ostream& std::endl<char, std::char_traits<char> >(std::basic_ostream<char>&)"
          + "|std::ostream& std::endl<>()",
      "std::basic_ostream<char, std::char_traits<char> >& std::flush<char>(int)|std::flush<>()",
      "(anonymous namespace)::Solver<double, 3>::step(int)|(anonymous namespace...r<>::step()",
      "bool operator< <std::vector<double> >(std::pair<int, int> const&)|bool operator< <>()",
      "std::ostream& operator<< <std::char_traits<char> >(int)|std::ostream& operator<< <>(int)",
      "std::ostream& operator<<<std::char_traits<char> >(int)|std::ostream& operator<<<>(int)",
      "Less<std::vector<int> >::operator()(int, int) const|Less<>::operator()(int, int) const",
      "Msg: node1:program[0]->node2:program[1]|Msg: node1:program[0...:program[1]",
      "Sem: vm:server (pid 15)->vm:server (pid 16)|Sem: vm:server (pid ...er (pid 16)",
      "a name with < no end of it whatever comes|a name with < no end...tever comes",
      "0123456789012345678901234567890123456789|01234567890123456789...90123456789",
  })
  void keepsWhatTellsFunctionsApart(String name, String expected) {
    assertEquals(expected, ShortName.of(name, 34));
  }
}
