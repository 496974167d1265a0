# ./parallax test: all tests in parts, and a summary of them. Sourced by ./parallax.

source "${BASH_SOURCE[0]%/*}/test_progress.sh"

test_parts=(native plugins installed sanitize)
passed_total=0
failed_total=0
part_seconds=0
chosen_parts=
beside=  # the process that runs tests and builds beside others, if any
native_seconds=0 native_status=0  # of the native tests before it
summary=

# count PART PASSED FAILED SKIPPED STATUS [DISTURBED [UNSTABLE]]: adds a line to the summary. A part that failed without
# a failed test (it did not build), or that ran none, counts as one failure. DISTURBED of those that were skipped
# measure times, beside other programs. UNSTABLE names those that failed first and passed when they were repeated.
count() {
  local part=$1 passed=$2 failed=$3 skipped=$4 status=$5 disturbed=${6:-0} unstable=${7:-} note=
  if ((status != 0 && failed == 0)); then
    failed=1
    note="; it did not finish, see $logs/test-$part.log"
  elif ((passed + failed == 0)); then
    failed=1
    note="; it ran no test"
  elif ((failed)); then
    note="; see $logs/test-$part.log"
  fi
  if ((disturbed)); then note="; $disturbed skipped because other programs took the processors$note"; fi
  if [[ $unstable ]]; then note="; passed at the second attempt only: $unstable$note"; fi
  passed_total=$((passed_total + passed))
  failed_total=$((failed_total + failed))
  summary+=$(printf '  %-10s %5d passed, %d failed, %d skipped in %s min%s' \
    "$part" "$passed" "$failed" "$skipped" "$(minutes "$part_seconds")" "$note")$'\n'
}

# count_reports PART STATUS REPORT...: the sums of test reports in XML.
count_reports() {
  local part=$1 status=$2
  shift 2
  local -A sums=([tests]=0 [failures]=0 [errors]=0 [skipped]=0 [disabled]=0)
  local disturbed=0 cases=0 unstable name number
  if (($#)); then
    disturbed=$(cat "$@" | grep -cE '(^|<skipped message=")other (programs took at least|processes take) ' || true)
    cases=$(cat "$@" | grep -cE '^[[:space:]]*<testcase ' || true)
    # The attributes of a suite can stand on several lines.
    while IFS='=' read -r name number; do
      sums[$name]=$((${sums[$name]} + number))
    done < <(cat "$@" | tr '\n' ' ' | grep -oE '<testsuite[[:space:]][^>]*' |
      grep -oE '[[:space:]](tests|failures|errors|skipped|disabled)="[0-9]+' | tr -d '" \t')
  fi
  # A suite of which a test was repeated tells the number of its last run.
  if ((cases > sums[tests])); then sums[tests]=$cases; fi
  local wrong=$((sums[failures] + sums[errors])) skipped=$((sums[skipped] + sums[disabled]))
  unstable=$(unstable_tests "$logs/test-$part.log")
  count "$part" $((sums[tests] - wrong - skipped)) "$wrong" "$skipped" "$status" "$disturbed" "$unstable"
}

# count_matching PART STATUS PATTERN: the same of the reports whose paths match.
count_matching() {
  local reports
  mapfile -t reports < <(compgen -G "$3")
  count_reports "$1" "$2" "${reports[@]}"
}

# unstable_tests LOG: the names of those that failed first and passed when they were repeated, as CTest and Maven tell.
unstable_tests() {
  if [[ ! -f $1 ]]; then return; fi
  local test='^ *([0-9]+/[0-9]+)? +Test +#[0-9]+: ([^ ]+) .*'
  {
    comm -12 <(sed -nE "s,$test\*\*\*(Failed|Exception|Timeout).*,\2,p" "$1" | sort -u) \
      <(sed -nE "s,$test Passed .*,\2,p" "$1" | sort -u)
    sed -nE '/ Flakes: *$/,/ Tests run: /s/^\[WARNING\] ([A-Za-z_][^ ]*\.[^ ]+)$/\1/p' "$1" | sort -u
  } | paste -s -d , | sed 's/,/, /g'
}

# Lines of a log that tell of a failure.
failures=': Failure$|^\s+[0-9]+ - .*\((Failed|Timeout|[A-Z]+)\)$|<<< (FAILURE|ERROR)!$'
failures+='|^\[ERROR\] .*(\.java:|Failed to execute goal)'

# Runs a part's command with its output in a log, whose end is shown on failure, and goes on. Says meanwhile how far
# it is.
run_part() {
  local part=$1 title=$2 begin=$SECONDS
  shift 2
  say "$title ..."
  mkdir -p "$logs"
  : > "$logs/test-$part.log"
  start_progress "$part" "$logs/test-$part.log"
  set +e
  (set -e && "$@") > "$logs/test-$part.log" 2>&1 < /dev/null
  part_status=$?
  set -e
  stop_progress
  part_seconds=$((SECONDS - begin))
  say "$part: $(progress_of "$logs/test-$part.log") in $(minutes "$part_seconds") min"
  show_failures "$part_status" "$logs/test-$part.log"
}

# show_failures STATUS LOG: what failed in CTest, GoogleTest, JUnit, the compiler or Maven, and why; else the end of the log.
show_failures() {
  if (($1)) || [[ $(unstable_tests "$2") ]]; then
    grep -E -A 4 --no-group-separator "$failures" "$2" | cut -c 1-300 | head -n 120 >&2 || tail -n 40 "$2" >&2
  fi
}

# A test that fails is repeated once. That it passes then is no proof of a sound test, so the summary names it.
repeat_in_ctest=(--repeat until-pass:2)
repeat_in_maven=(-Dsurefire.rerunFailingTestsCount=1)

# Tests that measure no time, and of which several can run at once: three, as they also wait. Of those with one
# daemon of PVM for all only one is among them.
untimed_tests='^(Cases/OpenMpCancelled|All/SandboxGuests|Sandbox|Layers|AgentExecute|mpi\.|guests\.|bench\.|(Agent|Perturb|Sampler)Bench\.|All/SignalGuests'
untimed_tests+='|RecordMonitors|Tracers|DeepStacks|AgentProcesses/AgentMixed|Flavours/SamplerOracle|(Of|With)/Instrument'
untimed_tests+='|(All|Some)/Markers|CopiedStacks|SamplerTable|SamplerUnwinder|SamplerModules|AgentEndings|AgentExports'
untimed_tests+='|Built/Programs|Otf2|Names|RealPrograms|Paraver|TraceEvent|PerfettoClocks|PerfLines|Perf\.|Format|Golden|Symbols|SynthTraces|Synth/|Pvm\.ManyRunsEnd'
untimed_tests+='|Agent(Definitions|EventFile|Files|KernelObjects|KeptPast|Locks|Processes|Record|Relevance|Signals|Streams|StreamsApart|Tables|Threads)\.'
untimed_tests+='|All/AgentSharedMemory|ClientServer|Instrument(Filter|Paths|Wrapper)|ContendedStore'
untimed_tests+='|[A-Za-z/]*(AgentTransports|AgentWrittenTransport|AgentSpace|AgentWriterFiles|AgentAsyncWrites|AgentSharedDefinitions'
untimed_tests+='|Attach|OpenMp|StudyOf|LivePage|PatchActions|PatchModules|PatchThreads|Tune\.|Tuned\.|Tuned(Buffered|Code|Collectives|Mpi|Threads)|SpeedupSimulated|TuneResults|PerturbHosts))'

# Of a group of native tests, untimed or timed: options of CTest that choose them.
native_group() {
  case $1 in
    untimed) group=(-j 3 -R "$untimed_tests") ;;
    timed) group=(-E "$untimed_tests") ;;
  esac
}

# run_native GROUP...
run_native() {
  local status=0 total=0 name group
  for name in "$@"; do
    native_group "$name"
    total=$((total + $(ctest --test-dir "$root/native/build" "${group[@]}" -N | sed -n 's/^Total Tests: //p')))
  done
  echo "to do: $total tests"
  for name in "$@"; do
    native_group "$name"
    ctest --test-dir "$root/native/build" "${group[@]}" --output-on-failure --no-tests=error "${repeat_in_ctest[@]}" \
      --output-junit "$logs/test-native-$name.xml" || status=1
  done
  return $status
}

test_native() {
  need_packages test
  need_mpis
  need_native test
  rm -f "$logs"/test-native-*.xml
  if runs_beside native; then  # the others later
    run_part native "testing the native part, what measures times" run_native timed
    native_seconds=$part_seconds native_status=$part_status
  else
    run_part native "testing the native part" run_native untimed timed
    count_matching native "$part_status" "$logs/test-native-*.xml"
  fi
}

# The agent, loaded into programs, and its parts, each with these sanitizers in all of it.
sanitized_tests=(agent-core-test agent-guests-test mpi-core-test sampler-unwind-test)

# build_sanitized NAME SANITIZERS: builds them in a folder of their own.
build_sanitized() {
  local build=$root/native/build-$1
  cmake -S "$root/native" -B "$build" -G Ninja -DPARALLAX_SANITIZE="$2" &&
    cmake --build "$build" --target "${sanitized_tests[@]}"
}

build_both_sanitized() {
  build_sanitized address address,undefined && build_sanitized thread thread
}

# run_sanitized NAME [OPTIONS...]: runs those that can pass (native/tests/sanitizers).
run_sanitized() {
  local tests skipped name=$1
  shift
  tests=$(IFS='|' && echo "${sanitized_tests[*]}")
  skipped=$(sed '/^#/d; s/ .*//' "$root/native/tests/sanitizers/$name.skipped" | paste -s -d '|')
  ASAN_OPTIONS=verify_asan_link_order=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    ctest --test-dir "$root/native/build-$name" -j 2 --output-on-failure --no-tests=error "${repeat_in_ctest[@]}" \
    -L "^($tests)\$" -E "^($skipped)" --output-junit "$logs/test-sanitize-$name.xml" "$@"
}

# sanitized_total NAME: how many tests run_sanitized would run.
sanitized_total() { run_sanitized "$1" -N | sed -n 's/^Total Tests: //p'; }

run_both_sanitized() {
  local status=0
  rm -f "$logs"/test-sanitize-*.xml
  build_both_sanitized || return
  echo "to do: $(($(sanitized_total address) + $(sanitized_total thread))) tests"
  run_sanitized address || status=1
  run_sanitized thread || status=1
  return $status
}

test_sanitize() {
  need_packages native demo test
  end_beside
  run_part sanitize "testing the agent under the address and thread sanitizers" run_both_sanitized
  count_matching sanitize "$part_status" "$logs/test-sanitize-*.xml"
}

# run_maven_on_screen PATTERN ARGUMENTS...: Maven with a screen that nobody sees and no screen saver covers (after ten minutes
# nothing more would be drawn), for the test classes of the folders
# in tests/ that match.
run_maven_on_screen() {
  echo "to do: $(find "$root/tests" -path "$root/tests/$1/*Test.java" | wc -l) test classes"
  shift
  (cd "$root" && xvfb-run -a -s '-screen 0 1600x1000x24 -s 0' "$maven" "${repeat_in_maven[@]}" "$@")
}

test_plugins() {
  local print core_print
  need_native programs
  need_maven
  print=$(fingerprint "${ide_sources[@]}" "${agent_files[@]}")
  core_print=$(fingerprint "${core_sources[@]}")
  rm -rf "$root"/tests/*/target/surefire-reports
  lock java
  forget_classes
  begin_beside
  run_part plugins "building the plug-ins and testing them" \
    run_maven_on_screen 'org.parallax.*' verify --fail-at-end
  count_matching plugins "$part_status" "$root/tests/org.parallax.*/target/surefire-reports/TEST-*.xml"
  end_native_beside
  # What was just built need not be built again.
  if ((part_status == 0)); then install_built_ide "$print" "$core_print"; fi
  unlock
}

# What runs beside the tests of the plug-ins and of the whole, mostly with what those leave of the processors: native
# tests that measure no time, and the builds with sanitizers. Tests that measure times pause it to repeat a wrong one
# (QuietMachine).

# runs_beside PART: whether a part of it does.
runs_beside() { [[ " $chosen_parts " == *" plugins "* && " $chosen_parts " == *" $1 "* ]]; }

begin_beside() {
  local log=$logs/test-native-beside.log
  mkdir -p "$logs"
  rm -f "$log"
  : > "$logs/build-sanitize.log"
  (renice -n 10 $BASHPID > /dev/null  # with less, tests would hardly run while all processors are used
   SECONDS=0 status=0
   if runs_beside native; then run_native untimed > "$log" 2>&1 || status=1; fi
   echo "status $status after $SECONDS s" >> "$log"
   renice -n 19 $BASHPID > /dev/null
   if runs_beside sanitize; then build_both_sanitized > "$logs/build-sanitize.log" 2>&1 || true; fi  # which tells later what is wrong
  ) < /dev/null &
  beside=$!
  export PARALLAX_TEST_BESIDE=$beside
}

# Waits for the native tests beside, and counts them.
end_native_beside() {
  local log=$logs/test-native-beside.log end='^status \([0-9]*\) after \([0-9]*\) s$'
  if [[ -z $beside ]]; then return; fi
  kill -CONT 0  # a measurement that was killed cannot let them go on
  if ! runs_beside native; then return; fi
  start_progress "native tests beside the plug-ins" "$log"
  until grep -q "$end" "$log" || ! kill -0 "$beside" 2> /dev/null; do sleep 0.2; done
  stop_progress
  say "native, beside the plug-ins: $(progress_of "$log")"
  local status
  status=$(sed -n "s/$end/\1/p" "$log")
  show_failures "${status:-1}" "$log"
  cat "$log" >> "$logs/test-native.log"
  part_seconds=$((native_seconds + $(sed -n "s/$end/\2/p" "$log")))
  count_matching native $((native_status || ${status:-1})) "$logs/test-native-*.xml"
}

# Waits for all that runs beside.
end_beside() {
  if [[ -z $beside ]]; then return; fi
  kill -CONT 0
  start_progress "building the agent with sanitizers" "$logs/build-sanitize.log"
  wait "$beside" || true
  stop_progress
  beside=
  unset PARALLAX_TEST_BESIDE
}

# The whole as it is installed: the site, the plain IDE with the feature, ./parallax itself.
test_installed() {
  need_native programs
  need_ide
  need_newest_ide
  need_maven
  rm -rf "$root"/tests/e2e/target/surefire-reports
  run_part installed "testing the whole as it is installed" \
    run_maven_on_screen e2e verify --file tests/e2e/pom.xml
  count_matching installed "$part_status" "$root/tests/e2e/target/surefire-reports/TEST-*.xml"
}

# All that is fetched or built before the first test.
build_for_tests() {
  need_packages java native demo ide test
  need_mpis
  need_native test
  need_maven
  need_newest_ide
}

command_test() {
  local part chosen=("$@")
  for part in "$@"; do
    if [[ " ${test_parts[*]} " != *" $part "* ]]; then
      wrong_use "unknown part \"$part\"; the parts are: ${test_parts[*]}"
    fi
  done
  if ((${#chosen[@]} == 0)); then chosen=("${test_parts[@]}"); fi
  chosen_parts="${chosen[*]}"
  need_packages java native demo ide test
  for part in "${test_parts[@]}"; do
    if [[ " $chosen_parts " == *" $part "* ]]; then "test_$part"; fi
  done
  end_beside
  printf '%s' "$summary"
  echo "$passed_total passed, $failed_total failed"
  if ((failed_total)); then exit 1; fi
}
