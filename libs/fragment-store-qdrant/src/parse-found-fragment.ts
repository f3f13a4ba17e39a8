import type { ScoredFragment } from '@quarry/fragment-store';
import { numberOf, optionalNumberOf, optionalTextOf, textOf, type Payload } from './payload.js';

export const FRAGMENT_FIELDS = [
  ...['commit', 'fragment_id', 'datastore_id', 'datasource_id', 'document_id', 'document_key', 'custom_id', 'source'],
  'generation',
  ...['ordinal', 'page', 'location', 'context', 'text'],
];

/** Describes a matching fragment. Its commit may be outdated. */
export interface FoundFragment {
  readonly documentId: string;
  readonly commit: string;
  readonly fragment: ScoredFragment;
}

export function parseFoundFragment(fields: Payload, score: number): FoundFragment {
  return {
    documentId: textOf(fields, 'document_id'),
    commit: textOf(fields, 'commit'),
    fragment: {
      id: textOf(fields, 'fragment_id'),
      datastoreId: textOf(fields, 'datastore_id'),
      datasourceId: textOf(fields, 'datasource_id'),
      documentKey: textOf(fields, 'document_key'),
      customId: optionalTextOf(fields, 'custom_id'),
      source: optionalTextOf(fields, 'source'),
      version: textOf(fields, 'commit'),
      generation: numberOf(fields, 'generation'),
      page: optionalNumberOf(fields, 'page'),
      location: optionalTextOf(fields, 'location'),
      ordinal: numberOf(fields, 'ordinal'),
      context: textOf(fields, 'context'),
      text: textOf(fields, 'text'),
      score,
    },
  };
}
