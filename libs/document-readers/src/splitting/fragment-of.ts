import type { Fragment } from './fragment.js';
import { joinParts, type Part } from './part.js';

const BETWEEN_HEADINGS = ' › ';
const MAX_HEADING = 120;

/** @param tokens of the joined text */
export function fragmentOf(documentName: string, parts: readonly Part[], tokens: number): Fragment {
  const fresh = parts.filter((part) => !part.repeated);
  const [first] = fresh;
  return {
    ...joinParts(parts),
    context: contextOf(documentName, fresh),
    page: first?.block.page ?? null,
    location: locationOf(fresh),
    tokens,
  };
}

/** The headings that all of the parts stand under. */
function contextOf(documentName: string, parts: readonly Part[]): string {
  const [first = [], ...others] = parts.map((part) => part.block.headingPath);
  const differs = first.findIndex((heading, depth) => others.some((path) => path[depth] !== heading));
  const headings = differs === -1 ? first : first.slice(0, differs);
  const path = headings[0] === documentName ? headings : [documentName, ...headings];
  return path
    .filter((heading) => heading !== '')
    .map((heading) => (heading.length > MAX_HEADING ? `${heading.slice(0, MAX_HEADING).toWellFormed()}…` : heading))
    .join(BETWEEN_HEADINGS);
}

/** The place of the first part, and from which row or value to which the fragment reaches. */
function locationOf(parts: readonly Part[]): string | null {
  const told = [parts[0]?.block.location, rowsOf(parts), pointersOf(parts)].filter((part) => typeof part === 'string');
  return told.length === 0 ? null : told.join(', ');
}

function rowsOf(parts: readonly Part[]): string | undefined {
  const rows = parts.flatMap((part) => part.rows ?? []);
  const [first, last] = [Math.min(...rows), Math.max(...rows)];
  if (rows.length === 0) return undefined;
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}

function pointersOf(parts: readonly Part[]): string | undefined {
  const pointers = parts.flatMap(({ block: { pointer } }) => pointer ?? []);
  const [first, last] = [pointers[0], pointers.at(-1)];
  return first === last ? first : `${first ?? ''} – ${last ?? ''}`;
}
