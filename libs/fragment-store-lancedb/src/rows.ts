import { documentId, fragmentId, givingWay, type DocumentVersion, type StoredDocument } from '@quarry/fragment-store';
import { termsOf } from '@quarry/text-analysis';
import { Float32, makeData, makeVector, Table, vectorFromArray, type Schema, type Vector } from 'apache-arrow';
import { vectorType } from './schema.js';

/** The place of a fragment in a document. */
export function slotOf(document: string, ordinal: number): string {
  return `${document}/${String(ordinal)}`;
}

/** A version, and what each of its fragments is found by. */
export interface Replacement {
  readonly version: DocumentVersion;
  /** Of each fragment its terms, with a space between them. */
  readonly terms: readonly string[];
}

/** A row, by the names of the columns, without its vector. */
type Cells = Readonly<Record<string, string | number | null>>;

export interface Row {
  readonly cells: Cells;
  readonly vector: Float32Array | null;
}

/**
 * The rows of a version, and after them those that vacate the slots a longer version before it had.
 *
 * @param slotsBefore how many slots the document has now
 */
export function rowsOf({ version, terms }: Replacement, slotsBefore: number): Row[] {
  const document = {
    document_id: documentId(version),
    organization_id: version.organizationId,
    datastore_id: version.datastoreId,
    datasource_id: version.datasourceId,
    document_key: version.documentKey,
    custom_id: version.customId,
    source: version.source,
    content_hash: version.contentHash,
    generation: version.generation,
    price: version.offer?.price ?? null,
    stock_status: version.offer?.stockStatus ?? null,
    document_fragments: version.fragments.length,
    document_tokens: tokensOf(version),
  };
  const rows = version.fragments.map(({ text, context, page, location, vector }, ordinal): Row => {
    const place = { slot: slotOf(document.document_id, ordinal), id: fragmentId(version, ordinal), ordinal };
    return { cells: { ...document, ...place, page, location, context, text, terms: terms[ordinal] ?? '' }, vector };
  });
  for (let ordinal = rows.length; ordinal < slotsBefore; ordinal += 1) {
    rows.push(vacated(document.document_id, ordinal, rows[0]?.vector?.length ?? null));
  }
  return rows;
}

/** What lexical search finds each fragment by. */
export async function termsOfFragments({ fragments }: DocumentVersion): Promise<readonly string[]> {
  const terms: string[] = [];
  for await (const { context, text } of givingWay(fragments)) terms.push(termsOf(`${context}\n${text}`).join(' '));
  return terms;
}

/** What the rows of a version say is stored. @returns undefined where it has none: others may stand in its first slot */
export function storedVersion(version: DocumentVersion): StoredDocument | undefined {
  const { generation, contentHash, fragments } = version;
  if (fragments.length === 0) return undefined;
  const firstFragmentId = fragmentId(version, 0);
  return { generation, firstFragmentId, contentHash, fragments: fragments.length, tokens: tokensOf(version) };
}

function tokensOf({ fragments }: DocumentVersion): number {
  return fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
}

/** Arrow's own columns, built without an object per value: documents with thousands of vectors come by here. */
export function arrowTable(schema: Schema, rows: readonly Row[]): Table {
  const columns: Record<string, Vector> = {};
  for (const { name, type } of schema.fields) {
    if (name === 'vector') continue;
    columns[name] = vectorFromArray(
      rows.map((row) => row.cells[name] ?? null),
      type,
    );
  }
  const dimensions = rows[0]?.vector?.length;
  if (dimensions !== undefined) columns['vector'] = vectorColumn(rows, dimensions);
  return new Table(schema, columns);
}

function vectorColumn(rows: readonly Row[], dimensions: number): Vector {
  const values = new Float32Array(rows.length * dimensions);
  for (const [at, { vector }] of rows.entries()) if (vector !== null) values.set(vector, at * dimensions);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return makeVector(makeData({ type: vectorType(dimensions), length: rows.length, nullCount: 0, child }));
}

function vacated(document: string, ordinal: number, dimensions: number | null): Row {
  const cells = {
    slot: slotOf(document, ordinal),
    document_id: document,
    ...{ id: '', organization_id: '', datastore_id: '', datasource_id: '', document_key: '', content_hash: '' },
    ...{
      price: null,
      stock_status: null,
      custom_id: null,
      source: null,
      page: null,
      location: null,
      context: '',
      text: '',
      terms: '',
    },
    ...{ generation: 0, document_fragments: 0, document_tokens: 0, ordinal },
  };
  return { cells, vector: dimensions === null ? null : new Float32Array(dimensions) };
}
