import type { Resolver } from '../public-addresses.js';
import { openTcpConnection, type Connector, type Endpoint } from '../first-connection.js';

type Answer = readonly string[] | (() => readonly string[]);

/**
 * Simulates the internet for tests: resolves chosen names to chosen public addresses, and routes these addresses to
 * servers on this machine. Pass its `resolver` and `connector` to `createSafeFetch`. The connector fails for each
 * address that is neither routed nor a loopback address. So a test never reaches the real internet, even if the tested
 * code fails to block an address.
 */
export class SimulatedInternet {
  /** Lists the names for which addresses were requested, in order. */
  readonly lookUps: string[] = [];
  /** Lists the addresses and ports to which a connection was requested, in order. */
  readonly attempts: Endpoint[] = [];
  readonly #names = new Map<string, Answer>();
  readonly #routes = new Map<string, number>();

  /**
   * Routes `http(s)://name[:port]` to a server on a local port, through a unique public address, and returns that
   * address.
   */
  routeSite(name: string, localPort: number, port = 80): string {
    const address = `93.184.216.${this.#names.size + 1}`;
    this.setAddresses(name, [address]);
    this.routeAddress(address, port, localPort);
    return address;
  }

  /** Sets the addresses of a name, or a function that returns the addresses for each query. */
  setAddresses(name: string, answer: Answer): void {
    this.#names.set(name, answer);
  }

  /** Routes an address and port to a local port. */
  routeAddress(address: string, port: number, localPort: number): void {
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
    if (localPort !== undefined) return openTcpConnection({ address: '127.0.0.1', port: localPort }, signal);
    if (address === '127.0.0.1' || address === '::1') return openTcpConnection({ address, port }, signal);
    throw Object.assign(new Error(`expected an address of the simulated internet, found ${address} port ${port}`), {
      code: 'EPRETEND',
    });
  };
}
