import { BlockList } from 'node:net';
import type { Manifest, Peer } from './manifest.js';

/** Returns whether the network policies allow the pods of a service to connect to an IPv4 address and port. */
export function canReachAddress(
  policies: readonly Manifest[],
  service: string,
  address: string,
  port: number,
): boolean {
  return policies
    .filter(({ spec }) => isServiceSelected(spec.podSelector, service))
    .flatMap(({ spec }) => spec.egress ?? [])
    .filter(({ ports }) => ports === undefined || ports.some((allowed) => allowed.port === port))
    .some(({ to = [{}] }) => to.some((peer) => isAddressAllowed(peer, address)));
}

function isServiceSelected(selector: Peer['podSelector'], service: string): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const labels: Readonly<Record<string, string>> = {
    'app.kubernetes.io/name': service,
    'app.kubernetes.io/part-of': 'quarry',
  };
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ values = [] }) => values.includes(service))
  );
}

function isAddressAllowed({ ipBlock, namespaceSelector, podSelector }: Peer, address: string): boolean {
  if (ipBlock === undefined) return namespaceSelector === undefined && podSelector === undefined;
  const { cidr, except = [] } = ipBlock;
  return isAddressInRange(cidr, address) && !except.some((range) => isAddressInRange(range, address));
}

function isAddressInRange(cidr: string, address: string): boolean {
  const [network = '', prefix] = cidr.split('/');
  if (network.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(prefix));
  return list.check(address);
}
