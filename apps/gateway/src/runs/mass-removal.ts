import type { RunRemoval } from '@quarry/contracts';

/** Share of the known documents in percent. If more are missing, the site or listing is probably broken. */
const THRESHOLD_PERCENT = 30;

/** Counts the documents that a run did not find again. */
export interface MissingDocuments {
  readonly missing: number;
  /** Number of documents when the run began, including the missing ones. */
  readonly known: number;
  /** Number of documents after the removal, including new ones. */
  readonly remaining: number;
}

/**
 * Returns true when so many documents are missing that the site or listing is probably broken: more than 30 % of the known
 * documents, or all of them. One missing document is not a mass removal if others remain.
 */
export function isMassRemoval({ missing, known, remaining }: MissingDocuments): boolean {
  if (missing === 0) return false;
  // Integers, because 0.3 * 110 is slightly more than 33 in floating point.
  return remaining === 0 || (missing > 1 && missing * 100 > known * THRESHOLD_PERCENT);
}

/** Describes the missing documents of a run. Returns null if there are none. @param allowMassRemoval true if the run removes any number of them */
export function describeRemoval(found: MissingDocuments, allowMassRemoval: boolean): RunRemoval | null {
  if (found.missing === 0) return null;
  const needsConfirmation = !allowMassRemoval && isMassRemoval(found);
  return { documents: found.missing, of: found.known, threshold: THRESHOLD_PERCENT / 100, needsConfirmation };
}
