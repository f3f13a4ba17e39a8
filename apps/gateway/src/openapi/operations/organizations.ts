import {
  CreatedOrganizationResponse,
  CreateOrganizationRequest,
  OrganizationResponse,
  PageQuery,
  UpdateOrganizationRequest,
  UsageResponse,
} from '@quarry/contracts';
import { json, made, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

/** Tenants, as the operator of an installation makes them. */
export const ORGANIZATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'createOrganization',
    method: 'post',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Make an organization',
    description: 'With a first API key, which is shown this once.',
    scopes: ['operate'],
    body: { json: { shapes: [CreateOrganizationRequest], unknownFields: 'refuse' } },
    once: true,
    answers: { 201: made('The organization and its first key.', CreatedOrganizationResponse) },
  },
  {
    id: 'listOrganizations',
    method: 'get',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'List organizations',
    description: 'Newest first.',
    scopes: ['operate'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(OrganizationResponse)) },
  },
  {
    id: 'getOrganization',
    method: 'get',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Show an organization',
    scopes: ['operate'],
    answers: { 200: json('The organization.', one(OrganizationResponse)) },
  },
  {
    id: 'getOrganizationUsage',
    method: 'get',
    path: '/organizations/{id}/usage',
    tag: 'Organizations',
    summary: 'Show what an organization has used',
    description: 'As `GET /usage` shows it to the organization itself.',
    scopes: ['operate'],
    answers: { 200: json('As it is now.', one(UsageResponse)) },
  },
  {
    id: 'updateOrganization',
    method: 'patch',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Change an organization',
    description:
      'What is absent stays as it is; a limit that is null is taken away. What waits for room among the stored tokens is synced when there may be more.',
    scopes: ['operate'],
    body: { json: { shapes: [UpdateOrganizationRequest], unknownFields: 'refuse' } },
    answers: { 200: json('The organization as it is now.', one(OrganizationResponse)) },
  },
  {
    id: 'deleteOrganization',
    method: 'delete',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Remove an organization',
    description: 'With everything it has. Its keys stop working at once. The default organization cannot be removed.',
    scopes: ['operate'],
    answers: { 204: REMOVED },
    problems: ['default_organization'],
  },
];
