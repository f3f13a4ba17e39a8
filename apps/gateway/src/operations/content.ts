import {
  CreateFileFields,
  CreateItemListingRequest,
  CreateWebPageRequest,
  CreateWebSiteRequest,
  DatasourceResponse,
  FileUploadFields,
  ListingDryRunResponse,
  UpsertRequest,
  UpsertResponse,
} from '@quarry/contracts';
import { MEDIA_TYPES } from '@quarry/file-types';
import { runListingDryRun } from '../datasources/listing-dry-run.js';
import { readListingHeaders } from '../datasources/listing-headers.js';
import {
  buildRemoteSource,
  parseListingRequest,
  parseRemoteSourceRequest,
  type RemoteSourceRequest,
  saveRemoteSource,
} from '../datasources/remote-source.js';
import { buildDatasourceResponse } from '../datasources/datasource-view.js';
import { buildNewDocument, insertDocument } from '../datasources/insert-document.js';
import { requireDatastore } from '../datastores/datastore-repository.js';
import { withStoredTexts } from '../documents/with-stored-texts.js';
import { parseUpsertRequest } from '../documents/parse-upsert-request.js';
import type { Call, RunOnceInTransaction } from '../http/call.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildOkReply, type Reply } from '../http/reply.js';
import { describeFormBody, ReceivedForm } from '../http/request-body.js';
import { describeCreatedResponse, describeJsonResponse, createObjectSchema } from '../http/responses.js';
import { problem } from '../problems.js';
import { DEFAULT_LISTING_PAGE_SIZE } from '../runs/start/build-sync-job.js';
import type { DatasourceWithRun } from '../runs/start/start-runs.js';
import { buildFileDocument, saveUploadedDocument } from '../uploads/file-document.js';
const fileTypes = Object.values(MEDIA_TYPES);

/** Lists the operations that add content. Source: docs/interface.md#3-upsert-documents and the sections after it. */
export const CONTENT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'upsertDocuments',
    method: 'post',
    path: '/datastores/upsert/{datastoreId}',
    tag: 'Content',
    summary: 'Upsert documents',
    description: [
      'Creates a datasource for each document, or replaces the content of the datasource with the same identity. The request applies to all documents or to none.',
      'The identity of a document is the first of these that it has: its `id`, `metadata.source`, `metadata.custom_id` together with `name`, or its text. The `id` can also be the id of the text datasource to replace. The datasource then has the identity of its new fields, or only its own id if another datasource has that identity. A request with two documents of the same identity is refused.',
      'By default, a request can have 500 documents and 10 MiB.',
    ].join('\n\n'),
    scopes: ['ingest'],
    params: { datastoreId: 'datastore' },
    body: {
      json: {
        shapes: [UpsertRequest],
        unknownFields: 'ignore',
        maxBytes: 'upsertBytes',
        parse: (body, { limits }) => parseUpsertRequest(body, limits),
      },
    },
    idempotency: 'staged',
    responses: {
      200: describeJsonResponse(
        'The documents are stored. Searches find them when the status of their datasources is `synched`.',
        createObjectSchema(UpsertResponse),
      ),
    },
    problems: ['too_many_documents'],
    find: async ({ gateway, caller, params }) => requireDatastore(gateway.db, caller, params.datastoreId),
    handle: async ({ gateway, found: datastore, body: documents, runOnce }) => {
      let saved: readonly string[] = [];
      const reply = await withStoredTexts(gateway, datastore, documents, async (save) =>
        runOnce(async (tx) => buildOkReply({ ids: (saved = await save(tx)) })),
      );
      gateway.changes.publish(...saved.map((id) => ({ kind: 'datasource', id }) as const));
      return reply;
    },
  }),

  defineOperation({
    id: 'createDatasource',
    method: 'post',
    path: '/datasources',
    tag: 'Content',
    summary: 'Create a datasource',
    description:
      'Send a file as a form, or the address of a web page, web site or item listing as JSON. In a form, put `datastoreId` before `file`, so that an unknown datastore is refused before the file is transferred.',
    scopes: ['ingest'],
    body: {
      json: {
        shapes: [CreateWebPageRequest, CreateWebSiteRequest, CreateItemListingRequest],
        unknownFields: 'ignore',
        maxBytes: 'bodyBytes',
        parse: parseRemoteSourceRequest,
      },
      ...describeFormBody(CreateFileFields, {
        fileTypes,
        findDatastoreId: ({ fields: { datastoreId } }) => (typeof datastoreId === 'string' ? datastoreId : undefined),
      }),
    },
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The datasource, with the status `pending`.', DatasourceResponse) },
    problems: ['not_found', 'datasource_type_fixed'],
    handle: async (call) => {
      const { body } = call;
      return body instanceof ReceivedForm
        ? createDatasourceFromFile(call, body, body.fields.datastoreId)
        : createDatasourceFromAddress(call, body);
    },
  }),

  defineOperation({
    id: 'dryRunDatasource',
    method: 'post',
    path: '/datasources/dry-run',
    tag: 'Content',
    summary: 'Try an item listing',
    description: [
      'Reads the beginning of an item listing with the same body as `POST /datasources`, and stores nothing. The dry run sends the same requests and makes the same checks as a sync.',
      'It reads 1,000 items, in pages of at most 100 items and 10 MiB, for at most 20 seconds. An organization can have two dry runs in progress.',
    ].join('\n\n'),
    scopes: ['ingest'],
    isReadOnly: true,
    body: {
      json: {
        shapes: [CreateItemListingRequest],
        unknownFields: 'ignore',
        maxBytes: 'bodyBytes',
        parse: parseListingRequest,
      },
    },
    responses: { 200: describeJsonResponse('What was found.', createObjectSchema(ListingDryRunResponse)) },
    problems: ['not_found', 'too_many_dry_runs'],
    handle: async (call) => buildOkReply(await dryRunListing(call, call.body)),
  }),

  defineOperation({
    id: 'uploadFile',
    method: 'post',
    path: '/external/datastores/file-upload/{datastoreId}',
    tag: 'Content',
    summary: 'Upload a file to a datastore',
    description:
      'Creates a datasource for the file, or replaces the file of the datasource with the same custom id and file name. By default, the maximum file size is 100 MiB.',
    scopes: ['ingest'],
    params: { datastoreId: 'datastore' },
    body: describeFormBody(FileUploadFields, { fileTypes, findDatastoreId: ({ params }) => params['datastoreId'] }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The datasource, with the status `pending`.', DatasourceResponse) },
    problems: [],
    handle: async (call) => createDatasourceFromFile(call, call.body, call.params.datastoreId),
  }),
];

async function dryRunListing(
  { gateway, caller, signal }: Pick<Call, 'gateway' | 'caller' | 'signal'>,
  request: CreateItemListingRequest,
): Promise<ListingDryRunResponse> {
  const { datastoreId, config } = request;
  await requireDatastore(gateway.db, caller, datastoreId);
  const { readFrom: url } = buildRemoteSource(gateway, caller.organizationId, request);
  const listing = { url, headers: readListingHeaders(config) ?? {} };
  const pageSize = config.page_size ?? DEFAULT_LISTING_PAGE_SIZE;
  const result = await gateway.dryRunLimiter.runIfAllowed(caller.organizationId, async () =>
    runListingDryRun(gateway, { listing, pageSize, signal }),
  );
  if (result !== undefined) return result;
  throw problem(
    'too_many_dry_runs',
    'Too many dry runs are in progress. Send the request again when one of them has ended.',
    {
      headers: { 'Retry-After': '5' },
    },
  );
}

type CreationContext = Pick<Call, 'gateway' | 'caller'> & { readonly runOnce: RunOnceInTransaction };
type CreatedReply = Reply<201, DatasourceResponse>;

async function createDatasourceFromAddress(
  { gateway, caller, runOnce }: CreationContext,
  request: RemoteSourceRequest,
): Promise<CreatedReply> {
  let id: string | undefined;
  const reply = await runOnce(async (tx) => {
    const datastore = await requireDatastore(tx, caller, request.datastoreId);
    const source = buildRemoteSource(gateway, caller.organizationId, request);
    const saved = await saveRemoteSource(tx, datastore, source, gateway.clock());
    id = saved.datasource.id;
    return buildCreatedDatasourceReply(saved);
  });
  if (id !== undefined) gateway.changes.publish({ kind: 'datasource', id });
  return reply;
}

function buildCreatedDatasourceReply(saved: DatasourceWithRun): CreatedReply {
  const response = buildDatasourceResponse({ ...saved, totals: null });
  return buildCreatedReply(`/datasources/${saved.datasource.id}`, response);
}

async function createDatasourceFromFile(
  { gateway, caller, runOnce }: CreationContext,
  { fields, file, newId, datastore }: ReceivedForm<FileUploadFields>,
  datastoreId: string,
): Promise<CreatedReply> {
  const document = buildFileDocument(fields, file, newId);
  let id: string | undefined;
  const reply = await runOnce(
    async (tx) => {
      const saved = await saveUploadedDocument(tx, caller, { document, datastoreId }, gateway.clock());
      id = saved.datasource.id;
      return buildCreatedDatasourceReply(saved);
    },
    undefined,
    async (db, completeClaim) => {
      if (datastore?.id !== datastoreId.toLowerCase()) return undefined;
      const newDocument = buildNewDocument(datastore, document, gateway.clock());
      const created = buildCreatedDatasourceReply(newDocument);
      if ((await insertDocument(db, newDocument, completeClaim(created))) === undefined) return undefined;
      id = newDocument.datasource.id;
      return created;
    },
  );
  if (id !== undefined) gateway.changes.publish({ kind: 'datasource', id });
  return reply;
}
