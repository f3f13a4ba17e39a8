import { createSafeFetch, type SafeFetch, type SafeFetchSettings } from '../safe-fetch.js';
import { SimulatedInternet } from './simulated-internet.js';

/** Creates clients that use one simulated internet. A test calls `closeClients` at its end. */
export class TestClients {
  readonly internet = new SimulatedInternet();
  readonly #open: SafeFetch[] = [];

  openClient(settings: Partial<SafeFetchSettings> = {}): SafeFetch {
    const { resolver, connector } = this.internet;
    const client = createSafeFetch({ userAgent: 'test/1', resolver, connector, ...settings });
    this.#open.push(client);
    return client;
  }

  async closeClients(): Promise<void> {
    await Promise.all(this.#open.map((client) => client.close()));
  }
}
