import { posix } from 'node:path';
import { decodeXml } from './decode-xml.js';
import { openArchive, partName } from './open-archive.js';
import { descendants, parseXml, type XmlElement } from './xml.js';

/** A part that another one refers to. */
export interface RelatedPart {
  readonly name: string;
  /** The last word of its type, such as `slide` or `notesSlide`. */
  readonly type: string;
}

/** The XML parts of an office file and how they hang together. Source: ECMA-376, part 2. */
export interface PackageParts {
  /** A part as it is written. @returns undefined when there is no such part */
  text(name: string): string | undefined;
  /** @returns undefined when there is no such part */
  read(name: string): XmlElement | undefined;
  /** The parts that a part refers to, by the ids it knows them by. `''` is the package itself. */
  relatedTo(name: string): ReadonlyMap<string, RelatedPart>;
}

/** @throws ReadingFailed */
export function openPackage(bytes: Uint8Array): PackageParts {
  const parts = openArchive(bytes);
  const textOf = (name: string): string | undefined => {
    const content = parts.get(partName(name));
    return content === undefined ? undefined : decodeXml(content);
  };
  const read = (name: string): XmlElement | undefined => {
    const text = textOf(name);
    return text === undefined ? undefined : parseXml(text);
  };
  const relatedTo = (name: string): ReadonlyMap<string, RelatedPart> => {
    const relationships = read(relationshipsOf(name));
    const related = relationships === undefined ? [] : [...descendants(relationships, 'Relationship')];
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
    text: textOf,
    read,
    relatedTo: (name) => {
      const known = related.get(name) ?? relatedTo(name);
      related.set(name, known);
      return known;
    },
  };
}

/** @returns the name of the package's main part, such as the document itself. Source: ECMA-376, part 1, section 9.2 */
export function mainPart(parts: PackageParts, usual: string): string {
  return [...parts.relatedTo('').values()].find((part) => part.type === 'officeDocument')?.name ?? usual;
}

/** The id of a relationship among the attributes of what refers to a part: their prefix is the writer's own choice. */
export function relationshipId(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => /^\w+:id$/.test(name))?.[1] ?? '';
}

/** Where a part says which others it refers to. */
export function relationshipsOf(name: string): string {
  return posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`);
}

/** The parts of one type that a part refers to, read, in the order in which it names them. */
export function relatedParts(
  parts: PackageParts,
  name: string,
  type: string,
): readonly { readonly name: string; readonly content: XmlElement }[] {
  return [...parts.relatedTo(name).values()]
    .filter((part) => part.type === type)
    .flatMap((part) => {
      const content = parts.read(part.name);
      return content === undefined ? [] : [{ name: part.name, content }];
    });
}
