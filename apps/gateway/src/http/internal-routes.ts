import {
  IndexDocument,
  IndexedVersionsRequest,
  type IndexedVersionsResponse,
  MAX_RUN_REQUEST_BYTES,
  RecordDocumentsRequest,
  RUN_GATEWAY_PATHS,
  RunRef,
  type RunStateResponse,
  RunStatesRequest,
  type RunStatesResponse,
  SERVICE_REPORT_PATHS,
  ServiceEnd,
  ServiceReport,
  TOKEN_CLAIMS_PATH,
  TokenClaim,
} from '@quarry/contracts';
import { createInternalTokenCheck } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { createDatabaseRunGateway, type RunGatewayParts } from '../runs/record/open-run-gateway.js';
import { removeServiceReport, storeServiceReport } from '../system/service-reports.js';
import { createStorableJsonParser } from './create-body-parser.js';
import { translateErrors } from './translate-errors.js';

/**
 * Creates the routes for the other services of the installation. The routes require the internal token that the
 * services share.
 */
export function createInternalRoutes(
  gateway: Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'changes' | 'limits'>,
  token: string,
): Router {
  const { db, limits } = gateway;
  const routes = Router();
  routes.use('/internal', createInternalTokenCheck(token));
  routes.post(TOKEN_CLAIMS_PATH, createStorableJsonParser(limits.bodyBytes), async (request, response) => {
    response.json(await claimTokens(db, parse(TokenClaim, request.body, 'ignore')));
  });
  routes.post(SERVICE_REPORT_PATHS.report, createStorableJsonParser(limits.bodyBytes), async (request, response) => {
    await storeServiceReport(db, parse(ServiceReport, request.body, 'ignore'));
    response.status(204).end();
  });
  routes.post(SERVICE_REPORT_PATHS.end, createStorableJsonParser(limits.bodyBytes), async (request, response) => {
    await removeServiceReport(db, parse(ServiceEnd, request.body, 'ignore').instance);
    response.status(204).end();
  });
  routes.use(createRoutesForWorkers(gateway));
  routes.use('/internal', translateErrors);
  return routes;
}

/** Creates the routes through which workers call the port `RunGateway`. */
function createRoutesForWorkers(parts: RunGatewayParts): Router {
  const gateway = createDatabaseRunGateway(parts);
  const routes = Router();
  routes.use('/internal/runs', createStorableJsonParser(MAX_RUN_REQUEST_BYTES));
  routes.post(RUN_GATEWAY_PATHS.runStates, async (request, response) => {
    const { runs } = parse(RunStatesRequest, request.body, 'ignore');
    response.json({ states: await gateway.readRunStates(runs) } satisfies RunStatesResponse);
  });
  routes.post(RUN_GATEWAY_PATHS.openRun, async (request, response) => {
    response.json(await gateway.openRun(parse(RunRef, request.body, 'ignore')));
  });
  routes.post(RUN_GATEWAY_PATHS.indexedVersions, async (request, response) => {
    const versions = await gateway.readIndexedVersions(parse(IndexedVersionsRequest, request.body, 'ignore'));
    response.json({ versions } satisfies IndexedVersionsResponse);
  });
  routes.post(RUN_GATEWAY_PATHS.enqueueDocument, async (request, response) => {
    const state = await gateway.enqueueDocument(parse(IndexDocument, request.body, 'ignore'));
    response.json({ state } satisfies RunStateResponse);
  });
  routes.post(RUN_GATEWAY_PATHS.recordDocuments, async (request, response) => {
    response.json(await gateway.recordDocuments(parse(RecordDocumentsRequest, request.body, 'ignore')));
  });
  return routes;
}
