import type { Caller } from '../access/caller.js';
import { requireDatasource } from '../datasources/datasource-repository.js';
import { requireDatastore } from '../datastores/datastore-repository.js';
import type { Client } from '../http/call.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildStreamReply } from '../http/reply.js';
import { describeEventStream } from '../http/responses.js';
import type { WatchedDatasources } from '../live-events/subscriber.js';

const EVENTS = `Server-sent events, each with the current state:

- \`event: status\`: a datasource is new, or its status has changed. The data is the datasource, as \`getDatasource\` returns it without \`queue\`.
- \`event: progress\`: another field of a datasource has changed, such as a counter. The data is the datasource.
- \`event: removed\`: a datasource was deleted. The data is \`{"id", "datastoreId"}\`.
- Lines that start with \`:\` keep the connection open. Ignore them.

A datasource has at most four events per second, and only its newest state is sent to a slow client. To resume after an interruption, send the \`id\` of the last event as \`Last-Event-ID\`; browsers do so. The stream ends when the API key becomes invalid, the session ends or the service stops.`;

/** Lists the operations that stream changes of datasources. */
export const LIVE_EVENT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'watchDatasource',
    method: 'get',
    path: '/datasources/{id}/events',
    tag: 'Datasources',
    summary: 'Watch a datasource',
    description: `Streams the changes of a datasource. The first event is its current state. The stream ends after \`removed\`.\n\n${EVENTS}`,
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 200: describeEventStream('The changes of the datasource.') },
    problems: ['too_many_streams', 'service_stopping'],
    handle: async ({ gateway: { db, liveEvents }, caller, params, signal, client }) => {
      const { datasource } = await requireDatasource(db, caller, params.id);
      liveEvents.requireCapacity(caller);
      const { datastoreId, id: datasourceId } = datasource;
      const watched = { ...buildCallerFields(caller), datastoreId, datasourceId };
      return buildStreamReply(async (stream) =>
        liveEvents.serve(stream, watched, { signal, resumeAfter: readLastEventId(client) }),
      );
    },
  }),

  defineOperation({
    id: 'watchDatastore',
    method: 'get',
    path: '/datastores/{id}/events',
    tag: 'Datastores',
    summary: 'Watch the datasources of a datastore',
    description: `Streams the changes of all datasources of a datastore. \`event: reset\` states that changes may be missing: read the list of datasources. It is the first event, unless the stream resumes; the data is \`{"datastoreId"}\`. The stream ends when the datastore is deleted.\n\n${EVENTS}`,
    scopes: ['manage', 'ingest'],
    params: { id: 'datastore' },
    responses: { 200: describeEventStream('The changes of the datasources.') },
    problems: ['too_many_streams', 'service_stopping'],
    handle: async ({ gateway: { db, liveEvents }, caller, params, signal, client }) => {
      const datastore = await requireDatastore(db, caller, params.id);
      liveEvents.requireCapacity(caller);
      const watched = { ...buildCallerFields(caller), datastoreId: datastore.id };
      return buildStreamReply(async (stream) =>
        liveEvents.serve(stream, watched, { signal, resumeAfter: readLastEventId(client) }),
      );
    },
  }),
];

/**
 * Returns the ids of the caller's organization and key, and the hash of the caller's session token if there is a
 * session. An event stream ends when the key or the session becomes invalid.
 */
function buildCallerFields({ organizationId, keyId, session }: Caller): Omit<WatchedDatasources, 'datastoreId'> {
  return { organizationId, keyId, ...(session === undefined ? {} : { sessionHash: session.tokenHash }) };
}

/**
 * Reads the header `Last-Event-ID`: the id of the last event that the client received. Returns undefined if the header
 * is absent or not an id. The stream then starts anew instead of resuming.
 */
function readLastEventId(client: Client): number | undefined {
  const id = client.getHeader('last-event-id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
