#!/bin/sh
# Imports a file of shipments and buys their labels, as a cron job would.
#
#     sh examples/nightly_import.sh FILE FOLDER
#
# Writes labels.pdf, rejects.csv and run.json to FOLDER. The exit code is 0 if there is nothing left to do, and 1 if a
# person has to look at it. It is safe to repeat at any time, even after a crash: rows that were bought count as done.
#
# Set SHIPCLI_SANDBOX=1 in the environment to try it with simulated carriers.
set -u
file=$1 folder=$2
mkdir -p "$folder"

code=0
shipcli import shipments "$file" --buy cheapest --max-total 500USD \
    --rejects "$folder/rejects.csv" --merge "$folder/labels.pdf" --summary "$folder/run.json" \
    --yes --quiet >"$folder/shipments.tsv" || code=$?

case $code in
0) echo "all labels are in $folder/labels.pdf" ;;
9) echo "some rows are left: see $folder/rejects.csv and $folder/run.json" >&2; exit 1 ;;
6) echo "the file has no good row, or is no table" >&2; exit 1 ;;
5) echo "another run is at it, or rows were changed since they were bought" >&2; exit 1 ;;
8) echo "the network or a carrier's server is down; the next run goes on" >&2; exit 1 ;;
11) echo "the budget of 500 USD is spent; the next run goes on with the rest" >&2; exit 1 ;;
130) echo "interrupted; the next run goes on" >&2; exit 1 ;;
*) echo "failed with exit code $code; see shipcli doctor" >&2; exit 1 ;;
esac
