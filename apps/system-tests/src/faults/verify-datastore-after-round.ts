import { setTimeout as pause } from 'node:timers/promises';
import type { Datasource } from '@quarry/client';
import { searchWordsInBatches } from './verify-deleted-documents-are-absent.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';
import { Violation } from './violation.js';

/**
 * Time limit until all runs of a round have ended, in milliseconds. It exceeds the time for the takeover of a job, for
 * all its retries, and for the checks of the watchdog.
 */
const SETTLE_LIMIT_MS = 300_000;
const POLL_MS = 150;
const PAGE = 100;
/**
 * Maximum number of replaced or deleted versions per document for which the searches verify that they are not found.
 */
const RETIRED_VERSIONS = 3;

/**
 * Waits until no run is in progress, and compares the content of the datastore with the expected content.
 *
 * @throws Violation if the content differs, or the runs do not end in time
 */
export async function verifyDatastoreAfterRound(
  context: CampaignContext,
  contents: readonly ManagedContent[],
): Promise<void> {
  const datasources = await waitUntilRunsHaveEnded(context);
  const owners = new Map(contents.flatMap((content) => content.datasourceIds.map((id) => [id, content])));
  for (const datasource of datasources) verifyDatasource(datasource, owners.get(datasource.id), contents);
  const documents = contents.flatMap((content) => content.documents);
  const words = documents.flatMap((document) => document.listWordsToSearch(RETIRED_VERSIONS));
  const { customer, datastoreId, retired } = context;
  const found = await searchWordsInBatches(async (some) => customer.searchDatastore(datastoreId, some), words);
  for (const document of documents) {
    document.verifyVersion(found);
    for (const word of document.words) if (word !== document.settledVersion) retired.addWord(word);
  }
  for (const { id, type } of datasources) {
    if (type === 'web_site' || type === 'item_listing') await verifyDistinctDocumentKeys(context, id);
  }
}

async function waitUntilRunsHaveEnded(context: CampaignContext): Promise<readonly Datasource[]> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const datasources = await listDatasources(context);
    const waiting = datasources.filter(({ status }) => !['synched', 'error', 'usage_limit_reached'].includes(status));
    if (waiting.length === 0) return datasources;
    if (Date.now() > deadline) {
      const found = waiting.map(({ id, name, status }) => `${name} (${id}) ${status}`).join(', ');
      throw new Violation(
        'stuck',
        `expected all datasources to settle within ${SETTLE_LIMIT_MS / 1_000} s, found ${found}`,
      );
    }
    await pause(POLL_MS);
  }
}

async function listDatasources({ customer, datastoreId }: CampaignContext): Promise<readonly Datasource[]> {
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

/**
 * Verifies that a datasource belongs to a content of the campaign, has an allowed status, and has counters that add up.
 *
 * @throws Violation if one of these conditions is not met
 */
function verifyDatasource(
  datasource: Datasource,
  owner: ManagedContent | undefined,
  contents: readonly ManagedContent[],
): void {
  const { id, name, status, error, run } = datasource;
  if (owner === undefined) {
    const known = contents.find(
      (content) => content.name === name || content.documents.some((one) => one.name === name),
    );
    throw new Violation(
      'duplicated',
      `expected no further datasource of ${known?.name ?? name}, found ${id}: ${JSON.stringify(datasource)}`,
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

/** Verifies that no two documents of a datasource have the same key. @throws Violation if two have */
export async function verifyDistinctDocumentKeys(
  { customer }: Pick<CampaignContext, 'customer'>,
  id: string,
): Promise<void> {
  const keys = await customer.sendRequest('list documents', async ({ quarry, signal }) => {
    const found: string[] = [];
    for await (const { documentKey } of quarry.listDocuments(id, { limit: PAGE }, { signal })) found.push(documentKey);
    return found;
  });
  if (new Set(keys).size !== keys.length)
    throw new Violation('duplicated', `expected distinct document keys in ${id}, found ${keys.join(', ')}`);
}
