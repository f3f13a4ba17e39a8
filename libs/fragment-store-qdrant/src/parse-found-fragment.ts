import { decodeRectangles, type ScoredFragment, type StoredFragment } from '@quarry/fragment-store';
import { getNumberField, getOptionalNumberField, getOptionalTextField, getTextField, type Payload } from './payload.js';

export const FRAGMENT_FIELDS = [
  ...['commit', 'fragment_id', 'datastore_id', 'datasource_id', 'document_id', 'document_key', 'custom_id', 'source'],
  'generation',
  ...['ordinal', 'page', 'location', 'rectangles', 'context', 'text'],
];

/** Describes a fragment that matches a query. Its commit may no longer be the current commit of the document. */
export interface FoundFragment {
  readonly documentId: string;
  readonly commit: string;
  readonly fragment: ScoredFragment;
}

/** Parses the payload of a found fragment. @param scores the scores of the fragment in the search */
export function parseFoundFragment(
  fields: Payload,
  scores: Pick<ScoredFragment, 'score' | 'similarity'>,
): FoundFragment {
  return {
    documentId: getTextField(fields, 'document_id'),
    commit: getTextField(fields, 'commit'),
    fragment: { ...parseStoredFragment(fields), ...scores },
  };
}

export function parseStoredFragment(fields: Payload): StoredFragment {
  return {
    id: getTextField(fields, 'fragment_id'),
    datastoreId: getTextField(fields, 'datastore_id'),
    datasourceId: getTextField(fields, 'datasource_id'),
    documentKey: getTextField(fields, 'document_key'),
    customId: getOptionalTextField(fields, 'custom_id'),
    source: getOptionalTextField(fields, 'source'),
    version: getTextField(fields, 'commit'),
    generation: getNumberField(fields, 'generation'),
    page: getOptionalNumberField(fields, 'page'),
    location: getOptionalTextField(fields, 'location'),
    rectangles: decodeRectangles(getOptionalTextField(fields, 'rectangles')),
    ordinal: getNumberField(fields, 'ordinal'),
    context: getTextField(fields, 'context'),
    text: getTextField(fields, 'text'),
  };
}
