"""One way to call an operation, wherever it is carried out.

A command holds a `Gateway`. `LocalGateway` calls the use-case in this process; `HttpGateway` sends the
request that the operation table has for it to the server that the line names. An operation is named by
its use-case, whose signature types the call: `gateway.ask(get_shipment, "shp_...")`.
"""
