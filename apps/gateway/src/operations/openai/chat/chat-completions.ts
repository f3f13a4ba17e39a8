import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { createObjectSchema, describeJsonOrEventStream } from '../../../http/responses.js';
import { ChatCompletion, ChatCompletionRequest, INERT_CHAT_PARAMETERS } from './chat-completion-shapes.js';
import { createChatFrames, buildChatCompletion } from './chat-completion-view.js';
import { requireStreamForOptions } from '../answers/answer-parameters.js';
import { buildGenerationSettings } from '../answers/generation.js';
import { buildPrompt, type ClientPrompt, readMessage } from '../answers/messages.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { resolveModel } from '../answers/resolve-model.js';
import { type AnswerForm, replyToQuestion } from '../answers/reply-to-question.js';

/** Lists the operation on chat completions. */
export const CHAT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createChatCompletion',
    method: 'post',
    path: '/chat/completions',
    tag: 'OpenAI-compatible',
    summary: 'Ask an agent or a configured model',
    description:
      'The client sends the whole conversation with each request. With `store: true`, the question and the answer of an agent are stored in a conversation of their own.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    body: describeOpenAiBody(ChatCompletionRequest, { inert: INERT_CHAT_PARAMETERS, check: requireStreamForOptions }),
    idempotency: 'lease',
    responses: {
      200: describeJsonOrEventStream('The answer.', createObjectSchema(ChatCompletion), {
        'Quarry-Conversation-Id': 'The conversation that stores the answer.',
      }),
    },
    handle: async ({ gateway, caller, body, runOnce, client, apiUrl, signal, log }) => {
      const prompt = readChatPrompt(body, gateway.limits.queryCharacters);
      const target = await resolveModel(gateway, caller, body.model, signal);
      const isStored = target.kind === 'agent' && body.store === true;
      const view = { model: body.model, apiUrl, isStored, metadata: body.metadata ?? {} };
      const hasUsage = body.stream_options?.include_usage === true;
      const visitorId = body.safety_identifier ?? body.user;
      const question = { target, prompt, generation: buildGenerationSettings(body), visitorId, isStored };
      const call = { caller, client, apiUrl, isStreamed: body.stream === true, signal, log };
      const form: AnswerForm<ChatCompletion> = {
        buildBody: (answer) => buildChatCompletion(view, answer),
        createFrames: ({ messageId }) => createChatFrames(view, messageId, hasUsage),
      };
      return runOnce(replyToQuestion(gateway, question, call, form));
    },
  }),
];

function readChatPrompt({ messages }: ChatCompletionRequest, maxCharacters: number): ClientPrompt {
  const read = messages.map((message, at) => readMessage(`messages.${at}`, message));
  const questionPath = `messages.${read.length - 1}.content`;
  return buildPrompt(read, { path: 'messages', questionPath, maxCharacters });
}
