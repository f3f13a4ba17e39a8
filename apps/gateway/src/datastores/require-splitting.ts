import type { SplittingSettings } from '@quarry/contracts';
import { invalid } from '../checks/invalid.js';

/** Fragments that overlap by all they may hold would never end. @throws Problem 400 */
export function requireSplitting(splitting: SplittingSettings | null | undefined): void {
  if (splitting === undefined || splitting === null) return;
  const { maxTokens, overlapTokens } = splitting;
  if (overlapTokens < maxTokens) return;
  throw invalid('splitting.overlapTokens', `must be less than maxTokens (${maxTokens}), found ${overlapTokens}`);
}
