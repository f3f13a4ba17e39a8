import type { AgentQueryResponse } from '@quarry/contracts';
import type { Gateway } from '../../../gateway.js';
import type { LeasedWork } from '../../../http/call.js';
import { buildOkReply, buildStreamReply, type Reply, type ServerSentEvents } from '../../../http/reply.js';
import {
  type AnswerFrames,
  collectAndStoreOpenAiAnswer,
  type EndedAnswer,
  sendStoredOpenAiAnswer,
  streamAndStoreOpenAiAnswer,
} from './send-events.js';
import { type WithFiles, addSourceFiles } from './source-files.js';
import { type ClientQuestion, type QuestionCall, startAnswer } from './start-answer.js';

/** The request in which a client asks a question, with access to the headers of its response. */
interface AnsweredCall extends QuestionCall {
  readonly client: QuestionCall['client'] & { setHeader(name: string, value: string): void };
  /** The public address of the API, for the addresses of sources. */
  readonly apiUrl: string;
  readonly isStreamed: boolean;
}

/** The form in which an operation returns an answer. */
export interface AnswerForm<Body extends object> {
  /** Builds the body of a response that is not streamed. */
  buildBody(answer: WithFiles<EndedAnswer>): Body;
  /** Creates the formatter of the events of a streamed response. */
  createFrames(ids: Pick<AgentQueryResponse, 'conversationId' | 'messageId'>): AnswerFrames;
}

/**
 * Returns the work that answers a question with one response or with a stream. A repeated request receives the stored
 * answer in the form that the repeated request selects. The header `Quarry-Conversation-Id` contains the id of the
 * conversation if the conversation is stored.
 */
export function replyToQuestion<Body extends object>(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService' | 'storedConnections'>,
  question: ClientQuestion,
  call: AnsweredCall,
  form: AnswerForm<Body>,
): LeasedWork<EndedAnswer, Reply<200, Body | ServerSentEvents>> {
  const { caller, client, apiUrl, isStreamed, signal, log } = call;
  const setConversationHeader = (id: string): void => {
    if (question.isStored) client.setHeader('Quarry-Conversation-Id', id);
  };
  return {
    run: async (storeForReplay) => {
      const started = await startAnswer(gateway, question, call);
      setConversationHeader(started.turn.conversationId);
      const answer = { ...started, apiUrl, signal, storeForReplay, log };
      if (!isStreamed) return buildOkReply(form.buildBody(await collectAndStoreOpenAiAnswer(gateway, answer)));
      const frames = form.createFrames(started.turn);
      return buildStreamReply(async (stream) => streamAndStoreOpenAiAnswer(gateway, stream, answer, frames));
    },
    replay: async (stored) => {
      setConversationHeader(stored.conversationId);
      const answer = await addSourceFiles(gateway.db, caller.organizationId, stored);
      if (!isStreamed) return buildOkReply(form.buildBody(answer));
      const frames = form.createFrames(stored);
      return buildStreamReply(async (stream) => sendStoredOpenAiAnswer(stream, answer, frames));
    },
  };
}
