import { FileUploadFields } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { requireForm } from '../http/require-form.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { saveUpload } from '../uploads/save-upload.js';

/** `POST /external/datastores/file-upload/{datastoreId}`. Source: interface specification, endpoint 5. */
export function fileUploadRoutes(gateway: Gateway): Router {
  const routes = Router();
  const path = '/external/datastores/file-upload/:datastoreId';
  routes.post(path, requireScope('ingest'), requireForm, async (request, response) => {
    const datastoreId = pathId(request, 'datastore', 'datastoreId');
    const target = {
      datastoreIdSoFar: () => datastoreId,
      read: (fields: unknown) => ({ form: parse(FileUploadFields, fields, 'ignore'), datastoreId }),
    };
    await saveUpload(gateway, target, request, response);
  });
  return routes;
}
