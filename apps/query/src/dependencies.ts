import type { Dependency, Pingable } from '@quarry/service-kit';

/** Lists the dependencies that the readiness check of the query service pings: the fragment store. */
export function listQueryDependencies({ fragmentStore }: { readonly fragmentStore: Pingable }): readonly Dependency[] {
  return [
    {
      name: 'fragments',
      required: true,
      neededBy: ['searches', 'answers'],
      check: () => fragmentStore.ping(),
    },
  ];
}
