import { createHash } from 'node:crypto';
import type { SyncCatalog } from '@quarry/contracts';
import { DOCUMENT_FORM } from '../documents/item-document.js';
import { canonicalJson } from '../listing/canonical-json.js';
import type { CatalogState, RunEnd } from './catalog-state.js';
import { Ledger } from './ledger.js';
import type { StateStore } from './state-store.js';

/** A ledger, and where its run's scan goes on: at the begin, after the last run, or where a dead process left it. */
export interface OpenedLedger {
  readonly ledger: Ledger;
  readonly goesOnAfter: string;
  /** What the dead process was about to tell last. */
  readonly end: RunEnd | undefined;
}

export async function openLedger(store: StateStore, job: SyncCatalog): Promise<OpenedLedger> {
  const listing = listingOf(job);
  const kept = await store.load();
  const ours = kept?.listing === listing ? kept : undefined;
  const takenOver = ours?.run?.runId === job.runId ? ours.run : undefined;
  const nothingKnown: CatalogState = { form: 2, listing, modifiedAfter: '', versions: [] };
  const state = takenOver === undefined && job.reindex === true ? nothingKnown : (ours ?? nothingKnown);
  const ledger = new Ledger(state, job, await store.loadIntentions());
  const begin = job.mode === 'full' ? '' : state.modifiedAfter;
  return { ledger, goesOnAfter: takenOver?.modifiedAfter ?? begin, end: takenOver?.end };
}

/** Changes when what was remembered no longer tells which documents are up to date. */
function listingOf({ url, embedding, splitting }: SyncCatalog): string {
  const parts = { url, embedding: embedding ?? null, splitting, form: DOCUMENT_FORM };
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url');
}
