import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';

const require = createRequire(import.meta.url);

/**
 * Serves the OpenAPI document at `/openapi.json` and `/api/openapi.json`, and a page that shows it at `/docs`. Needs no
 * key.
 */
export function createDocumentationRoutes(openApi: object): Router {
  const routes = Router();
  const document = JSON.stringify(openApi);

  routes.get(['/openapi.json', '/api/openapi.json'], (_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.type('application/json').send(document);
  });

  routes.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', DOCS_POLICY);
    response.type('text/html').send(DOCS_PAGE);
  });

  routes.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(DOCS_SCRIPT);
  });

  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const asset of DOCS_ASSETS) {
    routes.get(`/docs/${asset}`, (_request, response) => {
      response.sendFile(asset, { root, maxAge: '1d' });
    });
  }

  return routes;
}

/** The files of the package swagger-ui-dist that the documentation page loads. */
export const DOCS_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/**
 * The Content-Security-Policy of the documentation page. Allows requests only to this service. Swagger UI needs inline
 * styles.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Quarry API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI. `validatorUrl: null` prevents Swagger UI from sending the OpenAPI document to a service on the
 * internet.
 */
const DOCS_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
});
`;
