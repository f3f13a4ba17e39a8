import type { Dependency, Pingable } from '@quarry/service-kit';

/** The dependencies of a query service: without the fragment store, it can answer nothing. */
export function queryDependencies({ fragmentStore }: { readonly fragmentStore: Pingable }): readonly Dependency[] {
  return [
    {
      name: 'fragments',
      required: true,
      neededBy: ['searches', 'answers'],
      check: () => fragmentStore.ping(),
    },
  ];
}
