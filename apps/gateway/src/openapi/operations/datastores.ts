import { CreateDatastoreRequest, DatastoreResponse, PageQuery, UpdateDatastoreRequest } from '@quarry/contracts';
import { json, made, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

export const DATASTORE_OPERATIONS: readonly Operation[] = [
  {
    id: 'createDatastore',
    method: 'post',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'Make a datastore',
    scopes: ['manage'],
    body: { json: { shapes: [CreateDatastoreRequest], unknownFields: 'refuse' } },
    once: true,
    answers: { 201: made('The datastore.', DatastoreResponse) },
    problems: ['key_limited'],
  },
  {
    id: 'listDatastores',
    method: 'get',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'List datastores',
    description: 'Newest first.',
    scopes: ['manage', 'ingest'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(DatastoreResponse)) },
  },
  {
    id: 'getDatastore',
    method: 'get',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Show a datastore',
    scopes: ['manage', 'ingest'],
    answers: { 200: json('The datastore.', one(DatastoreResponse)) },
  },
  {
    id: 'updateDatastore',
    method: 'patch',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Change a datastore',
    description: 'What is absent stays as it is. New splitting applies to runs that start later.',
    scopes: ['manage'],
    body: { json: { shapes: [UpdateDatastoreRequest], unknownFields: 'refuse' } },
    answers: { 200: json('The datastore as it is now.', one(DatastoreResponse)) },
  },
  {
    id: 'deleteDatastore',
    method: 'delete',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Remove a datastore',
    description:
      'With its datasources, their files and everything that can be searched of them. Agents go on without it.',
    scopes: ['manage'],
    answers: { 204: REMOVED },
  },
];
