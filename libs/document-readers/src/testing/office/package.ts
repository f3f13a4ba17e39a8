import { strToU8, zipSync } from 'fflate';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** Namespace of relationship ids. */
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Creates an office file from its parts, keyed by name. */
export function createArchive(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)])));
}

/**
 * Changes the unpacked size that the directory of an archive declares for a part. Source: APPNOTE.TXT 6.3.10, section
 * 4.3.12.
 */
export function setDeclaredSize(archived: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archived);
  const directoryEntry = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(size, directoryEntry + 24);
  return bytes;
}

/**
 * Builds a relationships part. `targets` maps each id to the last segment of the relationship type, and to the target.
 * Source: ECMA-376, part 2, section 9.3.
 */
export function createRelationships(
  targets: Readonly<Record<string, readonly [type: string, target: string]>>,
): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
}

/** Describes an additional part that a document references. */
export interface MadePart {
  /** Id of the relationship by which the document references the part. */
  readonly id: string;
  readonly type: string;
  /** File name relative to the document, such as `comments.xml`. */
  readonly file: string;
  readonly xml: string;
}
