import { sendRequest, type Call, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import type { AnswerOf, JsonBodyOf, OperationId, PathOf, QueryOf } from './operation-types.js';

export interface Requests {
  /** Sends a request and parses the JSON of its response. */
  readonly ask: <Id extends OperationId>(id: Id, call: CallOf<Id>) => Promise<AnswerOf<Id>>;
  /** Sends a request whose response consists of bytes. The body is not yet read. */
  readonly download: (id: DownloadId, call: Omit<Call, 'route'>) => Promise<Response>;
  /** Sends a request whose response has no body. */
  readonly remove: (id: RemovalId, call: Omit<Call, 'route'>) => Promise<void>;
}

export function createRequests(connection: Connection): Requests {
  return {
    ask: async <Id extends OperationId>(id: Id, call: CallOf<Id>) => {
      const response = await sendRequest(connection, { ...call, route: ROUTES[id] });
      return (await response.json()) as AnswerOf<Id>; // shape guaranteed by the OpenAPI document
    },
    download: async (id, call) => sendRequest(connection, { ...call, route: ROUTES[id] }),
    remove: async (id, call) => {
      await sendRequest(connection, { ...call, route: ROUTES[id] });
    },
  };
}

type DownloadId = Extract<OperationId, 'getOriginal' | 'getPagePicture'>;
type RemovalId = Extract<OperationId, `delete${string}` | 'revokeApiKey' | 'endSession'>;

interface CallOf<Id extends OperationId> extends Omit<Call, 'route' | 'path' | 'query' | 'json'> {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id>;
  readonly json?: JsonBodyOf<Id>;
}
