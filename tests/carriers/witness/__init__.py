"""Every request and answer held against what the carrier itself publishes: OpenAPI, Swagger or XSD."""
