import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { datasources } from '../database/tables/datasources.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { runs } from '../database/tables/runs.js';
import { hideDatastore } from '../datastores/remove-datastore.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import type { CompletedClaim } from '../idempotency/store-response.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { buildLegacyFileKey, determineFileIdentity } from './document-identity.js';
import { buildNewDocument, insertDocument } from './insert-document.js';
import type { SavedDocument } from './save-documents.js';

const used = setUpTenant();

async function readDatastore(): Promise<DatastoreRow> {
  const [row] = await used.test.gateway.db.select().from(datastores).where(eq(datastores.id, used.datastore));
  if (row === undefined) throw new Error('expected the datastore, found none');
  return row;
}

/** Builds the document of a file, and reserves the blob of the document. */
async function buildDocument(name: string): Promise<SavedDocument> {
  const { gateway } = used.test;
  const id = newId();
  const blobKey = `${used.tenant.organizationId}/${id}`;
  await reserveBlobs(gateway.db, used.tenant.organizationId, [blobKey], gateway.clock());
  return {
    ...{
      newId: id,
      type: 'file',
      identity: determineFileIdentity(null, name),
      legacyKey: buildLegacyFileKey(null, name),
    },
    ...{ givenName: name, name, mimeType: 'text/plain', customId: null, blobKey, size: 9, source: null },
    ...{ metadata: null, config: { fileName: name, mimeType: 'text/plain', fileSize: 9 } },
  };
}

/** Inserts a document. @returns whether it was inserted, and whether its blob is still reserved */
async function insertTestDocument(document: SavedDocument, datastore: DatastoreRow): Promise<object> {
  const { db, clock } = used.test.gateway;
  const generation = await insertDocument(db, buildNewDocument(datastore, document, clock()), undefined);
  const isReserved = (await db.$count(discardedBlobs, eq(discardedBlobs.key, document.blobKey))) > 0;
  return { isInserted: generation !== undefined, isReserved };
}

/** Builds the claim of a request with an `Idempotency-Key`, without its response. */
async function buildClaim(): Promise<Omit<CompletedClaim, 'answer' | 'expiresAt'>> {
  const { organizationId } = used.tenant;
  const [key] = await used.test.gateway.db.select().from(apiKeys).where(eq(apiKeys.organizationId, organizationId));
  if (key === undefined) throw new Error('expected an API key, found none');
  return { organizationId, apiKeyId: key.id, route: 'POST /files', keyHash: 'hash', fingerprint: 'content' };
}

const NOTHING_CHANGED = { isInserted: false, isReserved: true };

describe('insertDocument', () => {
  it('insertDocument inserts the given datasource and run with a job, and returns the generation that the run and the job contain', async () => {
    const { db, clock } = used.test.gateway;
    const document = await buildDocument('a.txt');
    const newDocument = buildNewDocument(await readDatastore(), document, clock());
    const generation = await insertDocument(db, newDocument, undefined);
    const id = document.newId;
    expect(await db.select().from(datasources).where(eq(datasources.id, id))).toEqual([newDocument.datasource]);
    expect(await db.select().from(runs).where(eq(runs.datasourceId, id))).toEqual([{ ...newDocument.run, generation }]);
    const [job] = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
    expect(job?.payload).toMatchObject({ datasourceId: id, generation, name: 'a.txt' });
  });

  it('insertDocument inserts nothing when the datastore already has a document with the same identity', async () => {
    await uploadText(used.tenant.api, used.datastore, 'text', 'a.txt');
    expect(await insertTestDocument(await buildDocument('a.txt'), await readDatastore())).toEqual(NOTHING_CHANGED);
  });

  it('insertDocument inserts nothing if the datastore contains the document in a row without an identity, which an earlier version of Quarry stored', async () => {
    const { db } = used.test.gateway;
    const id = await uploadText(used.tenant.api, used.datastore, 'text', 'a.txt');
    await db.update(datasources).set({ identity: null, documentKey: 'a.txt' }).where(eq(datasources.id, id));
    expect(await insertTestDocument(await buildDocument('a.txt'), await readDatastore())).toEqual(NOTHING_CHANGED);
  });

  it.each([{ splitting: { maxTokens: 256, overlapTokens: 32 } }, { ocrLanguages: ['deu'] }])(
    'insertDocument inserts nothing if the settings of the datastore have meanwhile changed to %j, because the job would contain the old settings',
    async (change) => {
      const datastore = await readDatastore();
      await used.tenant.api.patch(`/api/datastores/${used.datastore}`).send(change);
      expect(await insertTestDocument(await buildDocument('a.txt'), datastore)).toEqual(NOTHING_CHANGED);
    },
  );

  it('insertDocument inserts a job that contains the OCR languages of the datastore', async () => {
    await used.tenant.api.patch(`/api/datastores/${used.datastore}`).send({ ocrLanguages: ['deu', 'eng'] });
    await insertTestDocument(await buildDocument('a.txt'), await readDatastore());
    const [job] = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
    expect(job?.payload).toMatchObject({ ocrLanguages: ['deu', 'eng'] });
  });

  it('insertDocument stores the claim on an Idempotency-Key with the document, and inserts nothing if the key was claimed before', async () => {
    const { db, clock } = used.test.gateway;
    const claim = { ...(await buildClaim()), answer: 'encrypted', expiresAt: new Date(clock().getTime() + 1_000) };
    const insertWithClaim = async (name: string): Promise<number | undefined> =>
      insertDocument(db, buildNewDocument(await readDatastore(), await buildDocument(name), clock()), claim);
    const generations = await Promise.all([insertWithClaim('a.txt'), insertWithClaim('b.txt')]);
    expect(generations.filter((generation) => generation !== undefined)).toHaveLength(1);
    expect(await insertWithClaim('c.txt')).toBeUndefined();
    expect(await db.$count(datasources, eq(datasources.datastoreId, used.datastore))).toBe(1);
    const stored = eq(idempotencyKeys.organizationId, used.tenant.organizationId);
    expect(await db.select().from(idempotencyKeys).where(stored)).toEqual([claim]);
  });

  it('insertDocument inserts nothing after the datastore was removed', async () => {
    const datastore = await readDatastore();
    await hideDatastore(used.test.gateway.db, datastore, used.test.gateway.clock());
    expect(await insertTestDocument(await buildDocument('a.txt'), datastore)).toEqual(NOTHING_CHANGED);
  });
});
