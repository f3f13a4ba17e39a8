import { isIPv6 } from 'node:net';

/** Maps the addresses that mean "all interfaces" to the address of this machine at which such a service is reachable. */
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the URL at which this machine reaches a service that listens at the given address and port. */
export function buildServiceUrl(address, port) {
  const host = LOOPBACK[address] ?? address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
