import type { MeResponse } from '@quarry/contracts';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { callerOf } from '../keys/caller.js';
import { findKey } from '../keys/key-repository.js';
import { viewKey } from '../keys/view-key.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { viewOrganization } from '../organizations/organization-view.js';

/** `/me`: who asks. For every key, whatever its scopes and limits. */
export function meRoutes({ db }: Pick<Gateway, 'db'>): Router {
  const routes = Router();

  routes.get('/me', async (_request, response) => {
    const { organizationId, keyId } = callerOf(response);
    const organization = await findOrganization(db, organizationId);
    const key = await findKey(db, organizationId, keyId);
    const me: MeResponse = { organization: viewOrganization(organization), key: viewKey(key) };
    response.json(me);
  });

  return routes;
}
