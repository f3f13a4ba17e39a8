import { MAX_ID_LENGTH, UpsertRequest, type UpsertDocument } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import { truncateText } from '@quarry/text-analysis/truncate-text';
import {
  describeIdentity,
  type DocumentIdentity,
  determineTextIdentity,
  computeIdentityKey,
  buildLegacyTextKey,
} from '../datasources/document-identity.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { requireMaxCharacters } from '../checks/require-max-characters.js';
import type { Limits } from '../limits.js';
import { problem } from '../problems.js';

/** Contains a validated document of an upsert request. */
export interface UpsertedDocument {
  readonly identity: DocumentIdentity;
  /** The id of the document in the request. Null: the request contains no id. */
  readonly id: string | null;
  /** The name of the document in the request. Null: the request contains no name. */
  readonly givenName: string | null;
  /** The document key that earlier Quarry versions gave to this document: see document-identity.ts. */
  readonly legacyKey: string;
  /** The displayed name: the name in the request, otherwise the id, otherwise the beginning of the text. */
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly text: string;
  /** The id of the datasource that the document replaces, whatever its identity. Absent: the identity decides. */
  readonly replacedId?: string;
}

/**
 * Parses the body of an upsert request.
 *
 * @throws ValidationError; Problem 400 for an invalid document, 413 for too many documents
 */
export function parseUpsertRequest(body: unknown, limits: Limits): readonly UpsertedDocument[] {
  refuseTooManyDocuments(body, limits.upsertDocuments);
  return parseDocuments(parse(UpsertRequest, body, 'ignore').documents, limits.metadataBytes);
}

/**
 * Refuses a request with more documents than the limit. Must be called before the documents are parsed.
 *
 * @throws Problem 413
 */
function refuseTooManyDocuments(body: unknown, limit: number): void {
  const documents = typeof body === 'object' && body !== null && 'documents' in body ? body.documents : undefined;
  if (Array.isArray(documents) && documents.length > limit) {
    throw problem('too_many_documents', `A request may contain at most ${limit} documents, found ${documents.length}.`);
  }
}

/**
 * Validates the documents of an upsert request and determines their identities.
 *
 * @param maxMetadataBytes maximum size of the metadata of a document, as JSON
 * @throws Problem 400 for an invalid field, or for two documents with the same identity
 */
function parseDocuments(documents: readonly UpsertDocument[], maxMetadataBytes: number): readonly UpsertedDocument[] {
  const read = documents.map((document, index) => parseDocument(document, `documents.${index}`, maxMetadataBytes));
  refuseDuplicateIdentities(read);
  return read;
}

function parseDocument(document: UpsertDocument, path: string, maxMetadataBytes: number): UpsertedDocument {
  // A list is refused here, because class-validator accepts a list instead of an object if all items of the list are
  // valid.
  if (Array.isArray(document)) throw createFieldProblem(path, 'must be an object, found a list');
  const metadata = document.metadata ?? null;
  refuseLargeMetadata(metadata, `${path}.metadata`, maxMetadataBytes);
  const { text } = document;
  const [id, givenName] = [replaceBlankByNull(document.id), replaceBlankByNull(document.name)];
  const customId = readCustomId(metadata, `${path}.metadata.custom_id`);
  const source = readSource(metadata, `${path}.metadata.source`);
  return {
    identity: determineTextIdentity({ id, source, customId, name: givenName, text }),
    legacyKey: buildLegacyTextKey({ id, customId, name: givenName, text }),
    givenName,
    name: givenName ?? id ?? buildTitleFromText(text),
    ...{ id, customId, source, metadata, text },
  };
}

/**
 * Refuses a request with two documents of the same identity, or that replace the same datasource, because the second
 * would replace the first. Documents that replace different datasources by id can have the same identity.
 *
 * @throws Problem 400
 */
export function refuseDuplicateIdentities(documents: readonly UpsertedDocument[]): void {
  const positions = new Map<string, number>();
  for (const [index, { identity, replacedId }] of documents.entries()) {
    const unique = replacedId === undefined ? identity : ({ kind: 'document', datasourceId: replacedId } as const);
    const key = computeIdentityKey(unique);
    const first = positions.get(key);
    if (first !== undefined) throw createDuplicateProblem(unique, first, index);
    positions.set(key, index);
  }
  for (const [index, { identity, replacedId }] of documents.entries()) {
    const other = replacedId === undefined ? undefined : positions.get(computeIdentityKey(identity));
    if (other !== undefined) throw createDuplicateProblem(identity, other, index);
  }
}

/** Creates the problem 400 for two documents with the same identity, at the given positions. */
function createDuplicateProblem(identity: DocumentIdentity, ...positions: readonly [number, number]): Problem {
  return createFieldProblem(
    `documents.${Math.max(...positions)}`,
    `must not have the same identity as documents.${Math.min(...positions)}, found ${describeIdentity(identity)} in both; set a different id for each`,
  );
}

const MAX_TITLE_CHARACTERS = 80;

/** Builds a name from the first nonblank line of a text, truncated between words to 80 characters. */
function buildTitleFromText(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? '';
  const words = line.trim().replace(/\s+/g, ' ');
  if (words.length <= MAX_TITLE_CHARACTERS) return words;
  const cut = words.slice(0, MAX_TITLE_CHARACTERS);
  const title = truncateText(cut, Math.max(cut.lastIndexOf(' '), MAX_TITLE_CHARACTERS / 2));
  return `${title.trimEnd()}…`;
}

/**
 * Returns a text, or null if it is undefined or has no characters other than white space. Some clients send an empty
 * string for unset fields.
 */
function replaceBlankByNull(value: string | null | undefined): string | null {
  return value === undefined || value === null || value.trim() === '' ? null : value;
}

/** Reads the source from the metadata of a document. Returns null if it is missing or empty. */
function readSource(metadata: UpsertDocument['metadata'], path: string): string | null {
  const source = metadata?.['source'] ?? null;
  if (source === null || typeof source === 'string') return replaceBlankByNull(source);
  throw createWrongTypeProblem('a string', source, path);
}

/** Reads the custom id from the metadata of a document. Converts a number to text, because shops use numeric ids. */
function readCustomId(metadata: UpsertDocument['metadata'], path: string): string | null {
  const customId = metadata?.['custom_id'] ?? null;
  if (customId === null || customId === '') return null;
  const text = typeof customId === 'number' ? String(customId) : customId;
  if (typeof text !== 'string') throw createWrongTypeProblem('a string', customId, path);
  requireMaxCharacters(path, text, MAX_ID_LENGTH);
  return text;
}

function refuseLargeMetadata(metadata: UpsertDocument['metadata'], path: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxBytes) throw createFieldProblem(path, `must have at most ${maxBytes} bytes as JSON, found ${bytes}`);
}

/** Creates the problem 400 for a field of the wrong type. */
function createWrongTypeProblem(expected: string, found: unknown, path: string): Problem {
  return createFieldProblem(path, `must be ${expected}, found ${JSON.stringify(found).slice(0, 60)}`);
}
