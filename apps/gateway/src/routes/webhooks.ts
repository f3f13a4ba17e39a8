import { CreateWebhookRequest, PageQuery, UpdateWebhookRequest, type CreatedWebhookResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { newId } from '../database/id.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { requirePublicAddress } from '../http/require-public-address.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf, refuseLimitedKey } from '../keys/caller.js';
import {
  findWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  updateWebhook,
  viewWebhook,
} from '../webhooks/webhook-repository.js';
import { newWebhookSecret, sealSecret } from '../webhooks/webhook-secret.js';

/** `/webhooks`: make, list, show, change, remove. They tell of the whole organization, so limited keys have none. */
export function webhookRoutes(gateway: Gateway): Router {
  const { db, limits, sealing, allowLoopback } = gateway;
  const routes = Router();
  const manage = requireScope('manage');

  routes.post('/webhooks', manage, jsonBody(limits.bodyBytes), async (request, response) => {
    const { organizationId } = refuseLimited(callerOf(response));
    const body = parse(CreateWebhookRequest, request.body, 'refuse');
    requirePublicAddress('url', body.url, allowLoopback.webhooks);
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const secret = newWebhookSecret();
      const owner = { id: newId(), organizationId };
      const row = await insertWebhook(tx, { ...owner, sealedSecret: sealSecret(sealing, owner, secret) }, body);
      const created: CreatedWebhookResponse = Object.assign(viewWebhook(row), { secret });
      return madeAt(`${request.baseUrl}/webhooks/${row.id}`, created);
    });
  });

  routes.get('/webhooks', manage, async (request, response) => {
    const { organizationId } = refuseLimited(callerOf(response));
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    response.json(pageOf(await listWebhooks(db, organizationId, page), page, viewWebhook));
  });

  routes.get('/webhooks/:id', manage, async (request, response) => {
    const { organizationId } = refuseLimited(callerOf(response));
    response.json(viewWebhook(await findWebhook(db, organizationId, pathId(request, 'webhook'))));
  });

  routes.patch('/webhooks/:id', manage, jsonBody(limits.bodyBytes), async (request, response) => {
    const { organizationId } = refuseLimited(callerOf(response));
    const { id } = await findWebhook(db, organizationId, pathId(request, 'webhook'));
    const body = parse(UpdateWebhookRequest, request.body, 'refuse');
    requirePublicAddress('url', body.url ?? undefined, allowLoopback.webhooks);
    response.json(viewWebhook(await updateWebhook(db, organizationId, id, body)));
  });

  routes.delete('/webhooks/:id', manage, async (request, response) => {
    const { organizationId } = refuseLimited(callerOf(response));
    await removeWebhook(db, organizationId, pathId(request, 'webhook'));
    response.status(204).end();
  });

  return routes;
}

function refuseLimited(caller: ReturnType<typeof callerOf>): ReturnType<typeof callerOf> {
  refuseLimitedKey(caller);
  return caller;
}
