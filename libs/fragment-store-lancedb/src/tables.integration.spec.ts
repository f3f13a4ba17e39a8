import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { collectionName, type Collection } from '@quarry/fragment-store';
import { sampleDocument, sampleVersion } from '@quarry/fragment-store/testing';
import { Schema } from 'apache-arrow';
import { expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { schemaOf } from './schema.js';

it('gives a table that was made before there were offers what it lacks, and keeps what is in it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  const collection: Collection = { embedding: null };
  const later = new Set(['price', 'stock_status']);
  const earlier = new Schema(schemaOf(null).fields.filter(({ name }) => !later.has(name)));
  const connection = await connect(directory);
  const table = await connection.createEmptyTable(collectionName(collection), earlier);
  const old = {
    organization_id: 'o',
    datastore_id: 'd',
    datasource_id: 's',
    document_key: 'old',
    slot: 'old/0',
    document_id: 'old',
    id: 'old',
    content_hash: 'h',
    generation: 1,
    document_fragments: 1,
    document_tokens: 1,
    ordinal: 0,
    context: '',
    text: 'heron',
    terms: 'heron',
    custom_id: null,
    source: null,
    page: null,
    location: null,
  };
  await table.add([old]);
  connection.close();

  const store = await openLanceDbFragmentStore({ directory });
  const document = { ...sampleDocument(), organizationId: 'o', datastoreId: 'd' };
  const version = sampleVersion(document, ['heron'], { offer: { price: 5, stockStatus: 'instock' } });
  const withoutVectors = version.fragments.map((fragment) => ({ ...fragment, vector: null }));
  await store.replaceDocument(collection, { ...version, fragments: withoutVectors });
  const scope = { organizationId: 'o', datastoreIds: ['d'] };
  expect(await store.searchLexical(collection, scope, 'heron', 10)).toHaveLength(2);
  const priced = { ...scope, price: { max: 5 }, stockStatuses: ['instock'] };
  expect(await store.searchLexical(collection, priced, 'heron', 10)).toMatchObject([
    { documentKey: document.documentKey },
  ]);
  await store.close();
  await rm(directory, { recursive: true });
});
