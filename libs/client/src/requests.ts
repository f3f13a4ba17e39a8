import { parseJsonResponse } from './quarry-error.js';
import { sendRequest, type Call, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { createPagedList, type List } from './paged-list.js';
import type { AnswerOf, JsonBodyOf, OperationId, PathOf, QueryOf } from './operation-types.js';

export interface Requests {
  /** Sends a request and parses the JSON of its response. */
  readonly requestJson: <Id extends OperationId>(id: Id, call: CallOf<Id>) => Promise<AnswerOf<Id>>;
  /** Requests the first page of a list. Iterating the list requests the further pages. */
  readonly requestList: <Id extends ListId>(id: Id, call: CallOf<Id>) => List<AnswerOf<Id>>;
  /** Sends a request for bytes, and returns the response, whose body is not read yet. */
  readonly requestDownload: (id: DownloadId, call: Omit<Call, 'route'>) => Promise<Response>;
  /** Sends a request to remove something. The response has no body. */
  readonly requestRemoval: (id: RemovalId, call: Omit<Call, 'route'>) => Promise<void>;
}

export function createRequestMethods(connection: Connection): Requests {
  const requestJson: Requests['requestJson'] = async <Id extends OperationId>(id: Id, call: CallOf<Id>) => {
    const response = await sendRequest(connection, { ...call, route: ROUTES[id] });
    return (await parseJsonResponse(response, connection.baseUrl)) as AnswerOf<Id>; // shape guaranteed by the OpenAPI document
  };
  return {
    requestJson,
    requestList: <Id extends ListId>(id: Id, call: CallOf<Id>) => {
      const list = createPagedList(async (cursor) => {
        const query = cursor === undefined ? call.query : { ...call.query, cursor };
        const page: unknown = await requestJson(id, { ...call, query } as CallOf<Id>);
        return page as { readonly items: readonly unknown[]; readonly next_cursor: string | null }; // the page of every list
      });
      return list as unknown as List<AnswerOf<Id>>; // its items are those of the response
    },
    requestDownload: async (id, call) => sendRequest(connection, { ...call, route: ROUTES[id] }),
    requestRemoval: async (id, call) => {
      await sendRequest(connection, { ...call, route: ROUTES[id] });
    },
  };
}

type ListId = Extract<OperationId, `list${string}`>;
type DownloadId = Extract<OperationId, 'getOriginal' | 'getPagePicture'>;
type RemovalId = Extract<OperationId, `delete${string}` | 'revokeApiKey' | 'endSession'>;

interface CallOf<Id extends OperationId> extends Omit<Call, 'route' | 'path' | 'query' | 'json'> {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id>;
  readonly json?: JsonBodyOf<Id>;
}
