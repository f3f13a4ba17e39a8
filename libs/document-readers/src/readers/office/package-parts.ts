import { posix } from 'node:path';
import { normalizePartName, openArchive } from './open-archive.js';
import { findDescendants, parseXml, type XmlElement } from './xml.js';

/** Describes a part of an office file that another part references. */
export interface RelatedPart {
  readonly name: string;
  /** The last segment of the relationship type, such as `slide` or `notesSlide`. */
  readonly type: string;
}

/**
 * Provides access to the XML parts of an office file and to the relationships of the parts. Source: ECMA-376, part 2.
 */
export interface PackageParts {
  /** Returns the XML of a part; undefined if the part does not exist. */
  getText(name: string): string | undefined;
  /** Returns the parsed XML of a part; undefined if the part does not exist. */
  readXml(name: string): XmlElement | undefined;
  /** Returns the parts that a part references, keyed by relationship id. The name `''` stands for the whole file. */
  getRelatedParts(name: string): ReadonlyMap<string, RelatedPart>;
}

/** Opens an office file. @throws ReadingFailed */
export function openPackage(bytes: Uint8Array): PackageParts {
  const parts = openArchive(bytes);
  const getText = (name: string): string | undefined => {
    const content = parts.get(normalizePartName(name));
    return content === undefined ? undefined : decodeXml(content);
  };
  const readXml = (name: string): XmlElement | undefined => {
    const text = getText(name);
    return text === undefined ? undefined : parseXml(text);
  };
  const findRelatedParts = (name: string): ReadonlyMap<string, RelatedPart> => {
    const relationships = readXml(getRelationshipsPartName(name));
    const related = relationships === undefined ? [] : [...findDescendants(relationships, 'Relationship')];
    return new Map(
      related.map(({ attributes }) => {
        const { Id: id = '', Target: target = '', Type: type = '' } = attributes;
        const path = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(name), target);
        return [id, { name: path, type: posix.basename(type) }] as const;
      }),
    );
  };
  const related = new Map<string, ReadonlyMap<string, RelatedPart>>();
  return {
    getText,
    readXml,
    getRelatedParts: (name) => {
      const known = related.get(name) ?? findRelatedParts(name);
      related.set(name, known);
      return known;
    },
  };
}

/**
 * Returns the name of the main part, such as the document. Returns `defaultName` if the package does not name a main
 * part. Source: ECMA-376, part 1, section 9.2.
 */
export function findMainPart(parts: PackageParts, defaultName: string): string {
  return [...parts.getRelatedParts('').values()].find((part) => part.type === 'officeDocument')?.name ?? defaultName;
}

/**
 * Returns the relationship id in the attributes of an element; '' if there is none. The prefix of the attribute depends
 * on the program that wrote the file.
 */
export function getRelationshipId(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => /^\w+:id$/.test(name))?.[1] ?? '';
}

/** Returns the name of the part that lists the relationships of the part `name`. */
export function getRelationshipsPartName(name: string): string {
  return posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`);
}

/** Reads the parts of one type that a part references, in the order of the relationships. */
export function readRelatedParts(
  parts: PackageParts,
  name: string,
  type: string,
): readonly { readonly name: string; readonly content: XmlElement }[] {
  return [...parts.getRelatedParts(name).values()]
    .filter((part) => part.type === type)
    .flatMap((part) => {
      const content = parts.readXml(part.name);
      return content === undefined ? [] : [{ name: part.name, content }];
    });
}

const DECLARED = /^<\?xml[^<>]*?\sencoding\s*=\s*["']([\w-]+)["']/;
const DECLARATION_BYTES = 200;

/** Decodes an XML document in the encoding that its first bytes indicate. Source: XML 1.0, appendix F. */
export function decodeXml(bytes: Uint8Array): string {
  try {
    return new TextDecoder(detectEncoding(bytes)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function detectEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = DECLARED.exec(head)?.[1] ?? 'utf-8';
  // The declaration is readable as single bytes, so the document is not in UTF-16, even if the declaration states
  // UTF-16. Such a document is decoded as UTF-8.
  return /^utf-16/i.test(declared) ? 'utf-8' : declared;
}
