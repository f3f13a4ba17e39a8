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

function locationOf(parts: readonly Part[]): string | null {
  const rows = parts.flatMap((part) => part.rows ?? []);
  const first = Math.min(...rows);
  const last = Math.max(...rows);
  const range = first === last ? `row ${first}` : `rows ${first}–${last}`;
  const told = [parts[0]?.block.location ?? null, rows.length === 0 ? null : range].filter((part) => part !== null);
  return told.length === 0 ? null : told.join(', ');
}
