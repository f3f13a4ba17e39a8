import { Index } from '@lancedb/lancedb';
import { Field, FixedSizeList, Float32, Float64, Int32, List, Schema, Utf8, type DataType } from 'apache-arrow';
import { createEntriesIndexConfig } from './entries-index.js';
import { FRAGMENT_COLUMN } from './fragment-column.js';

/** Maximum length of a token in the index, in bytes of UTF-8. The index omits longer tokens, but no term is so long. */
const MAX_TOKEN_BYTES = 512;

/**
 * Returns the schema of a table with one row per fragment. `slot` identifies a fragment by its document and its
 * position, and is unique in the table. A new version overwrites the slots of the previous one in one commit. Unused
 * slots are vacated: their organization is empty, so that no scope matches them. The first row of a document holds its
 * profile.
 */
export function createTableSchema(dimensions: number | null): Schema {
  const fields: Field[] = [
    createTextField('slot'),
    createTextField('document_id'),
    createTextField('id'),
    createTextField('organization_id'),
    createTextField('datastore_id'),
    createTextField('datasource_id'),
    createOptionalField('custom_id', new Utf8()),
    createTextField('content_hash'),
    createNumberField('generation', new Float64()),
    createNumberField('document_fragments', new Int32()),
    createNumberField('document_tokens', new Int32()),
    createOptionalField(FRAGMENT_COLUMN, new Utf8()),
    createTextField('terms'),
    createOptionalField('profile', new Utf8()),
    createOptionalField('price', new Float64()),
    createOptionalField('stock_status', new Utf8()),
    createOptionalField('language', new Utf8()),
    createOptionalField('metadata', new Utf8()),
    createOptionalField('entries', new List(new Field('item', new Utf8(), true))),
  ];
  if (dimensions !== null) fields.push(createNumberField('vector', createVectorType(dimensions)));
  return new Schema(fields);
}

export function createVectorType(dimensions: number): FixedSizeList<Float32> {
  return new FixedSizeList(dimensions, new Field('item', new Float32(), true));
}

/** Lists the indexes of a new table. The vector index is created later, when there are many vectors. */
export const INDEXES: readonly { readonly column: string; readonly config: () => Index }[] = [
  { column: 'terms', config: createTermIndexConfig },
  { column: 'slot', config: () => Index.btree() },
  { column: 'organization_id', config: () => Index.bitmap() },
  { column: 'datastore_id', config: () => Index.bitmap() },
  { column: 'datasource_id', config: () => Index.btree() },
  { column: 'custom_id', config: () => Index.btree() },
  { column: 'price', config: () => Index.btree() },
  { column: 'stock_status', config: () => Index.btree() },
  { column: 'entries', config: createEntriesIndexConfig },
];

/** Configures the index of a column with precomputed terms, separated by spaces, which must not be analyzed again. */
function createTermIndexConfig(): Index {
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

function createTextField(name: string): Field {
  return new Field(name, new Utf8(), false);
}

function createNumberField(name: string, type: DataType): Field {
  return new Field(name, type, false);
}

function createOptionalField(name: string, type: DataType): Field {
  return new Field(name, type, true);
}
