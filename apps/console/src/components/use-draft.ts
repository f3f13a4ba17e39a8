import { useState } from 'react';

/** The values of a form, and the functions that change them. */
export interface Draft<Values> {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
  /** Reverts the fields that have these values to the stored values, for example after these values were saved. */
  readonly discard: (values: Partial<Values>) => void;
}

/**
 * Returns the values of a form: the stored values, with the edits of the user. A field without an edit follows the
 * stored value, so that the form shows changes by other users and does not revert them.
 */
export function useDraft<Values extends object>(stored: Values): Draft<Values> {
  const [edits, setEdits] = useState<Partial<Values>>({});
  return {
    values: { ...stored, ...edits },
    change: (part) => setEdits((before) => ({ ...before, ...part })),
    discard: (values) => setEdits((before) => pickChanges(values, before)),
  };
}

/** Returns the fields of `next` whose values differ from `before`. */
export function pickChanges<Values extends object>(before: Partial<Values>, next: Partial<Values>): Partial<Values> {
  const current = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(current.get(name)),
  );
  return Object.fromEntries(changed) as Partial<Values>; // these are fields of `next`
}
