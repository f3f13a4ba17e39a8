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
      combinePairs(listNames(spec.podSelector), to.flatMap(getPeers)).map(
        ([from, peer]) => `${from} -> ${peer}${formatPortSuffix(ports)}`,
      ),
    ),
  );
  const incoming = policies.flatMap(({ spec }) =>
    (spec.ingress ?? []).flatMap(({ from = [{}], ports }) =>
      combinePairs(from.flatMap(getPeers), listNames(spec.podSelector)).map(
        ([peer, to]) => `${peer} -> ${to}${formatPortSuffix(ports)}`,
      ),
    ),
  );
  return { outgoing: sortLines(outgoing), incoming: sortLines(incoming) };
}

function getPeers({ ipBlock, namespaceSelector, podSelector }: Peer): readonly string[] {
  if (ipBlock !== undefined) return [INTERNET.includes(ipBlock.cidr) ? 'internet' : ipBlock.cidr];
  if (namespaceSelector === undefined) return listNames(podSelector);
  return combinePairs(listNames(namespaceSelector), listNames(podSelector)).map((names) => names.join('/'));
}

/** Returns the label values that a selector requires; `*` for a selector of all pods. */
function listNames({ matchLabels = {}, matchExpressions = [] }: Selector = {}): readonly string[] {
  const names = [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values = ['*'] }) => values)];
  return names.length === 0 ? ['*'] : names;
}

function formatPortSuffix(ports: readonly Port[] | undefined): string {
  return ports === undefined ? '' : `:${[...new Set(ports.map(({ port }) => port))].join(',')}`;
}

function combinePairs(left: readonly string[], right: readonly string[]): (readonly [string, string])[] {
  return left.flatMap((one) => right.map((other) => [one, other] as const));
}

function sortLines(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].sort();
}
