import { TOKEN_CLAIMS_PATH, TokenClaim } from '@quarry/contracts';
import { requireInternalToken } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { storableJsonBody } from './storable-json-body.js';
import { translateErrors } from './translate-errors.js';
import { createRunGatewayRoutes } from './run-gateway-routes.js';
import { claimTokens } from '../usage/claim-tokens.js';

/** Serves the internal routes, which require the token that the services share. */
export function createInternalRoutes(
  gateway: Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'limits'>,
  token: string,
): Router {
  const { db, limits } = gateway;
  const routes = Router();
  routes.use('/internal', requireInternalToken(token));
  routes.post(TOKEN_CLAIMS_PATH, storableJsonBody(limits.bodyBytes), async (request, response) => {
    response.json(await claimTokens(db, parse(TokenClaim, request.body, 'ignore')));
  });
  routes.use(createRunGatewayRoutes(gateway));
  routes.use('/internal', translateErrors);
  return routes;
}
