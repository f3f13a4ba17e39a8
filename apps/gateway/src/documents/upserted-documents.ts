import { createHash } from 'node:crypto';
import type { UpsertDocument } from '@quarry/contracts';
import { MAX_ID_LENGTH } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { documentKeyOf } from '../datasources/document-key.js';
import { invalid } from '../http/invalid.js';

/** A document of an upsert, and what names it. */
export interface UpsertedDocument {
  readonly documentKey: string;
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly text: string;
}

/**
 * Reads what an upsert says of its documents.
 *
 * @param maxMetadataBytes of each document, as JSON
 * @throws Problem 400 naming the document and the field
 */
export function upsertedDocuments(
  documents: readonly UpsertDocument[],
  maxMetadataBytes: number,
): readonly UpsertedDocument[] {
  return documents.map((document, index) => {
    const path = `documents.${index}`;
    // class-validator takes an empty list for a list of nested objects, all of which are valid.
    if (Array.isArray(document)) throw invalid(path, 'must be an object, found a list');
    const metadata = document.metadata ?? null;
    refuseLargeMetadata(metadata, `${path}.metadata`, maxMetadataBytes);
    const customId = readCustomId(metadata, `${path}.metadata.custom_id`);
    const source = readSource(metadata, `${path}.metadata.source`);
    const named = documentKeyOf({ id: document.id, customId, name: document.name });
    const documentKey = named ?? keyOfText(document.text);
    const name = nameOf(document) ?? named ?? beginningOf(document.text);
    return { documentKey, name, customId, source, metadata, text: document.text };
  });
}

/** The same text again is the same document. */
function keyOfText(text: string): string {
  return `text:${createHash('sha256').update(text).digest('base64url')}`;
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

function nameOf({ name }: UpsertDocument): string | undefined {
  return name === null || name === '' ? undefined : name;
}

function readSource(metadata: UpsertDocument['metadata'], path: string): string | null {
  const source = metadata?.['source'] ?? null;
  if (source === null || typeof source === 'string') return source === '' ? null : source;
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
