import type { SplittingSettings } from '@quarry/contracts';
import { invalidField } from '../checks/invalid-field.js';

/** Refuses an overlap of the whole fragment, with which splitting would never end. @throws Problem 400 */
export function requireSplitting(splitting: SplittingSettings | null | undefined): void {
  if (splitting === undefined || splitting === null) return;
  const { maxTokens, overlapTokens } = splitting;
  if (overlapTokens < maxTokens) return;
  throw invalidField('splitting.overlapTokens', `must be less than maxTokens (${maxTokens}), found ${overlapTokens}`);
}
