import { MAX_ID_LENGTH, UpsertRequest, type UpsertDocument } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import {
  describeIdentity,
  identityKey,
  upsertedIdentity,
  type DocumentIdentity,
} from '../datasources/document-identity.js';
import { legacyKeyOf } from '../datasources/legacy-documents.js';
import { invalid } from '../checks/invalid.js';
import type { Limits } from '../limits.js';
import { problem } from '../problems.js';

/** A document of an upsert. */
export interface UpsertedDocument {
  readonly identity: DocumentIdentity;
  /** Null where the caller gave none. */
  readonly givenName: string | null;
  readonly legacyKey: string;
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly text: string;
}

/** Reads the body of an upsert. @throws ValidationError, Problem 400, 413 for too many documents */
export function readUpsert(body: unknown, limits: Limits): readonly UpsertedDocument[] {
  refuseTooMany(body, limits.upsertDocuments);
  return upsertedDocuments(parse(UpsertRequest, body, 'ignore').documents, limits.metadataBytes);
}

/** Refuses too many documents before each of them is checked. */
function refuseTooMany(body: unknown, limit: number): void {
  const documents = typeof body === 'object' && body !== null && 'documents' in body ? body.documents : undefined;
  if (Array.isArray(documents) && documents.length > limit) {
    throw problem('too_many_documents', `A call may hold ${limit} documents, found ${documents.length}.`);
  }
}

/**
 * Reads the documents of an upsert.
 *
 * @param maxMetadataBytes of each document, as JSON
 * @throws Problem 400 naming the document and the field, or the two documents that would replace each other
 */
function upsertedDocuments(
  documents: readonly UpsertDocument[],
  maxMetadataBytes: number,
): readonly UpsertedDocument[] {
  const read = documents.map((document, index) => readDocument(document, `documents.${index}`, maxMetadataBytes));
  refuseEqual(read);
  return read;
}

function readDocument(document: UpsertDocument, path: string, maxMetadataBytes: number): UpsertedDocument {
  // class-validator takes an empty list for a list of nested objects, all of which are valid.
  if (Array.isArray(document)) throw invalid(path, 'must be an object, found a list');
  const metadata = document.metadata ?? null;
  refuseLargeMetadata(metadata, `${path}.metadata`, maxMetadataBytes);
  const { text } = document;
  const [id, givenName] = [textIn(document.id), textIn(document.name)];
  const customId = readCustomId(metadata, `${path}.metadata.custom_id`);
  const source = readSource(metadata, `${path}.metadata.source`);
  return {
    identity: upsertedIdentity({ id, source, customId, name: givenName, text }),
    legacyKey: legacyKeyOf({ id, customId, name: givenName, text }),
    givenName,
    name: givenName ?? id ?? beginningOf(text),
    ...{ customId, source, metadata, text },
  };
}

/** Two documents of one call that are the same document: one of the texts would be lost. @throws Problem 400 */
function refuseEqual(documents: readonly UpsertedDocument[]): void {
  const positions = new Map<string, number>();
  for (const [index, { identity }] of documents.entries()) {
    const key = identityKey(identity);
    const first = positions.get(key);
    if (first !== undefined) {
      throw invalid(
        `documents.${index}`,
        `must differ from documents.${first} in what identifies it, found ${describeIdentity(identity)} in both; give each an id of its own`,
      );
    }
    positions.set(key, index);
  }
}

const MAX_BEGINNING = 80;

/** The first line that says something, cut between words where it is long. */
function beginningOf(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? '';
  const words = line.trim().replace(/\s+/g, ' ');
  if (words.length <= MAX_BEGINNING) return words;
  const cut = words.slice(0, MAX_BEGINNING);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_BEGINNING / 2)).trimEnd()}…`;
}

/** Empty is none, as clients send it that fill every field. */
function textIn(given: string | null | undefined): string | null {
  return given === undefined || given === '' ? null : given;
}

function readSource(metadata: UpsertDocument['metadata'], path: string): string | null {
  const source = metadata?.['source'] ?? null;
  if (source === null || typeof source === 'string') return textIn(source);
  throw mustBe('a string', source, path);
}

/** A number is taken for its digits: shops number what they sell. */
function readCustomId(metadata: UpsertDocument['metadata'], path: string): string | null {
  const customId = metadata?.['custom_id'] ?? null;
  if (customId === null || customId === '') return null;
  const text = typeof customId === 'number' ? String(customId) : customId;
  if (typeof text !== 'string') throw mustBe('a string', customId, path);
  if (text.length > MAX_ID_LENGTH) throw invalid(path, `may have ${MAX_ID_LENGTH} characters, found ${text.length}`);
  return text;
}

function refuseLargeMetadata(metadata: UpsertDocument['metadata'], path: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxBytes) throw invalid(path, `may have ${maxBytes} bytes as JSON, found ${bytes}`);
}

function mustBe(expected: string, found: unknown, path: string): Problem {
  return invalid(path, `must be ${expected}, found ${JSON.stringify(found).slice(0, 60)}`);
}
