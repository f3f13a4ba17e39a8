import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';
import { DOCS_ASSETS, DOCS_PAGE, DOCS_POLICY, DOCS_SCRIPT } from './docs-page.js';

const require = createRequire(import.meta.url);

/** Serves the OpenAPI document at `/openapi.json` and `/api/openapi.json`, and a page that shows it at `/docs`. Needs no key. */
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
