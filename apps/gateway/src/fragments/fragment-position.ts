import { createFieldProblem } from '../checks/field-problem.js';

const MAX_ORDINAL = 2_147_483_647;

/**
 * Identifies the first fragment of a page of a list. `documentKey` is the key in the fragment store, which can differ
 * from the key in the API.
 */
export interface FragmentPosition {
  readonly documentKey: string;
  readonly ordinal: number;
}

export function formatFragmentCursor({ documentKey, ordinal }: FragmentPosition): string {
  return Buffer.from(`${String(ordinal)} ${documentKey}`).toString('base64url');
}

/** Parses the cursor of a list of fragments. @throws Problem 400 for an invalid cursor */
export function parseFragmentCursor(cursor: string | undefined): FragmentPosition | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, digits = '', documentKey = ''] = /^(\d{1,10}) ([^\0]*)$/s.exec(text) ?? [];
  const ordinal = digits === '' ? NaN : Number(digits);
  // PostgreSQL cannot store NUL, so no document key contains it.
  if (ordinal <= MAX_ORDINAL && Buffer.from(text).toString('base64url') === cursor) return { documentKey, ordinal };
  throw createFieldProblem(
    'cursor',
    `must be the next_cursor of the previous page, found ${JSON.stringify(cursor.slice(0, 60))}`,
  );
}
