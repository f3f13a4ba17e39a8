import type { Resolver } from '../dns-resolver.js';
import { tcpConnector, type Connector, type Endpoint } from '../tcp-connector.js';

type Answer = readonly string[] | (() => readonly string[]);

/**
 * An internet for tests: names and public addresses that lead to servers on this machine's loopback.
 * Hand its `resolver` and `connector` to `createSafeFetch`. The connector opens no socket that leaves the machine, whatever
 * it is asked for, so a test of a broken guard is harmless: it records the attempt and fails.
 */
export class PretendInternet {
  /** Every name that was looked up, in order. */
  readonly lookUps: string[] = [];
  /** Every address and port that a connection was wanted to, in order. */
  readonly attempts: Endpoint[] = [];
  readonly #names = new Map<string, Answer>();
  readonly #routes = new Map<string, number>();

  /** Makes `http(s)://name[:port]` reach a server on a local port, through a public address of its own, which is returned. */
  site(name: string, localPort: number, port = 80): string {
    const address = `93.184.216.${this.#names.size + 1}`;
    this.name(name, [address]);
    this.route(address, port, localPort);
    return address;
  }

  /** Gives a name its addresses, or a function that is asked at each look-up. */
  name(name: string, answer: Answer): void {
    this.#names.set(name, answer);
  }

  /** Leads an address and port to a local port. */
  route(address: string, port: number, localPort: number): void {
    this.#routes.set(`${address} ${port}`, localPort);
  }

  readonly resolver: Resolver = async (host) => {
    this.lookUps.push(host);
    const answer = this.#names.get(host);
    if (answer === undefined) throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
    return typeof answer === 'function' ? answer() : answer;
  };

  readonly connector: Connector = async ({ address, port }, signal) => {
    this.attempts.push({ address, port });
    const localPort = this.#routes.get(`${address} ${port}`);
    if (localPort !== undefined) return tcpConnector({ address: '127.0.0.1', port: localPort }, signal);
    if (address === '127.0.0.1' || address === '::1') return tcpConnector({ address, port }, signal);
    throw Object.assign(new Error(`${address} port ${port} is not part of this pretend internet`), {
      code: 'EPRETEND',
    });
  };
}
