import type { Manifest, Peer, Port, Selector } from './manifest.js';

const INTERNET = ['0.0.0.0/0', '2000::/3'];

/**
 * Returns the connections that the egress rules (outgoing) and the ingress rules (incoming) of network policies allow,
 * such as `gateway -> query:http`. Pods of other namespaces are named `namespace/name`.
 */
export function listAllowedConnections(policies: readonly Manifest[]): {
  readonly outgoing: readonly string[];
  readonly incoming: readonly string[];
} {
  const outgoing = policies.flatMap(({ spec }) =>
    (spec.egress ?? []).flatMap(({ to = [{}], ports }) =>
      listAllPairs(listSelectorValues(spec.podSelector), to.flatMap(listPeerNames)).map(
        ([from, peer]) => `${from} -> ${peer}${formatPortNumbers(ports)}`,
      ),
    ),
  );
  const incoming = policies.flatMap(({ spec }) =>
    (spec.ingress ?? []).flatMap(({ from = [{}], ports }) =>
      listAllPairs(from.flatMap(listPeerNames), listSelectorValues(spec.podSelector)).map(
        ([peer, to]) => `${peer} -> ${to}${formatPortNumbers(ports)}`,
      ),
    ),
  );
  return { outgoing: sortDistinctLines(outgoing), incoming: sortDistinctLines(incoming) };
}

function listPeerNames({ ipBlock, namespaceSelector, podSelector }: Peer): readonly string[] {
  if (ipBlock !== undefined) return [INTERNET.includes(ipBlock.cidr) ? 'internet' : ipBlock.cidr];
  if (namespaceSelector === undefined) return listSelectorValues(podSelector);
  return listAllPairs(listSelectorValues(namespaceSelector), listSelectorValues(podSelector)).map((names) =>
    names.join('/'),
  );
}

/** Returns the label values, mostly names of services, that a selector requires; `*` if it selects all pods. */
function listSelectorValues({ matchLabels = {}, matchExpressions = [] }: Selector = {}): readonly string[] {
  const names = [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values = ['*'] }) => values)];
  return names.length === 0 ? ['*'] : names;
}

function formatPortNumbers(ports: readonly Port[] | undefined): string {
  return ports === undefined ? '' : `:${[...new Set(ports.map(({ port }) => port))].join(',')}`;
}

function listAllPairs(left: readonly string[], right: readonly string[]): (readonly [string, string])[] {
  return left.flatMap((one) => right.map((other) => [one, other] as const));
}

function sortDistinctLines(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].sort();
}
