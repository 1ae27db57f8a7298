# shellcheck shell=bash
# Sourced by test scripts: one line for each check, and a summary whose status says whether all passed.

passed=0 failed=0

# check WHAT COMMAND...: "ok - WHAT" when the command succeeds, else its output below "not ok - WHAT".
check() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok - $what"
  else
    failed=$((failed + 1))
    echo "not ok - $what"
    printf '%s\n' "$*" "$output" | sed 's/^/    /'
  fi
}

# await COMMAND...: until it succeeds, ten minutes at most: a machine that does other things as well takes its time.
await() {
  local deadline=$((SECONDS + 600))
  until "$@"; do
    [[ $SECONDS -lt $deadline ]] || return 1
    sleep 0.02
  done
}

# has TEXT COMMAND...: the command succeeds and its output contains TEXT.
has() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || { echo "status $?: $output"; return 1; }
  [[ $output == *"$text"* ]] || { echo "no \"$text\" in: $output"; return 1; }
}

# fails STATUS COMMAND...: the command ends with exactly that status.
fails() {
  local expected=$1 status=0
  shift
  "$@" || status=$?
  [[ $status -eq $expected ]] || { echo "status $status, not $expected"; return 1; }
}

# summary: the last line.
summary() {
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
}
