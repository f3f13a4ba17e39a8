import { newId } from '../database/id.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import { newBlobKey } from '../uploads/new-blob-key.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { Exchange } from './exchange.js';
import { receiveForm, type FormParts } from './receive-form.js';
import type { Reply } from './reply.js';
import { ReceivedForm, type FormBody } from './request-body.js';

/**
 * Receives a form with a file, and hands it on. The bytes of the file are removed again unless something new was created of them.
 *
 * @param handle receives the form, and what distinguishes it from another one with the same `Idempotency-Key`
 * @throws Problem; nothing of the file is kept then
 */
export async function receiveUpload<Value>(
  { gateway, caller, request, response }: Exchange,
  { datastoreIdSoFar, parse }: FormBody<Value>,
  params: Readonly<Record<string, string>>,
  handle: (form: Value, content: unknown) => Promise<Reply>,
): Promise<Reply> {
  const { organizationId } = caller;
  const id = newId();
  const keyFor = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
    const datastoreId = datastoreIdSoFar({ fields, params });
    if (datastoreId !== undefined) await requireDatastore(gateway.db, caller, datastoreId);
    return newBlobKey(organizationId, datastoreId, id);
  };
  const parts = await receiveForm(gateway, { organizationId, keyFor }, request, response);
  let isCreated = false;
  try {
    const form = parse(new ReceivedForm({ ...parts, newId: id }));
    const reply = await handle(form, contentOf(parts));
    isCreated = reply.isReplayed !== true;
    return reply;
  } finally {
    if (parts.file !== undefined && !isCreated) await releaseBlobs(gateway, [parts.file.blobKey]);
  }
}

/** A form that is sent again has other boundaries, but the same fields and the same file. */
function contentOf({ fields, file }: FormParts): unknown {
  if (file === undefined) return [fields];
  const { name, declaredType, sha256 } = file;
  return [fields, { name, declaredType, sha256 }];
}
