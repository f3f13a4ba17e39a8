import type { CreateEvaluationRequest } from '@quarry/client';
import type { Target } from './use-evaluations.js';

/** The `source` of questions that are typed, pasted or read from a file. */
export const NEW_QUESTIONS = '';
/** The `source` of questions whose answers have positive feedback. */
export const FEEDBACK = 'feedback';

/** The values of the form of a new evaluation. */
export interface EvaluationDraft {
  readonly name: string;
  /** Id of a datastore or an agent. Empty: the first one is selected. */
  readonly targetId: string;
  /** `NEW_QUESTIONS`, `FEEDBACK`, or the id of a dataset. */
  readonly source: string;
  /** Questions as JSON lines or CSV. */
  readonly text: string;
  /** Id of the agent whose answers are selected by feedback. Empty: all agents. */
  readonly feedbackAgentId: string;
  readonly hasFollowUps: boolean;
  readonly topK: string;
}

/** Builds the request of a draft. Omits the number of results for an agent, because the API refuses it there. */
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

/** Returns the format of typed questions. JSON begins with a brace or a bracket, unlike the header of a CSV file. */
function detectDatasetFormat(text: string): 'jsonl' | 'csv' {
  return /^\s*[[{]/.test(text) ? 'jsonl' : 'csv';
}
