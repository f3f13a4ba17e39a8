import { decodeRectangles, type ScoredFragment, type StoredFragment } from '@quarry/fragment-store';
import { readNumber, readOptionalNumber, readOptionalText, readText, type Payload } from './payload.js';

export const FRAGMENT_FIELDS = [
  ...['commit', 'fragment_id', 'datastore_id', 'datasource_id', 'document_id', 'document_key', 'custom_id', 'source'],
  'generation',
  ...['ordinal', 'page', 'location', 'rectangles', 'context', 'text'],
];

/** Describes a matching fragment. Its commit may be outdated. */
export interface FoundFragment {
  readonly documentId: string;
  readonly commit: string;
  readonly fragment: ScoredFragment;
}

export function parseFoundFragment(fields: Payload, score: number): FoundFragment {
  return {
    documentId: readText(fields, 'document_id'),
    commit: readText(fields, 'commit'),
    fragment: { ...parseStoredFragment(fields), score },
  };
}

export function parseStoredFragment(fields: Payload): StoredFragment {
  return {
    id: readText(fields, 'fragment_id'),
    datastoreId: readText(fields, 'datastore_id'),
    datasourceId: readText(fields, 'datasource_id'),
    documentKey: readText(fields, 'document_key'),
    customId: readOptionalText(fields, 'custom_id'),
    source: readOptionalText(fields, 'source'),
    version: readText(fields, 'commit'),
    generation: readNumber(fields, 'generation'),
    page: readOptionalNumber(fields, 'page'),
    location: readOptionalText(fields, 'location'),
    rectangles: decodeRectangles(readOptionalText(fields, 'rectangles')),
    ordinal: readNumber(fields, 'ordinal'),
    context: readText(fields, 'context'),
    text: readText(fields, 'text'),
  };
}
