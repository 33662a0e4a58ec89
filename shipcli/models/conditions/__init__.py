"""The language of conditions: `country!=US and weight<2lb`, read once and evaluated often."""

from shipcli.models.conditions.condition import Condition as Condition
from shipcli.models.conditions.condition import parse_condition as parse_condition
from shipcli.models.conditions.nodes import Facts as Facts
from shipcli.models.conditions.nodes import Seen as Seen
