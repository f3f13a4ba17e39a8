import type { ScoredFragment } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import { numberOf, optionalNumberOf, optionalTextOf, textOf } from './payload.js';

export const FRAGMENT_FIELDS = [
  ...['datastore_id', 'datasource_id', 'document_id', 'document_key', 'custom_id', 'source', 'version', 'settled'],
  ...['ordinal', 'page', 'location', 'context', 'text'],
];

/** A fragment that matches; whether it is of the version that is searched now is still to be seen. */
export interface FoundFragment {
  readonly documentId: string;
  readonly version: string;
  /** Its version was complete, and its document's current one, before this fragment was read. */
  readonly settled: boolean;
  readonly fragment: ScoredFragment;
}

export function foundFragment({ id, score, payload }: Schemas['ScoredPoint']): FoundFragment {
  // The driver allows for searches without payload: ours always ask for it.
  const fields = payload ?? {};
  return {
    documentId: textOf(fields, 'document_id'),
    version: textOf(fields, 'version'),
    settled: fields['settled'] === true,
    fragment: {
      id: String(id),
      datastoreId: textOf(fields, 'datastore_id'),
      datasourceId: textOf(fields, 'datasource_id'),
      documentKey: textOf(fields, 'document_key'),
      customId: optionalTextOf(fields, 'custom_id'),
      source: optionalTextOf(fields, 'source'),
      page: optionalNumberOf(fields, 'page'),
      location: optionalTextOf(fields, 'location'),
      ordinal: numberOf(fields, 'ordinal'),
      context: textOf(fields, 'context'),
      text: textOf(fields, 'text'),
      score,
    },
  };
}
