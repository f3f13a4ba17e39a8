import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { loadWhenReachable } from '../api/load-when-reachable.js';

/**
 * Creates a component whose code is loaded when it is first rendered. If Quarry does not respond, the component stays
 * suspended until Quarry responds again.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWhenReachable(load) }));
}
