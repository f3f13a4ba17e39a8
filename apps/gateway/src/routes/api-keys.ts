import { CreateApiKeyRequest, PageQuery, UpdateApiKeyRequest, type CreatedApiKeyResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf, refuseLimitedKey } from '../keys/caller.js';
import { findKey, listKeys, renameKey, revokeKey } from '../keys/key-repository.js';
import { makeKey } from '../keys/make-key.js';
import { requireChangeableKey } from '../keys/require-changeable-key.js';
import { viewKey } from '../keys/view-key.js';

/** `/api-keys`: make, list, show, rename, revoke. */
export function apiKeyRoutes(gateway: Gateway): Router {
  const { db, limits, clock } = gateway;
  const routes = Router();
  const manage = requireScope('manage');

  routes.post('/api-keys', manage, jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    const body = parse(CreateApiKeyRequest, request.body, 'refuse');
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const { row, key } = await makeKey(tx, caller, body, clock());
      const created: CreatedApiKeyResponse = Object.assign(viewKey(row), { key });
      return madeAt(`${request.baseUrl}/api-keys/${row.id}`, created);
    });
  });

  routes.get('/api-keys', manage, async (request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    response.json(pageOf(await listKeys(db, caller.organizationId, page), page, viewKey));
  });

  routes.get('/api-keys/:id', manage, async (request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    response.json(viewKey(await findKey(db, caller.organizationId, pathId(request, 'API key'))));
  });

  routes.patch('/api-keys/:id', manage, jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    const { id } = await requireChangeableKey(db, caller, pathId(request, 'API key'));
    const { name } = parse(UpdateApiKeyRequest, request.body, 'refuse');
    response.json(viewKey(await renameKey(db, caller.organizationId, id, name)));
  });

  routes.delete('/api-keys/:id', manage, async (request, response) => {
    const caller = callerOf(response);
    const { id } = await requireChangeableKey(db, caller, pathId(request, 'API key'));
    await revokeKey(db, caller.organizationId, id, clock());
    response.status(204).end();
  });

  return routes;
}
