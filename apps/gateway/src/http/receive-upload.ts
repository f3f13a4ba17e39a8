import { newId } from '../database/id.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import { createBlobKey } from '../uploads/create-blob-key.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { Exchange } from './exchange.js';
import { receiveForm, type FormParts } from './receive-form.js';
import type { Reply } from './reply.js';
import { ReceivedForm, type FormBody } from './request-body.js';

/**
 * Receives a form with a file, and passes it to a handler. Removes the bytes of the file if the handler fails or replays a
 * response.
 *
 * @param handle receives the form, and its content for the comparison with another request of the same `Idempotency-Key`
 * @throws Problem after removing the stored bytes
 */
export async function receiveUpload<Value>(
  { gateway, caller, request, response }: Exchange,
  { findDatastoreId, parse }: FormBody<Value>,
  params: Readonly<Record<string, string>>,
  handle: (form: Value, content: unknown) => Promise<Reply>,
): Promise<Reply> {
  const { organizationId } = caller;
  const id = newId();
  const keyFor = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
    const datastoreId = findDatastoreId({ fields, params });
    if (datastoreId !== undefined) await requireDatastore(gateway.db, caller, datastoreId);
    return createBlobKey(organizationId, datastoreId, id);
  };
  const parts = await receiveForm(gateway, { organizationId, keyFor }, request, response);
  let isCreated = false;
  try {
    const form = parse(new ReceivedForm({ ...parts, newId: id }));
    const reply = await handle(form, toComparableContent(parts));
    isCreated = reply.isReplayed !== true;
    return reply;
  } finally {
    if (parts.file !== undefined && !isCreated) await releaseBlobs(gateway, [parts.file.blobKey]);
  }
}

/** Returns the fields and the file without the boundaries, which differ when a form is sent again. */
function toComparableContent({ fields, file }: FormParts): unknown {
  if (file === undefined) return [fields];
  const { name, declaredType, sha256 } = file;
  return [fields, { name, declaredType, sha256 }];
}
