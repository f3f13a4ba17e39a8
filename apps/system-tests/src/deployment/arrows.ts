import type { Manifest, Peer, Port, Selector } from './manifest.js';

const INTERNET = ['0.0.0.0/0', '2000::/3'];

/**
 * What network policies let pass, a line for each arrow, such as `gateway -> query:http`; both ends of one have to allow it.
 * Pods of other namespaces stand as `namespace/name`.
 */
export function arrows(policies: readonly Manifest[]): {
  readonly out: readonly string[];
  readonly in: readonly string[];
} {
  const out = policies.flatMap(({ spec }) =>
    (spec.egress ?? []).flatMap(({ to = [{}], ports }) =>
      pairs(namesOf(spec.podSelector), to.flatMap(peersOf)).map(([from, peer]) => `${from} -> ${peer}${on(ports)}`),
    ),
  );
  const into = policies.flatMap(({ spec }) =>
    (spec.ingress ?? []).flatMap(({ from = [{}], ports }) =>
      pairs(from.flatMap(peersOf), namesOf(spec.podSelector)).map(([peer, to]) => `${peer} -> ${to}${on(ports)}`),
    ),
  );
  return { out: sorted(out), in: sorted(into) };
}

function peersOf({ ipBlock, namespaceSelector, podSelector }: Peer): readonly string[] {
  if (ipBlock !== undefined) return [INTERNET.includes(ipBlock.cidr) ? 'internet' : ipBlock.cidr];
  if (namespaceSelector === undefined) return namesOf(podSelector);
  return pairs(namesOf(namespaceSelector), namesOf(podSelector)).map((names) => names.join('/'));
}

/** Each of the names that a selector takes; `*` for one that takes all. */
function namesOf({ matchLabels = {}, matchExpressions = [] }: Selector = {}): readonly string[] {
  const names = [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values = ['*'] }) => values)];
  return names.length === 0 ? ['*'] : names;
}

function on(ports: readonly Port[] | undefined): string {
  return ports === undefined ? '' : `:${[...new Set(ports.map(({ port }) => port))].join(',')}`;
}

function pairs(left: readonly string[], right: readonly string[]): (readonly [string, string])[] {
  return left.flatMap((one) => right.map((other) => [one, other] as const));
}

function sorted(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].sort();
}
