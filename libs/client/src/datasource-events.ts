import type { Call, Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { openEventStream } from './open-event-stream.js';
import { isTemporaryError, QuarryError } from './quarry-error.js';
import { readResponseBytes } from './read-response-bytes.js';
import { parseServerSentEvents } from './server-sent-events.js';
import type { Datasource } from './types.js';
import { waitForDelay } from './wait-for-retry.js';

/**
 * Describes a change of a datasource: `status` if its status changed, `progress` if only other fields changed,
 * `removed` if the datasource was removed.
 */
export type DatasourceEvent =
  | { readonly type: 'status' | 'progress'; readonly datasource: Datasource }
  | { readonly type: 'removed'; readonly id: string; readonly datastoreId: string };

/**
 * Reports that events of a datastore may have been lost. The caller must then list the datasources of the datastore
 * again.
 */
export interface ResetEvent {
  readonly type: 'reset';
  readonly datastoreId: string;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 10_000;
const BACKOFF_FACTOR = 2;

/** Yields the events of one datasource until it is removed. */
export async function* watchDatasourceById(
  connection: Connection,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<DatasourceEvent> {
  let datastoreId: string | undefined;
  try {
    for await (const event of watchDatasourceEvents(connection, {
      route: ROUTES.watchDatasource,
      path: { id },
      signal,
    })) {
      if (event.type === 'reset') continue;
      yield event;
      if (event.type === 'removed') return;
      ({ datastoreId } = event.datasource);
    }
  } catch (error) {
    // The datasource was removed while the client was not connected.
    if (datastoreId === undefined || !(error instanceof QuarryError) || error.status !== 404) throw error;
    yield { type: 'removed', id, datastoreId };
  }
}

/**
 * Yields the events of a stream. Connects again after each interruption. The delay before a new connection grows with
 * each attempt up to a maximum. After an event has arrived, the delay starts from its minimum again.
 *
 * @throws TypeError or QuarryError if the first connection fails; QuarryError if the server rejects a later connection
 * with a client error (4xx) other than 429, or responds with content that is not a stream
 */
export async function* watchDatasourceEvents(
  connection: Connection,
  call: Call,
): AsyncGenerator<DatasourceEvent | ResetEvent> {
  let lastEventId: string | undefined;
  let response: Response | undefined = await openEventStream(connection, call);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * BACKOFF_FACTOR, MAX_WAIT_MS)) {
    if (response !== undefined) {
      for await (const { name, data, id } of parseServerSentEvents(readBytesUntilInterrupted(response, call.signal))) {
        lastEventId = id ?? lastEventId;
        waitMs = FIRST_WAIT_MS;
        const event = parseDatasourceEvent(name, data);
        if (event !== undefined) yield event;
      }
    }
    await waitForDelay(waitMs, call.signal);
    response = await reopenStreamIfAvailable(connection, { ...call, lastEventId });
  }
}

/**
 * Opens a stream of events again. Returns undefined if the server is unavailable or rejects the stream because of high
 * load.
 */
async function reopenStreamIfAvailable(connection: Connection, call: Call): Promise<Response | undefined> {
  try {
    return await openEventStream(connection, call);
  } catch (error) {
    call.signal?.throwIfAborted();
    if (!isTemporaryError(error)) throw error;
    return undefined;
  }
}

/**
 * Yields the bytes of a response until it ends or the connection breaks.
 *
 * @throws the reason of the signal if the signal aborts
 */
async function* readBytesUntilInterrupted(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const bytes = readResponseBytes(response);
  try {
    for (;;) {
      const next = await bytes.next().catch(() => undefined);
      signal?.throwIfAborted();
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    await bytes.return(undefined);
  }
}

/** Parses an event. Returns undefined for an event with an unknown name, which a newer server may send. */
function parseDatasourceEvent(name: string, data: string): DatasourceEvent | ResetEvent | undefined {
  const value: unknown = JSON.parse(data);
  switch (name) {
    case 'status':
    case 'progress':
      return { type: name, datasource: value as Datasource }; // shape guaranteed by the OpenAPI document
    case 'removed':
      return { type: name, ...(value as { readonly id: string; readonly datastoreId: string }) };
    case 'reset':
      return { type: name, ...(value as { readonly datastoreId: string }) };
    default:
      return undefined;
  }
}
