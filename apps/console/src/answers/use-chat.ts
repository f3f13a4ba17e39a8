import type { AnswerEvent, MessageFeedback, QuarryClient } from '@quarry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { useClient } from '../api/client-context.js';
import { createTurn, isTurnRunning, type Turn } from './chat-turn.js';
import { updateTurns, type TurnsAction } from './update-turns.js';

/** An answer that is being generated: the id of its conversation and the id of the message that will contain it. */
export interface RunningAnswer {
  readonly conversationId: string;
  readonly messageId: string;
}

export interface ChatOptions {
  /**
   * The id of the agent, or a function that returns it. The function is called for each question, and may create the
   * agent.
   */
  readonly agentId: string | (() => Promise<string>);
  /** The id of the conversation to continue. Undefined for a new conversation. */
  readonly conversationId: string | undefined;
  readonly turns: readonly Turn[];
  /**
   * The id of the message whose answer was being generated when the page was closed, to resume it. Undefined without
   * such an answer.
   */
  readonly runningMessageId: string | undefined;
  /**
   * Called with both ids when the answer to a new question starts. Called with the id of the conversation and
   * `undefined` when an answer is complete, has failed or was stopped. A failed question that started no conversation
   * causes no call. After the user left the screen, there are no calls, because callers write the ids to the address.
   */
  readonly onProgress?: (conversationId: string, messageId: string | undefined) => void;
}

export interface Chat {
  readonly turns: readonly Turn[];
  readonly isBusy: boolean;
  readonly ask: (question: string) => void;
  readonly stop: () => void;
  readonly setFeedback: (turn: Turn, feedback: MessageFeedback | null) => void;
}

/**
 * Returns the turns of a conversation with an agent, and functions that ask further questions. Resumes the stream of an
 * answer if the connection breaks.
 */
export function useChat(options: ChatOptions): Chat {
  const client = useClient();
  const queries = useQueryClient();
  const [turns, dispatch] = useReducer(updateTurns, options.turns);
  const conversation = useRef(options.conversationId);
  const abort = useRef<AbortController>(undefined);
  const isOpen = useRef(false);
  const count = useRef(0);
  const isBusy = turns.some(isTurnRunning);
  const followAnswer = ({ id, question }: Turn, open: (stream: OpenStream) => AsyncIterable<AnswerEvent>): void => {
    const controller = new AbortController();
    abort.current = controller;
    const onStart = (ids: RunningAnswer): void => {
      conversation.current = ids.conversationId;
      queries.setQueryData(getQuestionKey(ids.messageId), question);
      dispatch({ type: 'started', id, messageId: ids.messageId });
      options.onProgress?.(ids.conversationId, ids.messageId);
    };
    const onResume = (): void => dispatch({ type: 'resumed', id });
    const events = open({ signal: controller.signal, onStart, onResume });
    void dispatchAnswerEvents(id, events, { dispatch, signal: controller.signal }).then(() => {
      if (conversation.current !== undefined && isOpen.current) options.onProgress?.(conversation.current, undefined);
    });
  };
  const ask = (question: string): void => {
    count.current += 1;
    const turn = createTurn(`asked ${count.current}`, question);
    dispatch({ type: 'asked', turn });
    followAnswer(turn, (stream) =>
      askAgent(client, options.agentId, { question, conversationId: conversation.current }, stream),
    );
  };
  useResumeAnswerOnce(options, (ids) => {
    const question = queries.getQueryData<string>(getQuestionKey(ids.messageId));
    const turn = { ...createTurn(ids.messageId, question), messageId: ids.messageId };
    dispatch({ type: 'asked', turn });
    followAnswer(turn, ({ signal, onResume }) =>
      client.streamAnswer(ids.conversationId, ids.messageId, { signal, onResume }),
    );
  });
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      abort.current?.abort();
    };
  }, []);
  return {
    turns,
    isBusy,
    ask,
    stop: () => abort.current?.abort(),
    setFeedback: (turn, feedback) => dispatch({ type: 'rated', id: turn.id, feedback }),
  };
}

/**
 * Returns the key under which the question of a running answer is cached. The server stores a question only together
 * with its complete answer, so a screen to which the user returns reads the question from the cache.
 */
function getQuestionKey(messageId: string): readonly string[] {
  return ['running-question', messageId];
}

interface OpenStream {
  readonly signal: AbortSignal;
  readonly onStart: (ids: RunningAnswer) => void;
  readonly onResume: () => void;
}

async function* askAgent(
  client: QuarryClient,
  agent: ChatOptions['agentId'],
  { question, conversationId }: { readonly question: string; readonly conversationId: string | undefined },
  stream: OpenStream,
): AsyncGenerator<AnswerEvent> {
  const agentId = typeof agent === 'string' ? agent : await agent();
  const request = { query: question, resumable: true, ...(conversationId === undefined ? {} : { conversationId }) };
  yield* client.streamAgent(agentId, request, stream);
}

async function dispatchAnswerEvents(
  id: string,
  events: AsyncIterable<AnswerEvent>,
  { dispatch, signal }: { readonly dispatch: (action: TurnsAction) => void; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const event of events) {
      if (event.type === 'answer') dispatch({ type: 'text', id, text: event.text });
      else dispatch({ type: 'completed', id, response: event.response });
    }
  } catch (error) {
    dispatch(signal.aborted ? { type: 'stopped', id } : { type: 'failed', id, error });
  }
}

/** Resumes the answer that was being generated when the page was closed. Later renders do not resume it again. */
function useResumeAnswerOnce(
  { conversationId, runningMessageId }: ChatOptions,
  resume: (ids: { readonly conversationId: string; readonly messageId: string }) => void,
): void {
  const hasResumed = useRef(false);
  useEffect(() => {
    if (hasResumed.current || conversationId === undefined || runningMessageId === undefined) return;
    hasResumed.current = true;
    resume({ conversationId, messageId: runningMessageId });
  });
}
