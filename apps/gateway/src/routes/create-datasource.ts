import { CreateFileFields } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router, type Request } from 'express';
import { readByAddress } from '../datasources/read-by-address.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { problem } from '../problems.js';
import { saveUpload, type UploadTarget } from '../uploads/save-upload.js';

/** `POST /datasources`. Source: interface specification, endpoint 4: a form with a file, or JSON with an address. */
export function createDatasourceRoutes(gateway: Gateway): Router {
  const routes = Router();

  routes.post('/datasources', requireScope('ingest'), async (request, response, next) => {
    if (!isForm(request)) {
      next();
      return;
    }
    response.status(201).json(await saveUpload(gateway, FORM, request, response));
  });

  routes.post('/datasources', jsonBody(gateway.limits.bodyBytes), async (request, response) => {
    const wanted = readByAddress(request.body);
    await requireDatastore(gateway.db, callerOf(response), wanted.datastoreId);
    throw problem(
      'datasource_type_not_available',
      `Datasources of the type ${wanted.type} cannot be synced by this installation yet; nothing was made.`,
    );
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
