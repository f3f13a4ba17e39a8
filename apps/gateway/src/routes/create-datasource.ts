import { CreateFileFields } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router, type Request } from 'express';
import { addressSource } from '../datasources/address-source.js';
import { viewDatasource } from '../datasources/datasource-view.js';
import { readByAddress } from '../datasources/read-by-address.js';
import { saveByAddress } from '../datasources/save-by-address.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { saveUpload, type UploadTarget } from '../uploads/save-upload.js';

/** `POST /datasources`. Source: interface specification, endpoint 4: a form with a file, or JSON with an address. */
export function createDatasourceRoutes(gateway: Gateway): Router {
  const routes = Router();

  routes.post('/datasources', requireScope('ingest'), async (request, response, next) => {
    if (!isForm(request)) {
      next();
      return;
    }
    await saveUpload(gateway, FORM, request, response);
  });

  routes.post('/datasources', jsonBody(gateway.limits.bodyBytes), async (request, response) => {
    const wanted = readByAddress(request.body);
    const caller = callerOf(response);
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const datastore = await requireDatastore(tx, caller, wanted.datastoreId);
      const source = addressSource(gateway, caller.organizationId, wanted);
      const saved = await saveByAddress(tx, caller.organizationId, datastore.id, source, gateway.clock());
      return madeAt(`${request.baseUrl}/datasources/${saved.datasource.id}`, viewDatasource(saved));
    });
  });

  return routes;
}

const FORM: UploadTarget = {
  datastoreIdSoFar: ({ datastoreId }) => (typeof datastoreId === 'string' ? datastoreId : undefined),
  read: (fields) => {
    const form = parse(CreateFileFields, fields, 'ignore');
    return { form, datastoreId: form.datastoreId };
  },
};

function isForm(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string';
}
