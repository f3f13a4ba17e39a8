import type { CreateEvaluationRequest } from '@quarry/client';
import { isNumberText, parseNumberText } from '../../components/number-text.js';
import type { Target } from './use-evaluations.js';

/** The value of `EvaluationDraft.source` for new questions, which the user types, pastes or reads from a file. */
export const NEW_QUESTIONS = '';
/** The value of `EvaluationDraft.source` for earlier questions whose answers have positive feedback. */
export const FEEDBACK = 'feedback';

/** The values of the form that creates an evaluation. */
export interface EvaluationDraft {
  readonly name: string;
  /** Id of the datastore or agent to evaluate. Empty until the user chooses one; the form then uses a default. */
  readonly targetId: string;
  /** The source of the questions: `NEW_QUESTIONS`, `FEEDBACK`, or the id of a stored dataset. */
  readonly source: string;
  /** The new questions, as JSON lines or CSV. */
  readonly text: string;
  /** For the source `FEEDBACK`: id of the agent whose answers are used. Empty: the answers of all agents. */
  readonly feedbackAgentId: string;
  readonly hasFollowUps: boolean;
  /** The number of results per question. Empty: the default of the API. */
  readonly topK: string;
}

/** Returns true if `buildEvaluationRequest` can build a request from the draft. */
export function isCompleteEvaluation(draft: EvaluationDraft, target: Pick<Target, 'kind'>): boolean {
  const hasQuestions = draft.source !== NEW_QUESTIONS || draft.text.trim() !== '';
  return hasQuestions && (target.kind === 'agent' || isNumberText(draft.topK, 'whole'));
}

/**
 * Builds the request that creates an evaluation from the values of the form. For an agent, omits `topK`, because the
 * API refuses it.
 *
 * @param defaultName the name of an evaluation of new questions if the user entered none
 * @throws RangeError if `topK` is not a number
 */
export function buildEvaluationRequest(
  draft: EvaluationDraft,
  target: Pick<Target, 'id' | 'kind'>,
  defaultName: string,
): CreateEvaluationRequest {
  const name = draft.name.trim() || (draft.source === NEW_QUESTIONS ? defaultName : '');
  const shared = { ...(name === '' ? {} : { name }), ...buildEvaluationDataset(draft, name) };
  if (target.kind === 'agent') return { ...shared, agentId: target.id };
  const topK = parseNumberText(draft.topK, 'whole');
  return { ...shared, datastoreId: target.id, ...(topK === null ? {} : { settings: { topK } }) };
}

function buildEvaluationDataset(
  { source, text, feedbackAgentId, hasFollowUps }: EvaluationDraft,
  name: string,
): Pick<CreateEvaluationRequest, 'dataset' | 'datasetId'> {
  const named = name === '' ? {} : { name };
  if (source === NEW_QUESTIONS) return { dataset: { ...named, [detectDatasetFormat(text)]: text } };
  if (source !== FEEDBACK) return { datasetId: source };
  const agent = feedbackAgentId === '' ? {} : { agentId: feedbackAgentId };
  return { dataset: { ...named, feedback: { ...agent, ...(hasFollowUps ? { followUps: true } : {}) } } };
}

/** Returns the format of a text with questions. JSON lines begin with a brace or a bracket, unlike a CSV header. */
function detectDatasetFormat(text: string): 'jsonl' | 'csv' {
  return /^\s*[[{]/.test(text) ? 'jsonl' : 'csv';
}
