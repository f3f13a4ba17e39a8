import { UpsertRequest, type UpsertResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { requireDatastore } from '../datastores/require-datastore.js';
import { withTexts } from '../documents/upsert-documents.js';
import { upsertedDocuments } from '../documents/upserted-documents.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { pathId } from '../http/path-id.js';
import { done } from '../idempotency/answer.js';
import { answerAgain, answerOnce } from '../idempotency/answer-once.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { problem } from '../problems.js';

/** `POST /datastores/upsert/{datastoreId}`. Source: interface specification, endpoint 3. */
export function upsertRoutes(gateway: Gateway): Router {
  const { db, limits } = gateway;
  const routes = Router();
  const path = '/datastores/upsert/:datastoreId';
  routes.post(path, requireScope('ingest'), jsonBody(limits.upsertBytes), async (request, response) => {
    const caller = callerOf(response);
    if (await answerAgain(gateway, request, response, request.body)) return;
    const datastore = await requireDatastore(db, caller, pathId(request, 'datastore', 'datastoreId'));
    refuseTooMany(request.body, limits.upsertDocuments);
    const { documents } = parse(UpsertRequest, request.body, 'ignore');
    const read = upsertedDocuments(documents, limits.metadataBytes);
    await withTexts(gateway, datastore, read, async (save) =>
      answerOnce(gateway, request, response, request.body, async (tx) => {
        const answer: UpsertResponse = { ids: await save(tx) };
        return done(answer);
      }),
    );
  });
  return routes;
}

/** Before each of them is looked at. */
function refuseTooMany(body: unknown, limit: number): void {
  const documents = typeof body === 'object' && body !== null && 'documents' in body ? body.documents : undefined;
  if (Array.isArray(documents) && documents.length > limit) {
    throw problem('too_many_documents', `A call may hold ${limit} documents, found ${documents.length}.`);
  }
}
