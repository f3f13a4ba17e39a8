import { setTimeout as pause } from 'node:timers/promises';
import type { Datasource } from '@quarry/client';
import { findWords } from './expect-absence.js';
import type { Subject, Workplace } from './subjects.js';
import { Violation } from './violation.js';

/**
 * Sets the time limit for settling a round, which exceeds a takeover, all retries of a job, and the watchdog's
 * intervals.
 */
const SETTLE_LIMIT_MS = 300_000;
const POLL_MS = 150;
const PAGE = 100;
/** Number of old versions per document whose absence is verified. */
const RETIRED_VERSIONS = 3;

/** Waits until no work is in progress, and compares the datastore with its expected content. @throws Violation */
export async function settleRound(workplace: Workplace, subjects: readonly Subject[]): Promise<void> {
  const datasources = await waitUntilSettled(workplace);
  const owners = new Map(subjects.flatMap((subject) => subject.datasourceIds.map((id) => [id, subject])));
  for (const datasource of datasources) verifyDatasource(datasource, owners.get(datasource.id), subjects);
  const documents = subjects.flatMap((subject) => subject.documents);
  const words = documents.flatMap((document) => document.listWordsToSearch(RETIRED_VERSIONS));
  const { customer, datastoreId, retired } = workplace;
  const found = await findWords(async (some) => customer.searchDatastore(datastoreId, some), words);
  for (const document of documents) {
    document.settleVersion(found);
    for (const word of document.words) if (word !== document.settled) retired.addWord(word);
  }
  for (const { id, type } of datasources) {
    if (type === 'web_site' || type === 'item_listing') await verifyKeys(workplace, id);
  }
}

async function waitUntilSettled(workplace: Workplace): Promise<readonly Datasource[]> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const datasources = await listDatasources(workplace);
    const waiting = datasources.filter(({ status }) => !['synched', 'error', 'usage_limit_reached'].includes(status));
    if (waiting.length === 0) return datasources;
    if (Date.now() > deadline) {
      const found = waiting.map(({ id, name, status }) => `${name} (${id}) ${status}`).join(', ');
      throw new Violation('stuck', `expected all to settle within ${SETTLE_LIMIT_MS / 1_000} s, found ${found}`);
    }
    await pause(POLL_MS);
  }
}

async function listDatasources({ customer, datastoreId }: Workplace): Promise<readonly Datasource[]> {
  return customer.sendRequest('list datasources', async ({ quarry, signal }) => {
    const all: Datasource[] = [];
    let cursor: string | undefined;
    do {
      const page = await quarry.listDatasources({ datastoreId, limit: PAGE, ...(cursor && { cursor }) }, { signal });
      all.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return all;
  });
}

function verifyDatasource(datasource: Datasource, owner: Subject | undefined, subjects: readonly Subject[]): void {
  const { id, name, status, error, run } = datasource;
  if (owner === undefined) {
    const known = subjects.find(
      (subject) => subject.name === name || subject.documents.some((one) => one.name === name),
    );
    throw new Violation(
      'duplicated',
      `expected no datasource ${id} of ${known?.name ?? name}: ${JSON.stringify(datasource)}`,
    );
  }
  if (status !== 'synched' && !owner.acceptsOutcome(error?.code ?? '')) {
    throw new Violation(
      'lost',
      `${name}: expected synched, found ${status}: ${JSON.stringify(error)} ${JSON.stringify(run)}`,
    );
  }
  if (status !== 'synched' || run === null) return;
  const { discovered, indexed, unchanged, failed, skipped } = run.counters;
  if (indexed + unchanged + failed + skipped !== discovered) {
    throw new Violation('miscounted', `${name}: expected counters that add up, found ${JSON.stringify(run.counters)}`);
  }
}

async function verifyKeys({ customer }: Workplace, id: string): Promise<void> {
  const keys = await customer.sendRequest('list documents', async ({ quarry, signal }) => {
    const { items } = await quarry.listDocuments(id, { limit: PAGE }, { signal });
    return items.map(({ documentKey }) => documentKey);
  });
  if (new Set(keys).size !== keys.length) throw new Violation('duplicated', `documents of ${id}: ${keys.join(', ')}`);
}
