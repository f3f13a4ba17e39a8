import type { Request, RequestHandler } from 'express';
import type { RouteDescription } from '../declaration.js';

/** A path at which earlier versions of this API had an operation. */
export interface OlderPath {
  /**
   * The path below the API, in the syntax of OpenAPI. Its parameters have the same names as those of the current path.
   */
  readonly path: string;
  /** The id of the operation that handles requests to the path. */
  readonly operationId: string;
  /** True if a request body at this path is one document instead of a list, and the response is the document's id. */
  readonly hasSingleDocument?: true;
}

/**
 * Lists the paths of earlier versions. Each is available below `/api` and at the root, where deployed clients expect
 * it. A path that is also a current path is listed, because it must be available at the root, too. Source:
 * docs/compatibility.md#older-paths.
 */
export const OLDER_PATHS: readonly OlderPath[] = [
  { path: '/agents/{id}/query', operationId: 'queryAgent' },
  { path: '/datastores/{id}/query', operationId: 'queryDatastore' },
  { path: '/query/{id}', operationId: 'queryDatastore' },
  { path: '/datastores/query/{id}', operationId: 'queryDatastore' },
  { path: '/datastores/upsert/{datastoreId}', operationId: 'upsertDocuments' },
  { path: '/datastores/update/{datastoreId}', operationId: 'upsertDocuments', hasSingleDocument: true },
  { path: '/datastores/file-upload/{datastoreId}', operationId: 'uploadFile' },
  { path: '/agents/query/{id}', operationId: 'queryAgent' },
  { path: '/external/me', operationId: 'getMe' },
  { path: '/external/agents', operationId: 'listAgents' },
  { path: '/external/agents/{id}/query', operationId: 'queryAgent' },
  { path: '/external/datastores', operationId: 'listDatastores' },
  { path: '/external/datastores/query/{id}', operationId: 'queryDatastore' },
  { path: '/external/datastores/upsert/{datastoreId}', operationId: 'upsertDocuments' },
  { path: '/external/datastores/update/{datastoreId}', operationId: 'upsertDocuments', hasSingleDocument: true },
  { path: '/external/datastores/file-upload/{datastoreId}', operationId: 'uploadFile' },
];

const singleDocumentRequests = new WeakSet();

/** Returns true if a request was sent to an older path whose body is one document instead of a list of documents. */
export function hasSingleDocument(request: object): boolean {
  return singleDocumentRequests.has(request);
}

/**
 * Creates middleware that replaces an older path by the current one, so that both paths have the same routes, methods
 * and idempotency. Mount it before the API. A request by which a browser opens a page of the console keeps its path.
 *
 * @param routes contains every operation of `OLDER_PATHS`
 */
export function createOlderPathRewriter(routes: readonly Pick<RouteDescription, 'id' | 'path'>[]): RequestHandler {
  const rewrites = OLDER_PATHS.map((older) => createPathRewrite(older, routes));
  const bySegment = Map.groupBy(rewrites, ({ firstSegment }) => firstSegment);
  return (request, _response, next) => {
    const candidates = bySegment.get(getFirstSegment(request.path)) ?? [];
    const rewrite = candidates.find(({ expression }) => expression.test(request.path));
    if (rewrite !== undefined && !isConsolePageRequest(request)) {
      // The URL does not begin with the path if a proxy sends the absolute form `http://host/path?query`.
      const [query = ''] = /\?.*/s.exec(request.url) ?? [];
      request.url = request.path.replace(rewrite.expression, rewrite.replacement) + query;
      if (rewrite.hasSingleDocument) singleDocumentRequests.add(request);
    }
    next();
  };
}

/** Returns the first segment of a path, not counting `/api`, in lower case. */
function getFirstSegment(path: string): string | undefined {
  return /^(?:\/api)?\/([^/]+)/i.exec(path)?.[1]?.toLowerCase();
}

/** Returns true if a browser requests a page of the console. */
function isConsolePageRequest(request: Pick<Request, 'method' | 'path' | 'get'>): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !/^\/api\//i.test(request.path) && (request.get('accept') ?? '').includes('text/html');
}

interface Rewrite {
  readonly firstSegment: string | undefined;
  readonly expression: RegExp;
  /** The current path as a replacement text, with a reference to a group of `expression` for each parameter. */
  readonly replacement: string;
  readonly hasSingleDocument: boolean;
}

const PARAMETER = /\{(\w+)\}/g;

/**
 * Creates the rewrite of an older path.
 *
 * @throws if the operation does not exist, or if its path and the older path have different parameters
 */
function createPathRewrite(older: OlderPath, routes: readonly Pick<RouteDescription, 'id' | 'path'>[]): Rewrite {
  const current = routes.find(({ id }) => id === older.operationId)?.path;
  if (current === undefined)
    throw new Error(`expected the operation ${older.operationId} for the older path ${older.path}, found none`);
  const parameters = JSON.stringify(older.path.match(PARAMETER));
  if (parameters !== JSON.stringify(current.match(PARAMETER))) {
    throw new Error(
      `expected the older path ${older.path} to have the parameters of the current path ${current}, found ${parameters}`,
    );
  }
  return {
    firstSegment: getFirstSegment(older.path),
    expression: new RegExp(`^(?:/api)?${older.path.replaceAll(PARAMETER, '(?<$1>[^/]+)')}/?$`, 'i'),
    replacement: `/api${current.replaceAll(PARAMETER, '$<$1>')}`,
    hasSingleDocument: older.hasSingleDocument === true,
  };
}
