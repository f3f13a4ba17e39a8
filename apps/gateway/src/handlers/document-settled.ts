import type { DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { recordDocument, recordEnumeration } from '../datasources/record-document.js';
import type { Gateway } from '../gateway.js';

type Needed = Pick<Gateway, 'db' | 'clock' | 'outboxWritten'>;

/** One of a run's several documents has come to its end. */
export async function documentSettled(gateway: Needed, payload: DocumentSettled): Promise<void> {
  const recorded = await recordDocument(gateway.db, payload, gateway.clock());
  if (recorded === 'settled') gateway.outboxWritten.wake();
}

/** Every document of a run has been found. */
export async function runEnumerated(gateway: Needed, payload: RunEnumerated): Promise<void> {
  const recorded = await recordEnumeration(gateway.db, payload, gateway.clock());
  if (recorded === 'settled') gateway.outboxWritten.wake();
}
