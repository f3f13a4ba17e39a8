import { AgentResponse, CreateAgentRequest, PageQuery, UpdateAgentRequest } from '@quarry/contracts';
import { json, made, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

export const AGENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createAgent',
    method: 'post',
    path: '/agents',
    tag: 'Agents',
    summary: 'Make an agent',
    scopes: ['manage'],
    body: { json: { shapes: [CreateAgentRequest], unknownFields: 'refuse' } },
    once: true,
    answers: { 201: made('The agent.', AgentResponse) },
    problems: ['key_limited', 'not_found'],
  },
  {
    id: 'listAgents',
    method: 'get',
    path: '/agents',
    tag: 'Agents',
    summary: 'List agents',
    description: 'Newest first.',
    scopes: ['manage', 'query'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(AgentResponse)) },
  },
  {
    id: 'getAgent',
    method: 'get',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Show an agent',
    scopes: ['manage', 'query'],
    answers: { 200: json('The agent.', one(AgentResponse)) },
  },
  {
    id: 'updateAgent',
    method: 'patch',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Change an agent',
    description: 'What is absent stays as it is, what is null goes back to its default.',
    scopes: ['manage'],
    body: { json: { shapes: [UpdateAgentRequest], unknownFields: 'refuse' } },
    answers: { 200: json('The agent as it is now.', one(AgentResponse)) },
  },
  {
    id: 'deleteAgent',
    method: 'delete',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Remove an agent',
    scopes: ['manage'],
    answers: { 204: REMOVED },
  },
];
