import { MeResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { describeJsonResponse, createObjectSchema } from '../http/responses.js';
import { findKey } from '../keys/key-repository.js';
import { buildApiKeyResponse } from '../keys/build-api-key-response.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { buildOrganizationResponse } from '../organizations/organization-view.js';

/** Lists the operations that every API key can use, whatever scopes and limits the key has. */
export const ME_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'getMe',
    method: 'get',
    path: '/me',
    tag: 'API keys',
    summary: 'Get the current API key',
    description: 'Returns the API key of the request, with its scopes and limits, and its organization.',
    scopes: [],
    responses: { 200: describeJsonResponse('The key and its organization.', createObjectSchema(MeResponse)) },
    handle: async ({ gateway: { db }, caller: { organizationId, keyId } }) => {
      const organization = await findOrganization(db, organizationId);
      const key = await findKey(db, organizationId, keyId);
      return buildOkReply({ organization: buildOrganizationResponse(organization), key: buildApiKeyResponse(key) });
    },
  }),
];
