import type { FoundFragment } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';

/** What the gateway is told of a fragment. */
export function toFoundFragment(fragment: ScoredFragment): FoundFragment {
  const { id: fragmentId, datasourceId, customId, source, page, text, score } = fragment;
  return { fragmentId, datasourceId, customId, source, page, text, score };
}
