#!/bin/sh
# Buys a label in the sandbox: with simulated carriers, without an account or payment.
#
#     sh examples/buy_label.sh [LABEL_FILE]
#
# The label may end in .pdf, .zpl or .png. Prints the tracking number.
set -eu
label=${1:-label.pdf}

# The address to ship from. The command prints an id; `@last` in the next one refers to it.
shipcli --sandbox addresses create \
    -d person_name='Dock One' -d address_line1='400 Market St' -d city=Philadelphia -d state_code=PA \
    -d postal_code=19106 -d country_code=US --quiet >/dev/null
shipcli --sandbox addresses default @last --quiet >/dev/null

# Prices first; nothing is stored.
shipcli --sandbox quote 02134 --weight 2lb --size 12x8x4in

# The cheapest label, unless it costs more than 20 dollars (exit code 11). The reference makes it safe to repeat the
# command: no second label is bought for the same reference (exit code 5).
shipcli --sandbox ship \
    --to-name 'Ada Brooks' --to-line1 '123 Main St' --to-city Boston --to-state MA --to-postal-code 02134 \
    --weight 2lb --size 12x8x4in --reference EXAMPLE-1 \
    --cheapest --max-total 20USD --label "$label" --yes --pick tracking_number
