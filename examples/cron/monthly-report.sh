#!/bin/sh
# One report each month, by cron. Run it every day: it does nothing once the month is published.
#
#   PATH=/opt/dpspin/bin:/usr/bin:/bin
#   MAILTO=curator@example.org
#   15 4 * * *  /srv/curator/monthly-report.sh
#
# Cron mails whatever a job prints. This one prints one line, and only where a person is needed: the month, the exit
# code and where the log lies. What dpspin says goes to a log that only its owner can read, because it depends on the
# records.
#
# Decide the total first, once and by hand: dpspin ledger init --dataset tickets --epsilon 3 --unit user ...
set -eu
umask 077

CURATOR=${CURATOR:-/srv/curator}        # private: the ledger, the lock, logs and whole reports
PUBLISHED=${PUBLISHED:-/srv/www/reports} # what anybody may read
EXPORTS=${EXPORTS:-/srv/exports}        # a folder for each month
ATOMS=${ATOMS:-support-tickets}
TRIES=${TRIES:-3}
PAUSE=${PAUSE:-300}                     # seconds
export DPSPIN_LEDGER="${DPSPIN_LEDGER:-$CURATOR/ledger.db}" # or postgresql://curator@db.example.org/privacy

month=${1:-$(date -d "$(date +%Y-%m-01) -1 day" +%Y-%m)} # the month before: it is over, and its export is complete
out=$CURATOR/reports/$month
log=$CURATOR/logs/$month.log
mkdir -p "$CURATOR/logs" "$CURATOR/reports"

[ ! -e "$PUBLISHED/$month" ] || exit 0

# One at a time. Two at once would be charged once all the same, but one of them would work for nothing.
exec 9>"$CURATOR/lock"
flock -n 9 || exit 0

# The same month is the same request: a repetition takes over what was charged, or hands out what is stored.
release() {
    dpspin release "$EXPORTS/$month/" --atoms "$ATOMS" --text text --unit user --user user_id \
        --epsilon 0.25 --denominator 10000 --dataset tickets --snapshot "$month" \
        --title "Support tickets, $month" --out "$out"
}

try=1
while :; do
    date "+%F %T try $try" >>"$log"
    code=0
    release >>"$log" 2>&1 9>&- </dev/null || code=$?
    case $code in
        75 | 137 | 143) [ "$try" -lt "$TRIES" ] || break ;; # it may pass: the same command again
        *) break ;;                                         # done, or for a person
    esac
    try=$((try + 1))
    sleep "$PAUSE"
done

if [ "$code" -ne 0 ]; then
    echo "report $month: exit code $code after $try of at most $TRIES tries. Read $log; 3 is for the owner of the data"
    exit "$code"
fi

# Publish the release folder, and nothing else: whole or not at all, and dated to the day, as it was written.
rm -rf "$PUBLISHED/.$month"
cp -Rp "$out/release" "$PUBLISHED/.$month"
chmod -R a+rX "$PUBLISHED/.$month"
mv "$PUBLISHED/.$month" "$PUBLISHED/$month"
