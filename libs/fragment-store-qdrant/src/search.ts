import type { FragmentScope, ScoredFragment } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords } from './document-records.js';
import { scopeFilter } from './filters.js';
import { FRAGMENT_FIELDS, foundFragment, type FoundFragment } from './found-fragment.js';
import { SettledView } from './settled-view.js';

/** Only a document that is replaced many times a second, on and on, needs more than two. */
const MAX_LOOKS = 20;

export type Question = Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;

/**
 * The fragments that match, of current versions alone. A server of many segments and shards shows a change of many points
 * bit by bit, so what a look found is held against the documents' records, and looked for again where it could be a part.
 */
export async function search(
  connection: QdrantConnection,
  names: CollectionNames,
  scope: FragmentScope,
  question: Question,
  limit: number,
): Promise<readonly ScoredFragment[]> {
  const view = new SettledView();
  for (let look = 1; ; look += 1) {
    const found = await matching(connection, names.fragments, scope, question, limit, view.outdated);
    const records = await documentRecords(connection, names.documents, view.documentsWith(found));
    const { current, complete } = view.compare(found, records, limit);
    if (complete || look === MAX_LOOKS) return current.map(({ fragment }) => fragment);
  }
}

async function matching(
  connection: QdrantConnection,
  name: string,
  scope: FragmentScope,
  question: Question,
  limit: number,
  outdated: ReadonlySet<string>,
): Promise<readonly FoundFragment[]> {
  const filter = scopeFilter(scope, outdated);
  if (filter === undefined || limit < 1) return [];
  const result = await connection.askIfThere(`search ${name}`, (client) =>
    client.query(name, { ...question, filter, limit, with_payload: FRAGMENT_FIELDS }),
  );
  return result?.points.map(foundFragment) ?? [];
}
