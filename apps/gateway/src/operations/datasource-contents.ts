import {
  DEFAULT_PAGE_SIZE,
  DocumentListQuery,
  DocumentResponse,
  FragmentListQuery,
  FragmentResponse,
  PagePictureQuery,
  PageQuery,
  RunResponse,
} from '@quarry/contracts';
import { listDocuments } from '../datasources/document-repository.js';
import { buildDocumentResponse, buildSingleDocumentResponse } from '../datasources/document-view.js';
import { requireDatasource } from '../datasources/datasource-repository.js';
import { parseFragmentCursor } from '../fragments/fragment-position.js';
import { listDatasourceFragments } from '../fragments/list-datasource-fragments.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import {
  createPageSchema,
  describeBytesResponse,
  describeEmptyResponse,
  describeJsonResponse,
} from '../http/responses.js';
import { ORIGINAL_TYPES, buildOriginalReply } from '../http/build-original-reply.js';
import { PICTURE_TYPE, buildPagePictureReply } from '../http/build-page-picture-reply.js';
import { parseKeyPageRequest, buildKeyPage } from '../paging/sort-key-pages.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import { listRuns } from '../runs/run-repository.js';
import { buildRunResponse } from '../runs/run-view.js';

const ORIGINAL_HEADERS = {
  'Content-Disposition': '`attachment` with the file name (RFC 6266).',
  ETag: 'Identifies the stored bytes.',
};

/** Lists the operations that return the documents and the runs of a datasource. */
export const DATASOURCE_CONTENT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'listDocuments',
    method: 'get',
    path: '/datasources/{id}/documents',
    tag: 'Datasources',
    summary: 'List the documents of a datasource',
    description:
      'One document per page of a web site or item of a listing, with the outcome of the last run that processed it. A file, an upserted document and a web page are one document each. Sorted by document key.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: DocumentListQuery,
    responses: { 200: describeJsonResponse('One page of documents.', createPageSchema(DocumentResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found, query }) => {
      const page = parseKeyPageRequest(query);
      const single = buildSingleDocumentResponse(found);
      const items =
        single === undefined
          ? (await listDocuments(gateway.db, found.datasource, query, page)).map(buildDocumentResponse)
          : [single].filter(
              ({ documentKey, outcome }) =>
                (page.after === undefined || documentKey > page.after) &&
                (query.outcome ?? outcome) === outcome &&
                (query.documentKey ?? documentKey) === documentKey,
            );
      return buildOkReply(buildKeyPage(items, page, ({ documentKey }) => documentKey));
    },
  }),

  defineOperation({
    id: 'listFragments',
    method: 'get',
    path: '/datasources/{id}/fragments',
    tag: 'Datasources',
    summary: 'List the fragments of a datasource',
    description:
      'Returns the fragments that searches can find, which belong to the newest indexed version of each document. Sorted by document key, then by position. A page can have fewer fragments than `limit` although another page follows.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: FragmentListQuery,
    responses: { 200: describeJsonResponse('One page of fragments.', createPageSchema(FragmentResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found, query: { documentKey, limit = DEFAULT_PAGE_SIZE, cursor }, signal }) => {
      const page = { documentKey, limit, first: parseFragmentCursor(cursor) };
      return buildOkReply(await listDatasourceFragments(gateway, caller, { found, page, signal }));
    },
  }),

  defineOperation({
    id: 'getOriginal',
    method: 'get',
    path: '/datasources/{id}/original',
    tag: 'Datasources',
    summary: 'Download the original of a datasource',
    description:
      'The uploaded bytes of a file, or an upserted text in UTF-8. Web pages, web sites and item listings have no stored original. A file supports `Range` with one range, `If-Range` and `If-None-Match`.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: {
      200: describeBytesResponse('The bytes.', ORIGINAL_TYPES, ORIGINAL_HEADERS),
      206: describeBytesResponse('The requested range of the bytes.', ORIGINAL_TYPES, {
        ...ORIGINAL_HEADERS,
        'Content-Range': 'The range, such as `bytes 0-99/1234`.',
      }),
      304: describeEmptyResponse('The client already has the current bytes, as `If-None-Match` states.'),
    },
    problems: ['no_original', 'range_not_satisfiable'],
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found: { datasource }, client }) => buildOriginalReply(gateway, datasource, client),
  }),

  defineOperation({
    id: 'getPagePicture',
    method: 'get',
    path: '/datasources/{id}/pages/{page}',
    tag: 'Datasources',
    summary: 'Get a page as a picture',
    description:
      'A page of an uploaded PDF file, as it is displayed. `page` starts at 1. The first request renders the page, which takes up to 15 seconds; the picture is stored for 1 to 2 days. A very long page has fewer pixels than `width`. Supports `If-None-Match`.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource', page: 'page' },
    query: PagePictureQuery,
    responses: {
      200: describeBytesResponse('The picture.', [PICTURE_TYPE], { ETag: 'Identifies the picture.' }),
      304: describeEmptyResponse('The client already has the current picture, as `If-None-Match` states.'),
    },
    problems: [
      ...(['no_page_pictures', 'page_not_found', 'page_unreadable', 'too_many_page_renders'] as const),
      ...(['page_not_rendered', 'overloaded', 'service_stopping'] as const),
    ],
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found: { datasource }, params, query: { width }, client, signal }) =>
      buildPagePictureReply(gateway, { datasource, page: Number(params.page), width, client, signal }),
  }),

  defineOperation({
    id: 'listRuns',
    method: 'get',
    path: '/datasources/{id}/runs',
    tag: 'Datasources',
    summary: 'List the runs of a datasource',
    description:
      'Sorted by start time, newest first. Each run has its start and end time, its outcome, and the reason for the outcome.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of runs.', createPageSchema(RunResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found: { datasource }, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(buildPage(await listRuns(gateway.db, datasource, page), page, buildRunResponse));
    },
  }),
];
