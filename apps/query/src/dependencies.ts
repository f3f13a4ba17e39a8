import type { Dependency, Pingable } from '@quarry/service-kit';

/** Lists the dependencies for the readiness check: without the fragment store, the service cannot answer. */
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
