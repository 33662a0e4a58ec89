"""The named schemas of operations that are additions to the published contract."""

from __future__ import annotations

from shipcli.models.address_check import AddressCheck, AddressCheckData, AddressFinding
from shipcli.models.customers import Mail, MailList, TrackingLink
from shipcli.models.location import Location, LocationAddress, LocationList, OpeningHours
from shipcli.models.manifest import ManifestResolveData
from shipcli.models.order import OrderCombineData, OrderEditData, OrderLinePatch, OrderPart, OrderSplitData
from shipcli.models.parts.customs import CustomsPatch
from shipcli.models.pickup import PickupDropData, PickupResolveData
from shipcli.models.report import Report, ReportChart, ReportColumn, ReportSection
from shipcli.models.rule import (
    Explanation,
    RateOutcome,
    RuleData,
    RuleList,
    RuleOutcome,
    RulePatch,
    RuleSet,
    RuleTrial,
    RuleTrialRequest,
    ShippingRule,
)
from shipcli.models.shipment import ReturnData, ShipmentResolveData
from shipcli.models.shop_numbers import NumbersTold, SentLine, SentNumber, TellingMark, WaitingNumbers
from shipcli.operations.component import Component

# The bodies of PATCH are published under names that say so.
_NAMES = {"CustomsPatch": "PatchedCustomsData"}

ADDED: tuple[Component, ...] = tuple(
    Component(_NAMES.get(model.__name__, model.__name__), model)
    for model in (
        AddressCheckData,
        AddressCheck,
        AddressFinding,
        Report,
        ReportSection,
        ReportColumn,
        ReportChart,
        LocationList,
        Location,
        LocationAddress,
        OpeningHours,
        WaitingNumbers,
        SentNumber,
        SentLine,
        NumbersTold,
        TellingMark,
        Mail,
        MailList,
        TrackingLink,
        RuleList,
        ShippingRule,
        RuleData,
        RuleSet,
        RuleTrialRequest,
        RuleTrial,
        Explanation,
        RuleOutcome,
        RateOutcome,
        RulePatch,
        OrderEditData,
        OrderLinePatch,
        OrderSplitData,
        OrderPart,
        OrderCombineData,
        PickupResolveData,
        PickupDropData,
        ManifestResolveData,
        ShipmentResolveData,
        ReturnData,
        CustomsPatch,
    )
)
