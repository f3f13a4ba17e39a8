import {
  CreateFileFields,
  type CreateWebPageRequest,
  type CreateWebSiteRequest,
  type DatasourceType,
} from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import { Router, type Request } from 'express';
import { viewDatasource } from '../datasources/datasource-view.js';
import { readByAddress } from '../datasources/read-by-address.js';
import { saveByAddress, type WebSource } from '../datasources/save-by-address.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
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
    await saveUpload(gateway, FORM, request, response);
  });

  routes.post('/datasources', jsonBody(gateway.limits.bodyBytes), async (request, response) => {
    const wanted = readByAddress(request.body);
    const caller = callerOf(response);
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const datastore = await requireDatastore(tx, caller, wanted.datastoreId);
      if (wanted.type === 'item_listing') throw notAvailable(wanted.type);
      const source = webSource(wanted);
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

function webSource({ type, name, custom_id, config }: CreateWebPageRequest | CreateWebSiteRequest): WebSource {
  const address = type === 'web_page' ? config.source_url : null;
  return { type, name, customId: custom_id ?? null, config: Object.fromEntries(Object.entries(config)), address };
}

function notAvailable(type: DatasourceType): Problem {
  return problem(
    'datasource_type_not_available',
    `Datasources of the type ${type} cannot be synced by this installation yet; nothing was made.`,
  );
}

function isForm(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string';
}
