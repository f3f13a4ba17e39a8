import {
  CreateOrganizationRequest,
  PageQuery,
  TENANT_SCOPES,
  UpdateOrganizationRequest,
  type CreatedOrganizationResponse,
} from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { newApiKey } from '../keys/api-key.js';
import { requireScope } from '../keys/authenticate.js';
import { insertKey } from '../keys/key-repository.js';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  updateOrganization,
} from '../organizations/organization-repository.js';
import { viewOrganization } from '../organizations/organization-view.js';
import { removeOrganization } from '../organizations/remove-organization.js';
import { viewUsage } from '../usage/view-usage.js';

/** `/organizations`: create, list, show, show the usage of, change, remove. For the operator of the installation alone. */
export function organizationRoutes(gateway: Gateway): Router {
  const { db, limits, clock } = gateway;
  const routes = Router();
  const operate = requireScope('operate');

  routes.post('/organizations', operate, jsonBody(limits.bodyBytes), async (request, response) => {
    const body = parse(CreateOrganizationRequest, request.body, 'refuse');
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const apiKey = newApiKey();
      const row = await insertOrganization(tx, body);
      await insertKey(tx, row.id, apiKey, { name: 'first', scopes: TENANT_SCOPES });
      const created: CreatedOrganizationResponse = Object.assign(viewOrganization(row), { apiKey });
      return madeAt(`${request.baseUrl}/organizations/${row.id}`, created);
    });
  });

  routes.get('/organizations', operate, async (request, response) => {
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    response.json(pageOf(await listOrganizations(db, page), page, viewOrganization));
  });

  routes.get('/organizations/:id', operate, async (request, response) => {
    response.json(viewOrganization(await findOrganization(db, pathId(request, 'organization'))));
  });

  routes.get('/organizations/:id/usage', operate, async (request, response) => {
    response.json(await viewUsage(db, pathId(request, 'organization'), clock()));
  });

  routes.patch('/organizations/:id', operate, jsonBody(limits.bodyBytes), async (request, response) => {
    const { id } = await findOrganization(db, pathId(request, 'organization'));
    const body = parse(UpdateOrganizationRequest, request.body, 'refuse');
    response.json(viewOrganization(await updateOrganization(db, id, body, clock())));
  });

  routes.delete('/organizations/:id', operate, async (request, response) => {
    await removeOrganization(gateway, pathId(request, 'organization'));
    response.status(204).end();
  });

  return routes;
}
