import { Index } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Float64, Int32, Schema, Utf8, type DataType } from 'apache-arrow';

/** Longer than any term in UTF-8: the index leaves out longer tokens. */
const MAX_TOKEN_BYTES = 512;

/**
 * One row a fragment. `slot` names the place of a fragment in its document and is unique in the table: a new version
 * takes over the slots of the one before, in one commit. A slot that it does not need is vacated: its organization is
 * empty, so that no scope sees it.
 */
export function schemaOf(dimensions: number | null): Schema {
  const fields: Field[] = [
    text('slot'),
    text('document_id'),
    text('id'),
    text('organization_id'),
    text('datastore_id'),
    text('datasource_id'),
    text('document_key'),
    optional('custom_id', new Utf8()),
    optional('source', new Utf8()),
    text('content_hash'),
    number('generation', new Float64()),
    number('document_fragments', new Int32()),
    number('document_tokens', new Int32()),
    number('ordinal', new Int32()),
    optional('page', new Int32()),
    optional('location', new Utf8()),
    text('context'),
    text('text'),
    text('terms'),
    optional('price', new Float64()),
    optional('stock_status', new Utf8()),
  ];
  if (dimensions !== null) fields.push(number('vector', vectorType(dimensions)));
  return new Schema(fields);
}

export function vectorType(dimensions: number): FixedSizeList<Float32> {
  return new FixedSizeList(dimensions, new Field('item', new Float32(), true));
}

/** The indexes a table has from its first day; that of the vectors comes when there are many. */
export const INDEXES: readonly { readonly column: string; readonly config: () => Index }[] = [
  { column: 'terms', config: wordsAsTheyAre },
  { column: 'slot', config: () => Index.btree() },
  { column: 'organization_id', config: () => Index.bitmap() },
  { column: 'datastore_id', config: () => Index.bitmap() },
  { column: 'datasource_id', config: () => Index.btree() },
  { column: 'custom_id', config: () => Index.btree() },
  { column: 'price', config: () => Index.btree() },
  { column: 'stock_status', config: () => Index.btree() },
];

/** The column holds terms, with a space between them: what was made of the text is not to be changed once more. */
function wordsAsTheyAre(): Index {
  return Index.fts({
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: MAX_TOKEN_BYTES,
  });
}

function text(name: string): Field {
  return new Field(name, new Utf8(), false);
}

function number(name: string, type: DataType): Field {
  return new Field(name, type, false);
}

function optional(name: string, type: DataType): Field {
  return new Field(name, type, true);
}
