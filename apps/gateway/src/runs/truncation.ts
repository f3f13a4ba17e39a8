import type { RunRow } from '../database/tables/runs.js';
import { addNote } from './add-note.js';

/** Adds the truncated fragments of one document to the counts of its run. */
export function countTruncatedFragments(run: RunRow, fragments = 0): RunRow {
  if (fragments === 0) return run;
  const { truncatedFragments, truncatedDocuments } = run;
  return { ...run, truncatedFragments: truncatedFragments + fragments, truncatedDocuments: truncatedDocuments + 1 };
}

/** Adds a note on truncated fragments to a run that ends. */
export function addTruncationNote(run: RunRow): RunRow {
  const { truncatedFragments: fragments, truncatedDocuments: documents } = run;
  if (fragments === 0) return run;
  const which = `${formatCount(fragments, 'fragment')} of ${formatCount(documents, 'document')}`;
  const verbs = fragments === 1 ? ['is', 'its beginning'] : ['are', 'their beginnings'];
  const note = `${which} ${verbs[0]} longer than the embedding model accepts, and ${verbs[0]} embedded by ${verbs[1]}: dense search does not compare the rest. Use a datastore with a smaller splitting.maxTokens.`;
  return addNote(run, note);
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
