import type { AgentQueryResponse } from '@quarry/contracts';
import { Problem } from '@quarry/service-kit';
import {
  Describe,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsOptional,
  IsString,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { findAgentAndRecordUse } from '../../agents/agent-with-datastores.js';
import { askAgent, type Question } from '../../answering/ask-agent.js';
import { finishAnswer, readAnswerEvents } from '../../answering/send-answer.js';
import { requireValidQuestionText } from '../../checks/require-valid-question-text.js';
import { requireToolAgentId } from '../tool-datastores.js';
import { BudgetedInput, createTokenBudget } from '../token-budget.js';
import { defineTool, type Tool, type ToolCall } from '../tool.js';

class AskInput extends BudgetedInput {
  @IsString()
  @IsNotEmpty()
  readonly question: string;

  @Describe('An id from list_datastores. Omit it if the server has one agent.')
  @IsOptional()
  @IsString()
  readonly agentId?: string | null;

  @IsOptional()
  @IsString()
  readonly conversationId?: string | null;
}

class AskSource {
  @IsString()
  readonly id: string;

  @IsString()
  readonly title: string;

  @IsString()
  readonly url: string;

  @IsString()
  readonly text: string;
}

class AskOutput {
  @IsString()
  readonly answer: string;

  @IsString()
  readonly conversationId: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AskSource)
  readonly sources: readonly AskSource[];

  @IsBoolean()
  readonly truncated: boolean;
}

/** Asks an agent, as the operation `queryAgent` does. One call counts as one agent query. */
export const ASK_TOOL: Tool = defineTool({
  name: 'ask',
  description: 'Answers a question from the datastores of an agent, with sources. Continue with conversationId.',
  operations: ['queryAgent'],
  input: AskInput,
  output: AskOutput,
  isReadOnly: true,
  run: async (call, input) => {
    const { question: query, agentId, conversationId, maxTokens } = input;
    const { gateway } = call;
    requireValidQuestionText(query, gateway.limits.queryCharacters);
    const agentKey = { organizationId: call.caller.organizationId, id: requireToolAgentId(call, agentId ?? undefined) };
    const agent = findAgentAndRecordUse(gateway.db, agentKey.organizationId, agentKey.id);
    agent.catch(() => undefined);
    const request = { query, ...(conversationId ? { conversationId } : {}) };
    let answered: AgentQueryResponse | undefined;
    // A gateway that stops waits for this answer, and aborts it after a part of the shutdown deadline.
    await gateway.answers.run(async (controller) => {
      const signal = AbortSignal.any([controller.signal, call.signal]);
      answered = await answerQuestion({ ...call, signal }, { agentKey, agent, request });
    });
    if (answered === undefined) throw new Error('expected the answer of the agent, found none');
    return shortenAnswer(answered, maxTokens);
  },
});

type AgentQuestion = Pick<Question, 'agentKey' | 'agent' | 'request'>;

/**
 * Asks the agent, reports the text of the answer as progress while it arrives, and stores the answer.
 *
 * @throws Problem if the answer failed
 */
async function answerQuestion(call: ToolCall, question: AgentQuestion): Promise<AgentQueryResponse> {
  const { gateway, apiUrl, signal, log, wantsProgress } = call;
  const client = { hasDisconnected: () => signal.aborted };
  const { turn, events } = await askAgent(gateway, { ...question, client, signal, log });
  const progress = createProgressReporter(call);
  const outcome = await readAnswerEvents(events, signal, progress);
  const finished = await finishAnswer(gateway, { turn, apiUrl }, outcome, wantsProgress);
  if (finished instanceof Problem) throw finished;
  return finished;
}

/** Minimum number of characters in each progress notification after the first notification. */
const MIN_PROGRESS_CHARACTERS = 80;

/**
 * Creates a function that collects the text of an answer and reports it in larger pieces. The reported progress is the
 * number of characters so far.
 */
function createProgressReporter({ reportProgress }: ToolCall): (text: string) => Promise<void> {
  let [reported, pending] = [0, ''];
  return async (text) => {
    pending += text;
    if (pending === '' || (reported > 0 && pending.length < MIN_PROGRESS_CHARACTERS)) return;
    const message = pending;
    [reported, pending] = [reported + message.length, ''];
    await reportProgress(reported, message);
  };
}

/** Shortens an answer and its sources to `maxTokens` tokens in total. Shortens the sources before the answer. */
function shortenAnswer(response: AgentQueryResponse, maxTokens: number | null | undefined): AskOutput {
  const budget = createTokenBudget(maxTokens);
  const answer = budget.fitText(response.answer);
  const sources = response.sources.map((source) => ({
    id: source.datasource_id,
    title: source.datasource_name,
    url: source.source,
    text: source.text,
  }));
  const fitted = budget.fitItems(sources);
  const truncated = answer.length < response.answer.length || fitted.truncated;
  return { answer, conversationId: response.conversationId, sources: fitted.items, truncated };
}
