"""`shipcli products`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.arguments import bodies as inputs
from shipcli.cli.arguments.bodies import check_bodies
from shipcli.cli.arguments.selectors import remember
from shipcli.cli.commands.files.import_file import FileName, TableOptions
from shipcli.cli.commands.files.import_run import ImportCommand, Outputs, carry_out
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import PRODUCTS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.book import products as parts_products
from shipcli.features.files import engine
from shipcli.models.parts import goods, product

COLUMNS = PRODUCTS.columns
verb = Verbs()
Text = str | None


@verb("set")
def set_product(
    sku: Annotated[str, typer.Argument(metavar="SKU", help="Your product number.")],
    weight: Annotated[Text, typer.Option("--weight", help="Weight of one piece: 0.4kg, 12oz.")] = None,
    value: Annotated[Text, typer.Option("--value", help="Value of one piece: 12.50USD.")] = None,
    hs_code: Annotated[Text, typer.Option("--hs-code", help=say_field("hs_code"))] = None,
    origin: Annotated[Text, typer.Option("--origin", metavar="COUNTRY", help="Country of origin.")] = None,
    title: Annotated[Text, typer.Option("--title", help="Name of the product.")] = None,
    size: Annotated[
        Text, typer.Option("--size", metavar="LxWxH", help="Size of one piece: 4x3x3in; for --box auto.")
    ] = None,
    barcode: Annotated[
        Text,
        typer.Option("--barcode", help="What is printed on it, such as an EAN: for the station."),
    ] = None,
) -> None:
    """Set the weight, size, value, customs number, origin, title or barcode of a product.

    Fields that are not named keep their values.

    Examples:
    shipcli products set MUG-11 --weight 12oz --hs-code 6912.00 --origin CN
    shipcli products set MUG-11 --size 4x4x5in --barcode 9506000134352
    shipcli products set MUG-11 --value 12.50USD --title "Stoneware mug"
    """
    fields: dict[str, Any] = {
        "hs_code": hs_code,
        "origin_country": origin and origin.upper(),
        "title": title,
        "barcode": barcode,
    }
    fields |= (
        inputs.read_weight(weight) | inputs.read_size(size) | (goods.parse_value(value) if value else {})
    )
    named = {name: field for name, field in fields.items() if field is not None}
    if not named:
        options = "--weight, --size, --value, --hs-code, --origin, --title or --barcode"
        raise Usage(f"say what is known of it: {options}")
    products = check_bodies(product.ProductData, [{"sku": sku, **named}])
    if would(f"set {', '.join(named)} of {sku}"):
        return
    (made,) = parts_products.save_products(get_run().app, products)
    remember("product", made.id)
    show(made, COLUMNS)


@verb("import")
def import_products(file: FileName, options: TableOptions) -> None:
    """Import products from a file with columns such as SKU, Weight, Value.

    Examples:
    shipcli products import products.csv
    shipcli products import products.csv --check
    """
    table = options.open_table("products", file)
    plan = engine.ImportPlan(keep_good=options.rejects is not None, units=get_run().ship_defaults.units)
    carry_out(table, plan, ImportCommand("products", Outputs(options.rejects)), only_check=options.check)
