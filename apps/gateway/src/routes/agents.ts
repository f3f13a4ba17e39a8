import { CreateAgentRequest, PageQuery, UpdateAgentRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { insertAgent, listAgents, removeAgent, updateAgent } from '../agents/agent-repository.js';
import { viewAgent } from '../agents/agent-view.js';
import { requireAgent } from '../agents/require-agent.js';
import { requireDatastores } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf, refuseLimitedKey } from '../keys/caller.js';

/** `/agents`: make, list, show, change, remove. */
export function agentRoutes(gateway: Gateway): Router {
  const { db, limits, clock } = gateway;
  const routes = Router();

  routes.post('/agents', requireScope('manage'), jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    const body = parse(CreateAgentRequest, request.body, 'refuse');
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      await requireDatastores(tx, caller, body.datastoreIds);
      const agent = await insertAgent(tx, caller.organizationId, body);
      return madeAt(`${request.baseUrl}/agents/${agent.id}`, viewAgent(agent));
    });
  });

  routes.get('/agents', requireScope('manage', 'query'), async (request, response) => {
    const caller = callerOf(response);
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    const rows = await listAgents(db, caller.organizationId, page, caller.limits?.agentIds);
    response.json(pageOf(rows, page, viewAgent));
  });

  routes.get('/agents/:id', requireScope('manage', 'query'), async (request, response) => {
    response.json(viewAgent(await requireAgent(db, callerOf(response), pathId(request, 'agent'))));
  });

  routes.patch('/agents/:id', requireScope('manage'), jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    const agent = await requireAgent(db, caller, pathId(request, 'agent'));
    const body = parse(UpdateAgentRequest, request.body, 'refuse');
    await requireDatastores(db, caller, body.datastoreIds ?? []);
    response.json(viewAgent(await updateAgent(db, agent, body, clock())));
  });

  routes.delete('/agents/:id', requireScope('manage'), async (request, response) => {
    const caller = callerOf(response);
    const { id } = await requireAgent(db, caller, pathId(request, 'agent'));
    await removeAgent(db, caller.organizationId, id);
    response.status(204).end();
  });

  return routes;
}
