import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf, refuseLimitedKey } from '../keys/caller.js';
import { viewUsage } from '../usage/view-usage.js';

/** `/usage`: of the whole organization, so for keys that are not limited to a part of it. */
export function usageRoutes({ db, clock }: Pick<Gateway, 'db' | 'clock'>): Router {
  const routes = Router();

  routes.get('/usage', requireScope('manage'), async (_request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    response.json(await viewUsage(db, caller.organizationId, clock()));
  });

  return routes;
}
