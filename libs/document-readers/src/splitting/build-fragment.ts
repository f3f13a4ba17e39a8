import type { Fragment } from './fragment.js';
import { joinParts, type Part } from './part.js';

const HEADING_SEPARATOR = ' › ';
const MAX_HEADING_CHARACTERS = 120;

/** Builds a fragment from its parts. @param tokens of the joined text */
export function buildFragment(documentName: string, parts: readonly Part[], tokens: number): Fragment {
  const newText = parts.filter((part) => !part.repeated);
  const [firstPart] = newText;
  return {
    ...joinParts(parts),
    context: contextOf(documentName, newText),
    page: firstPart?.block.page ?? null,
    location: locationOf(newText),
    tokens,
  };
}

/** Returns the document's name and the headings that all parts have in common. */
function contextOf(documentName: string, parts: readonly Part[]): string {
  const [firstPart = [], ...others] = parts.map((part) => part.block.headingPath);
  const differs = firstPart.findIndex((heading, depth) => others.some((path) => path[depth] !== heading));
  const headings = differs === -1 ? firstPart : firstPart.slice(0, differs);
  const path = headings[0] === documentName ? headings : [documentName, ...headings];
  return path
    .filter((heading) => heading !== '')
    .map((heading) =>
      heading.length > MAX_HEADING_CHARACTERS ? `${heading.slice(0, MAX_HEADING_CHARACTERS).toWellFormed()}…` : heading,
    )
    .join(HEADING_SEPARATOR);
}

/** Returns the location of the first part, and the range of rows or values in the fragment. */
function locationOf(parts: readonly Part[]): string | null {
  const places = [parts[0]?.block.location, rowsOf(parts), pointersOf(parts)].filter(
    (part) => typeof part === 'string',
  );
  return places.length === 0 ? null : places.join(', ');
}

function rowsOf(parts: readonly Part[]): string | undefined {
  const rows = parts.flatMap((part) => part.rows ?? []);
  const [firstPart, last] = [Math.min(...rows), Math.max(...rows)];
  if (rows.length === 0) return undefined;
  return firstPart === last ? `row ${firstPart}` : `rows ${firstPart}–${last}`;
}

function pointersOf(parts: readonly Part[]): string | undefined {
  const pointers = parts.flatMap(({ block: { pointer } }) => pointer ?? []);
  const [firstPart, last] = [pointers[0], pointers.at(-1)];
  return firstPart === last ? firstPart : `${firstPart ?? ''} – ${last ?? ''}`;
}
