import { strToU8, zipSync } from 'fflate';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** The namespace of what office files refer to by `r:id`. */
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Parts of an office file, by name. */
export function archive(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)])));
}

/** Says in an archive's directory that a part has so many bytes unpacked. Source of the form: APPNOTE.TXT 6.3.10, section 4.3.12. */
export function declareSize(archived: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archived);
  const directoryEntry = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(size, directoryEntry + 24);
  return bytes;
}

/** Relationships of a part: ids to a type's last word and a target. Source of the form: ECMA-376, part 2, section 9.3. */
export function relationships(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
}

/** A part of its own that a document refers to. */
export interface MadePart {
  /** The id by which it is known. */
  readonly id: string;
  readonly type: string;
  /** Beside the document, such as `comments.xml`. */
  readonly file: string;
  readonly xml: string;
}
