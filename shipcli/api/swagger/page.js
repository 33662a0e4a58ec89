// The document comes from this server as JSON; no validator elsewhere is asked.
SwaggerUIBundle({
  url: "/shipping-openapi",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.loadSpec) {
      request.headers.Accept = "application/json";
    }
    return request;
  },
});
