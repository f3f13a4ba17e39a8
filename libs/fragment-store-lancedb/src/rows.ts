import {
  computeDocumentId,
  computeFragmentId,
  detectVersionLanguage,
  DocumentProfileBuilder,
  yieldToEventLoop,
  type DocumentVersion,
  type StoredDocument,
} from '@quarry/fragment-store';
import { extractTerms } from '@quarry/text-analysis';
import { Float32, makeData, makeVector, Table, vectorFromArray, type Schema, type Vector } from 'apache-arrow';
import { encodeFragment, FRAGMENT_COLUMN } from './fragment-column.js';
import { encodeMetadata, encodeMetadataEntries } from './metadata-column.js';
import { createVectorType } from './table-schema.js';

/** Returns the slot of a fragment: the id of its document and its position in the document. */
export function buildSlotId(document: string, ordinal: number): string {
  return `${document}/${String(ordinal)}`;
}

/** Describes a document version to write, with the results of its lexical analysis. */
export interface Replacement extends Analysis {
  readonly version: DocumentVersion;
}

interface Analysis {
  /** Lists one text per fragment: the terms of the fragment, separated by spaces. */
  readonly terms: readonly string[];
  /** Holds the encoded `DocumentProfile`: for each term, the share of the document's fragments that contain it. */
  readonly profile: string;
}

/** Holds the values of a row, keyed by column name, without its vector. */
type Cells = Readonly<Record<string, string | number | readonly string[] | null>>;

export interface Row {
  readonly cells: Cells;
  readonly vector: Float32Array | null;
}

/**
 * Builds the rows of a version. If the previous version of the document had more fragments, also builds a row for each
 * of the remaining slots, which marks the slot as unused.
 *
 * @param previousSlots number of slots that the previous version of the document occupies
 */
export function buildReplacementRows({ version, terms, profile }: Replacement, previousSlots: number): Row[] {
  const document = {
    document_id: computeDocumentId(version),
    organization_id: version.organizationId,
    datastore_id: version.datastoreId,
    datasource_id: version.datasourceId,
    custom_id: version.customId,
    content_hash: version.contentHash,
    generation: version.generation,
    price: version.offer?.price ?? null,
    stock_status: version.offer?.stockStatus ?? null,
    language: detectVersionLanguage(version),
    metadata: encodeMetadata(version),
    entries: encodeMetadataEntries(version),
    document_fragments: version.fragments.length,
    document_tokens: sumTokensOfFragments(version),
  };
  const { datastoreId, datasourceId, documentKey, customId, source, contentHash, generation } = version;
  const shared = { datastoreId, datasourceId, documentKey, customId, source, version: contentHash, generation };
  const rows = version.fragments.map((written, ordinal): Row => {
    const id = computeFragmentId(version, ordinal);
    const fragment = { ...shared, ...written, id, ordinal };
    const documentFragments = document.document_fragments;
    const encoded = encodeFragment({ documentId: document.document_id, documentFragments, fragment });
    const place = { slot: buildSlotId(document.document_id, ordinal), id, [FRAGMENT_COLUMN]: encoded };
    const analysis = { terms: terms[ordinal] ?? '', profile: ordinal === 0 ? profile : null };
    return { cells: { ...document, ...place, ...analysis }, vector: written.vector };
  });
  for (let ordinal = rows.length; ordinal < previousSlots; ordinal += 1) {
    rows.push(buildVacatedRow(document.document_id, ordinal, rows[0]?.vector?.length ?? null));
  }
  return rows;
}

/**
 * Computes the lexical terms of each fragment, and the document profile, which lexical search uses to rank documents.
 */
export async function analyzeFragments({ fragments }: DocumentVersion): Promise<Analysis> {
  const joined: string[] = [];
  const profile = new DocumentProfileBuilder();
  for await (const { context, text } of yieldToEventLoop(fragments)) {
    const terms = extractTerms(`${context}\n${text}`);
    profile.addFragment(terms, text.length);
    joined.push(terms.join(' '));
  }
  return { terms: joined, profile: profile.encodeProfile() };
}

/**
 * Returns the stored document that results from writing a version. Returns undefined for a version without fragments.
 */
export function createStoredDocument(version: DocumentVersion): StoredDocument | undefined {
  const { generation, contentHash, fragments } = version;
  if (fragments.length === 0) return undefined;
  const firstFragmentId = computeFragmentId(version, 0);
  return {
    generation,
    firstFragmentId,
    contentHash,
    fragments: fragments.length,
    tokens: sumTokensOfFragments(version),
  };
}

function sumTokensOfFragments({ fragments }: DocumentVersion): number {
  return fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
}

/**
 * Builds an Arrow table column by column, without an object per value, because documents may have thousands of vectors.
 */
export function buildArrowTable(schema: Schema, rows: readonly Row[]): Table {
  const columns: Record<string, Vector> = {};
  for (const { name, type } of schema.fields) {
    if (name === 'vector') continue;
    columns[name] = vectorFromArray(
      rows.map((row) => row.cells[name] ?? null),
      type,
    );
  }
  const dimensions = rows[0]?.vector?.length;
  if (dimensions !== undefined) columns['vector'] = buildVectorColumn(rows, dimensions);
  return new Table(schema, columns);
}

function buildVectorColumn(rows: readonly Row[], dimensions: number): Vector {
  const values = new Float32Array(rows.length * dimensions);
  for (const [at, { vector }] of rows.entries()) if (vector !== null) values.set(vector, at * dimensions);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return makeVector(makeData({ type: createVectorType(dimensions), length: rows.length, nullCount: 0, child }));
}

/** Builds the row of a slot that a document no longer uses. No scope matches the row. */
function buildVacatedRow(document: string, ordinal: number, dimensions: number | null): Row {
  const cells = {
    slot: buildSlotId(document, ordinal),
    document_id: document,
    ...{ id: '', organization_id: '', datastore_id: '', datasource_id: '', content_hash: '', custom_id: null },
    ...{ price: null, stock_status: null, language: null, metadata: null, entries: null, profile: null },
    ...{ generation: 0, document_fragments: 0, document_tokens: 0, [FRAGMENT_COLUMN]: '', terms: '' },
  };
  return { cells, vector: dimensions === null ? null : new Float32Array(dimensions) };
}
