import {
  CreateFileFields,
  CreateItemListingRequest,
  CreateWebPageRequest,
  CreateWebSiteRequest,
  DatasourceResponse,
  FileUploadFields,
  UpsertRequest,
  UpsertResponse,
} from '@quarry/contracts';
import { MEDIA_TYPES } from '@quarry/file-types';
import { addressSource } from '../datasources/address-source.js';
import { viewDatasource } from '../datasources/datasource-view.js';
import { readByAddress, type ByAddress } from '../datasources/read-by-address.js';
import { saveByAddress } from '../datasources/save-by-address.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import { withTexts } from '../documents/upsert-documents.js';
import { readUpsert } from '../documents/read-upsert.js';
import type { Call, OnceInTransaction } from '../http/call.js';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { created, ok, type Reply } from '../http/reply.js';
import { form, ReceivedForm } from '../http/request-body.js';
import { createdResponse, jsonResponse, one } from '../http/responses.js';
import { fileDocument } from '../uploads/file-document.js';
import { saveUpload } from '../uploads/save-upload.js';

const fileTypes = Object.values(MEDIA_TYPES);

/** Operations that add content. Source: docs/interface.md#3-upsert-documents and the sections after it. */
export const CONTENT_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'upsertDocuments',
    method: 'post',
    path: '/datastores/upsert/{datastoreId}',
    tag: 'Content',
    summary: 'Upsert documents',
    description: [
      'Makes a datasource of each document, or replaces what the one with the same key holds: all of them or none.',
      "A document's key is the first it has of `id`, `metadata.custom_id` and `name`. Of documents with the same key the last counts.",
      'By default a call may hold 500 documents and 10 MiB.',
    ].join('\n\n'),
    scopes: ['ingest'],
    params: { datastoreId: 'datastore' },
    body: {
      json: {
        shapes: [UpsertRequest],
        unknownFields: 'ignore',
        maxBytes: 'upsertBytes',
        parse: (body, { limits }) => readUpsert(body, limits),
      },
    },
    idempotency: 'staged',
    responses: {
      200: jsonResponse(
        'The documents are kept, and will be found when their datasources are synched.',
        one(UpsertResponse),
      ),
    },
    problems: ['too_many_documents'],
    find: async ({ gateway, caller, params }) => requireDatastore(gateway.db, caller, params.datastoreId),
    handle: async ({ gateway, found: datastore, body: documents, once }) =>
      withTexts(gateway, datastore, documents, async (save) => once(async (tx) => ok({ ids: await save(tx) }))),
  }),

  operation({
    id: 'createDatasource',
    method: 'post',
    path: '/datasources',
    tag: 'Content',
    summary: 'Make a datasource',
    description:
      'Of a file, sent as a form, or of an address, sent as JSON. In the form, `datastoreId` before `file` refuses an unknown datastore before the file is sent.',
    scopes: ['ingest'],
    body: {
      json: {
        shapes: [CreateWebPageRequest, CreateWebSiteRequest, CreateItemListingRequest],
        unknownFields: 'ignore',
        maxBytes: 'bodyBytes',
        parse: readByAddress,
      },
      ...form(CreateFileFields, {
        fileTypes,
        datastoreIdSoFar: ({ fields: { datastoreId } }) => (typeof datastoreId === 'string' ? datastoreId : undefined),
      }),
    },
    idempotency: 'transaction',
    responses: { 201: createdResponse('The datasource.', DatasourceResponse) },
    problems: ['not_found', 'datasource_type_fixed'],
    handle: async (call) => {
      const { body } = call;
      return body instanceof ReceivedForm
        ? createFromFile(call, body, body.fields.datastoreId)
        : createFromAddress(call, body);
    },
  }),

  operation({
    id: 'uploadFile',
    method: 'post',
    path: '/external/datastores/file-upload/{datastoreId}',
    tag: 'Content',
    summary: 'Upload a file to a datastore',
    description:
      'Makes a datasource of it, or syncs the one with the same custom id and file name again. By default a file may have 100 MiB.',
    scopes: ['ingest'],
    params: { datastoreId: 'datastore' },
    body: form(FileUploadFields, { fileTypes, datastoreIdSoFar: ({ params }) => params['datastoreId'] }),
    idempotency: 'transaction',
    responses: { 201: createdResponse('The datasource.', DatasourceResponse) },
    problems: [],
    handle: async (call) => createFromFile(call, call.body, call.params.datastoreId),
  }),
];

type Creation = Pick<Call, 'gateway' | 'caller'> & { readonly once: OnceInTransaction };
type Created = Reply<201, DatasourceResponse>;

async function createFromAddress({ gateway, caller, once }: Creation, wanted: ByAddress): Promise<Created> {
  return once(async (tx) => {
    const datastore = await requireDatastore(tx, caller, wanted.datastoreId);
    const source = addressSource(gateway, caller.organizationId, wanted);
    const saved = await saveByAddress(tx, datastore, source, gateway.clock());
    return created(`/datasources/${saved.datasource.id}`, viewDatasource(saved));
  });
}

async function createFromFile(
  { gateway, caller, once }: Creation,
  { fields, file, newId }: ReceivedForm<FileUploadFields>,
  datastoreId: string,
): Promise<Created> {
  const document = fileDocument(fields, file, newId);
  return once(async (tx) => {
    const saved = await saveUpload(tx, caller, { document, datastoreId }, gateway.clock());
    return created(`/datasources/${saved.datasource.id}`, viewDatasource(saved));
  });
}
