import { Describe, IsIn, IsInt } from '@quarry/validation';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { countInputTokens } from '../answers/count-input-tokens.js';
import { openAiProblem } from '../protocol/error-body.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { resolveResponseRequest } from './resolve-response-request.js';
import { INERT_RESPONSE_PARAMETERS, requireConsistentParameters, ResponseRequest } from './response-request.js';

/** Describes the response of `POST /v1/responses/input_tokens`. Source: `TokenCountsResource` of openai/openai-openapi. */
class InputTokens {
  @IsIn(['response.input_tokens'])
  readonly object: 'response.input_tokens';

  @Describe('Tokens of the encoding cl100k_base. The tokenizer of the model can count fewer or more.')
  @IsInt()
  readonly input_tokens: number;
}

/** Lists the operations that count or compact the input of a response, and do not create the response. */
export const INPUT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'countInputTokens',
    method: 'post',
    path: '/responses/input_tokens',
    tag: 'OpenAI-compatible',
    summary: 'Estimate the input tokens of a response',
    description:
      'Accepts the same body as `createResponse`, but does not call the model and stores nothing. The count includes the system prompt and the passages of the search. A search counts as a datastore query.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    isReadOnly: true,
    body: describeOpenAiBody(ResponseRequest, {
      inert: { ...INERT_RESPONSE_PARAMETERS, personality: [] },
      check: requireConsistentParameters,
    }),
    responses: { 200: describeJsonResponse('The estimate.', createObjectSchema(InputTokens)) },
    problems: ['usage_limit_reached', 'model_not_configured', 'overloaded', 'datastore_expired'],
    handle: async ({ gateway, caller, body, client, apiUrl, signal, log }) => {
      const { question } = await resolveResponseRequest(gateway, body, { caller, apiUrl, signal });
      const tokens = await countInputTokens(gateway, question, { caller, client, signal, log });
      return buildOkReply({ object: 'response.input_tokens' as const, input_tokens: tokens });
    },
  }),

  defineOperation({
    id: 'compactResponse',
    method: 'post',
    path: '/responses/compact',
    tag: 'OpenAI-compatible',
    summary: 'Compact a conversation',
    description: 'Always refused with 404, because agents shorten long conversations themselves.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    responses: {},
    handle: () => {
      const detail = 'POST /v1/responses/compact is not supported. Agents shorten long conversations themselves';
      throw openAiProblem('unsupported_operation', `${detail}: continue with previous_response_id.`);
    },
  }),
];
