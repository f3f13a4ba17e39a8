import { DatasourceListQuery, DatasourceResponse } from '@quarry/contracts';
import { json, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

export const DATASOURCE_OPERATIONS: readonly Operation[] = [
  {
    id: 'listDatasources',
    method: 'get',
    path: '/datasources',
    tag: 'Datasources',
    summary: 'List datasources',
    description: 'Newest first.',
    scopes: ['manage', 'ingest'],
    query: DatasourceListQuery,
    answers: { 200: json('A part of the list.', pageOf(DatasourceResponse)) },
    problems: ['not_found'],
  },
  {
    id: 'getDatasource',
    method: 'get',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Show a datasource',
    description: 'With how far its latest run is, or how it ended and why.',
    scopes: ['manage', 'ingest'],
    answers: { 200: json('The datasource.', one(DatasourceResponse)) },
  },
  {
    id: 'syncDatasource',
    method: 'post',
    path: '/datasources/{id}/sync',
    tag: 'Datasources',
    summary: 'Sync a datasource again',
    description: 'Starts a new run; one that is under way is replaced. What has not changed is not embedded again.',
    scopes: ['manage', 'ingest'],
    answers: { 200: json('The datasource, pending.', one(DatasourceResponse)) },
    problems: ['nothing_to_sync'],
  },
  {
    id: 'deleteDatasource',
    method: 'delete',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Remove a datasource',
    description: 'With its files and everything that can be searched of it.',
    scopes: ['manage', 'ingest'],
    answers: { 204: REMOVED },
  },
];
