import type { FoundFragment } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';

/** Converts a fragment to the form that the gateway receives. */
export function toFoundFragment(fragment: ScoredFragment): FoundFragment {
  const { id: fragmentId, datasourceId, customId, source, page, text, score } = fragment;
  return { fragmentId, datasourceId, customId, source, page, text, score };
}
