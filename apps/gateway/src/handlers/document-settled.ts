import type { DocumentRetrying, DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { recordDocument, recordEnumeration, recordRetry } from '../runs/record-document.js';
import { readDryRunKeys } from '../runs/read-dry-run-keys.js';
import type { Gateway } from '../gateway.js';

type EventDependencies = Pick<Gateway, 'db' | 'clock' | 'outboxWritten'>;

/** Handles `document-settled`: one of several documents of a run has settled. */
export async function documentSettled(gateway: EventDependencies, payload: DocumentSettled): Promise<void> {
  const recorded = await recordDocument(gateway.db, payload, gateway.clock());
  if (recorded === 'settled') gateway.outboxWritten.wake();
}

/** Handles `document-retrying`: one of several documents of a run is retried. */
export async function documentRetrying(gateway: EventDependencies, payload: DocumentRetrying): Promise<void> {
  await recordRetry(gateway.db, payload, gateway.clock());
}

/** Handles `run-enumerated`: all documents of a run have been found. */
export async function runEnumerated(
  gateway: EventDependencies & Pick<Gateway, 'blobs'>,
  payload: RunEnumerated,
): Promise<void> {
  const { wouldKeep } = payload;
  const dryRunKeys = wouldKeep && (await readDryRunKeys(gateway.blobs, wouldKeep));
  const recorded = await recordEnumeration(gateway.db, payload, gateway.clock(), dryRunKeys);
  if (recorded === 'settled') gateway.outboxWritten.wake();
  if (wouldKeep !== undefined) await gateway.blobs.remove(wouldKeep.blobKey);
}
