import {
  IndexedVersionsRequest,
  MAX_RUN_REQUEST_BYTES,
  RecordDocumentsRequest,
  RUN_GATEWAY_PATHS,
  RunRef,
  RunStatesRequest,
  type IndexedVersionsResponse,
  type RunStatesResponse,
} from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { storableJsonBody } from './storable-json-body.js';
import { createDatabaseRunGateway, type RunGatewayParts } from '../runs/open-run-gateway.js';

/** Serves the port `RunGateway` to the workers. */
export function createRunGatewayRoutes(parts: RunGatewayParts): Router {
  const gateway = createDatabaseRunGateway(parts);
  const routes = Router();
  routes.use('/internal/runs', storableJsonBody(MAX_RUN_REQUEST_BYTES));
  routes.post(RUN_GATEWAY_PATHS.runStates, async (request, response) => {
    const { runs } = parse(RunStatesRequest, request.body, 'ignore');
    response.json({ states: await gateway.runStates(runs) } satisfies RunStatesResponse);
  });
  routes.post(RUN_GATEWAY_PATHS.openRun, async (request, response) => {
    response.json(await gateway.openRun(parse(RunRef, request.body, 'ignore')));
  });
  routes.post(RUN_GATEWAY_PATHS.indexedVersions, async (request, response) => {
    const versions = await gateway.indexedVersions(parse(IndexedVersionsRequest, request.body, 'ignore'));
    response.json({ versions } satisfies IndexedVersionsResponse);
  });
  routes.post(RUN_GATEWAY_PATHS.recordDocuments, async (request, response) => {
    response.json(await gateway.recordDocuments(parse(RecordDocumentsRequest, request.body, 'ignore')));
  });
  return routes;
}
