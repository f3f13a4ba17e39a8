import type { Connection } from './connection.js';
import { type AdministrationMethods, createAdministrationMethods } from './administration-methods.js';
import { createDatasourceMethods, type DatasourceMethods } from './datasource-methods.js';
import { createEvaluationMethods, type EvaluationMethods } from './evaluation-methods.js';
import { createKnowledgeMethods, type KnowledgeMethods } from './knowledge-methods.js';
import type { ClientOptions } from './call-options.js';

/**
 * Provides every operation of the API. Each method throws `QuarryError` for an error response, and `TypeError` if the
 * server does not respond. If `signal` of the options aborts, the method throws the reason of the signal. `await` of a
 * list returns the first page, and `for await` yields the items of all pages.
 */
export interface QuarryClient extends KnowledgeMethods, DatasourceMethods, EvaluationMethods, AdministrationMethods {}

/**
 * Creates a client for the Quarry API.
 *
 *     const quarry = createClient({ baseUrl: 'http://localhost:3000/api', apiKey });
 *     const { id } = await quarry.createDatastore({ name: 'manuals' });
 *     const manual = await quarry.uploadFile(id, new File([bytes], 'manual.pdf', { type: 'application/pdf' }));
 *     await quarry.untilSettled(manual.id);
 *     const agent = await quarry.createAgent({ name: 'support', datastoreIds: [id] });
 *
 *     for await (const event of quarry.streamAgent(agent.id, { query: 'How do I reset it?' })) {
 *       if (event.type === 'answer') process.stdout.write(event.text);
 *       else console.log(event.response.sources);
 *     }
 *
 * The client retries a request that is safe to repeat if Quarry responds with 429 or 503 and the header `Retry-After`.
 * By default it retries at most twice. Before each retry it waits at most 65 seconds, because the rate limit counts
 * requests per minute. Requests that create a resource have an `Idempotency-Key`, so that a repeated request creates
 * only one resource.
 *
 * @throws TypeError for an API key that no header can contain
 */
export function createClient(options: ClientOptions): QuarryClient {
  const connection: Connection = {
    fetch: async (input, init) => globalThis.fetch(input, init),
    retries: 2,
    maxWaitMs: 65_000,
    resumeWaitMs: 250,
    ...options,
    apiKey: options.apiKey === undefined ? undefined : parseApiKey(options.apiKey),
  };
  return {
    ...createKnowledgeMethods(connection),
    ...createDatasourceMethods(connection),
    ...createEvaluationMethods(connection),
    ...createAdministrationMethods(connection),
  };
}

/** Returns a key without surrounding white space, such as the newline at the end of a file. */
function parseApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  // The key is secret, so the message does not contain it.
  const found = key === '' ? 'an empty text' : 'a text with spaces, line breaks or other characters';
  throw new TypeError(`Expected an API key of printable ASCII characters, found ${found}.`);
}
