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
import { MEDIA_TYPES } from '../../uploads/media-types.js';
import { json, made, one } from '../answers.js';
import type { Operation } from '../operation.js';

const FILE_TYPES = Object.values(MEDIA_TYPES);

/** What fills a datastore. Source: interface specification, endpoints 3 to 5. */
export const CONTENT_OPERATIONS: readonly Operation[] = [
  {
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
    body: { json: { shapes: [UpsertRequest], unknownFields: 'ignore' } },
    once: true,
    answers: {
      200: json('The documents are kept, and will be found when their datasources are synched.', one(UpsertResponse)),
    },
    problems: ['too_many_documents'],
  },
  {
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
      },
      form: { fields: CreateFileFields, fileTypes: FILE_TYPES },
    },
    once: true,
    answers: { 201: made('The datasource.', DatasourceResponse) },
    problems: ['not_found', 'datasource_type_fixed'],
  },
  {
    id: 'uploadFile',
    method: 'post',
    path: '/external/datastores/file-upload/{datastoreId}',
    tag: 'Content',
    summary: 'Upload a file to a datastore',
    description:
      'Makes a datasource of it, or syncs the one with the same custom id and file name again. By default a file may have 100 MiB.',
    scopes: ['ingest'],
    body: { form: { fields: FileUploadFields, fileTypes: FILE_TYPES } },
    once: true,
    answers: { 201: made('The datasource.', DatasourceResponse) },
    problems: [],
  },
];
