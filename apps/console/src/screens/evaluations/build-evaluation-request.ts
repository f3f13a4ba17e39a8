import type { CreateEvaluationRequest } from '@quarry/client';
import type { Target } from './use-evaluations.js';

/** The value of `EvaluationDraft.source` for questions that are typed, pasted or read from a file. */
export const NEW_QUESTIONS = '';
/** The value of `EvaluationDraft.source` for earlier questions whose answers have positive feedback. */
export const FEEDBACK = 'feedback';

/** The values of the form of a new evaluation. */
export interface EvaluationDraft {
  readonly name: string;
  /** Id of the datastore or agent to evaluate. Empty: the form selects a default. */
  readonly targetId: string;
  /** `NEW_QUESTIONS`, `FEEDBACK`, or the id of a dataset. */
  readonly source: string;
  /** The new questions, as JSON lines or CSV. */
  readonly text: string;
  /** Id of the agent whose answers with positive feedback are used. Empty: all agents. */
  readonly feedbackAgentId: string;
  readonly hasFollowUps: boolean;
  readonly topK: string;
}

/**
 * Builds the request from the values of the form. For an agent, omits the number of results, because the API refuses
 * it.
 */
export function buildEvaluationRequest(
  draft: EvaluationDraft,
  target: Pick<Target, 'id' | 'kind'>,
): CreateEvaluationRequest {
  const name = draft.name.trim();
  const shared = { ...(name === '' ? {} : { name }), ...buildEvaluationDataset(draft, name) };
  if (target.kind === 'agent') return { ...shared, agentId: target.id };
  return { ...shared, datastoreId: target.id, settings: { topK: Number(draft.topK) } };
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

/** Returns the format of the questions. A JSON text begins with a brace or a bracket, unlike a CSV header. */
function detectDatasetFormat(text: string): 'jsonl' | 'csv' {
  return /^\s*[[{]/.test(text) ? 'jsonl' : 'csv';
}
