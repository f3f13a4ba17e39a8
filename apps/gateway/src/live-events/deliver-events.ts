import type { EventStream } from '../answering/sse.js';
import type { FoundDatasource } from '../datasources/datasource-repository.js';
import { buildDatasourceResponse } from '../datasources/datasource-view.js';
import { formatEventFrame, type Subscriber } from './subscriber.js';

/**
 * Writes the events of a subscriber one by one, until the subscriber ends or the signal aborts. While the client does
 * not read, events wait. A new event of a datasource then replaces the waiting event of the same datasource.
 */
export async function writeEvents(stream: EventStream, subscriber: Subscriber, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const event = subscriber.removeNextEvent();
    if (event !== undefined) await stream.write(formatEventFrame(event));
    else if (subscriber.hasEnded) return;
    else await subscriber.wait();
  }
}

/** Sends the state of a datasource to the subscribers that watch the datasource. */
export function sendDatasourceState(found: FoundDatasource, at: number, subscribers: readonly Subscriber[]): void {
  const { id, organizationId, status } = found.datasource;
  const watching = subscribers.filter(
    (one) => one.watched.organizationId === organizationId && isWatching(one, found.datasource),
  );
  if (watching.length === 0) return;
  const json = JSON.stringify(buildDatasourceResponse(found));
  for (const subscriber of watching) subscriber.addState({ id, status, at, json });
}

/** Returns true if a subscriber watches the datasource with this id, or all datasources of its datastore. */
export function isWatching(
  { watched }: Subscriber,
  { id, datastoreId }: { readonly id: string; readonly datastoreId: string },
): boolean {
  return watched.datastoreId === datastoreId && (watched.datasourceId === undefined || watched.datasourceId === id);
}

/** Sends the event `removed` of a datasource to a subscriber. */
export function sendRemovedEvent(subscriber: Subscriber, id: string, at: number): void {
  const { datastoreId } = subscriber.watched;
  subscriber.add(id, { name: 'removed', at, json: JSON.stringify({ id, datastoreId }) });
}
