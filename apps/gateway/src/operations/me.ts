import { MeResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { ok } from '../http/reply.js';
import { jsonResponse, objectOf } from '../http/responses.js';
import { findKey } from '../keys/key-repository.js';
import { viewKey } from '../keys/view-key.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { viewOrganization } from '../organizations/organization-view.js';

/** Lists the operations that every API key can use, independent of its scopes and limits. */
export const ME_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'getMe',
    method: 'get',
    path: '/me',
    tag: 'API keys',
    summary: 'Get the current API key',
    description: 'Returns the API key of the request, with its scopes and limits, and its organization.',
    scopes: [],
    responses: { 200: jsonResponse('The key and its organization.', objectOf(MeResponse)) },
    handle: async ({ gateway: { db }, caller: { organizationId, keyId } }) => {
      const organization = await findOrganization(db, organizationId);
      const key = await findKey(db, organizationId, keyId);
      return ok({ organization: viewOrganization(organization), key: viewKey(key) });
    },
  }),
];
