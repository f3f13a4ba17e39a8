import type { FileUploadFields } from '@quarry/contracts';
import type { Request, Response } from 'express';
import { newId } from '../database/id.js';
import { viewDatasource } from '../datasources/datasource-view.js';
import { saveDocuments } from '../datasources/save-documents.js';
import { requireDatastore, requireReachable } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { callerOf } from '../keys/caller.js';
import { newBlobKey } from './blob-key.js';
import { fileDocument } from './file-document.js';
import type { StoredFile } from './blob-storage-engine.js';
import { receiveForm } from './receive-form.js';
import { releaseBlobs } from './release-blobs.js';

/** What a form says of where its file goes. */
export interface UploadTarget {
  /** When the file begins: undefined while the form has not said it. What is wrong shows in `read`. */
  datastoreIdSoFar(fields: Readonly<Record<string, unknown>>): string | undefined;
  /** When the form is whole. @throws ValidationError */
  read(fields: unknown): { readonly form: FileUploadFields; readonly datastoreId: string };
}

/**
 * Receives a form with a file, makes a datasource of it, or syncs the one that has its name already, and answers with it.
 *
 * @throws Problem; nothing of the file is kept then
 */
export async function saveUpload(
  gateway: Gateway,
  target: UploadTarget,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = callerOf(response);
  const { organizationId } = caller;
  const id = newId();
  const keyFor = async (soFar: Readonly<Record<string, unknown>>): Promise<string> => {
    const datastoreId = target.datastoreIdSoFar(soFar);
    if (datastoreId !== undefined) await requireDatastore(gateway.db, caller, datastoreId);
    return newBlobKey(organizationId, datastoreId, id);
  };
  const { fields, file } = await receiveForm(gateway, { organizationId, keyFor }, request, response);
  let isKept = false;
  try {
    const { form, datastoreId } = target.read(fields);
    const document = fileDocument(form, file, id);
    isKept = await answerOnce(gateway, request, response, askedFor(fields, file), async (tx) => {
      const datastore = requireReachable(caller, datastoreId);
      const [saved] = await saveDocuments(tx, organizationId, datastore, [document], gateway.clock());
      if (saved === undefined) throw new Error(`the file ${document.name} was not saved`);
      return madeAt(`${request.baseUrl}/datasources/${saved.datasource.id}`, viewDatasource(saved));
    });
  } finally {
    if (file !== undefined && !isKept) await releaseBlobs(gateway, [file.blobKey]);
  }
}

/** A form that is sent again has other boundaries, but the same fields and the same file. */
function askedFor(fields: unknown, file: StoredFile | undefined): unknown {
  if (file === undefined) return [fields];
  const { name, declaredType, sha256 } = file;
  return [fields, { name, declaredType, sha256 }];
}
