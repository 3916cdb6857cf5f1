#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs two builds of a mini-app in turn and compares what they took; the comparison is in comparison.md.
#   in_turn.sh BEFORE AFTER [OPTION ...]    options go to both programs
# ROUNDS: runs of each, as --rounds of compare if unset. FAIL_ON: as --fail-on of compare, slower if unset.
# On GitHub the summary of the job shows it, and with a TOKEN a comment on the pull request, one that later runs replace.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: in_turn.sh BEFORE AFTER [OPTION ...]" >&2; exit 2; }
before=$1 after=$2
shift 2

token=${TOKEN:-}
unset TOKEN # what is measured is code of others
rm -f comparison.md # of a job before
status=0
"$after" compare --run "$before" "$after" ${ROUNDS:+--rounds "$ROUNDS"} --fail-on "${FAIL_ON:-slower}" --markdown comparison.md "$@" ||
  status=$?
[ -s comparison.md ] || exit "$status"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat comparison.md >>"$GITHUB_STEP_SUMMARY"

mark="<!-- ado compare -->"
api() { # METHOD PATH [BODY]
  printf 'header = "Authorization: Bearer %s"\n' "$token" |
    curl --silent --show-error --fail --config - --request "$1" --header "Accept: application/vnd.github+json" \
      "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/$2" ${3:+--data "$3"}
}
comment() {
  local number body old id
  number=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1])).get("number", ""))' "$GITHUB_EVENT_PATH")
  [ -n "$number" ] || return 0 # no pull request
  body=$(python3 -c 'import json,sys; print(json.dumps({"body": sys.argv[1] + "\n" + open("comparison.md").read()}))' "$mark") || return
  old=$(api GET "issues/$number/comments?per_page=100") || return
  id=$(python3 -c 'import json,sys
print(next((c["id"] for c in json.load(sys.stdin) if c["body"].startswith(sys.argv[1])), ""))' "$mark" <<<"$old") || return
  if [ -n "$id" ]; then api PATCH "issues/comments/$id" "$body"; else api POST "issues/$number/comments" "$body"; fi >/dev/null
}
# A pull request from a fork has a token that may not write: the summary has the comparison then.
[ -z "$token" ] || comment || echo "no comment could be written; see the summary of the job" >&2
exit "$status"
