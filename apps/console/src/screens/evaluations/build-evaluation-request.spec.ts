import { describe, expect, it } from 'vitest';
import {
  buildEvaluationRequest,
  FEEDBACK,
  isCompleteEvaluation,
  type EvaluationDraft,
} from './build-evaluation-request.js';

const DATASTORE = { kind: 'datastore', id: 'd1' } as const;
const AGENT = { kind: 'agent', id: 'a1' } as const;
const DRAFT: EvaluationDraft = {
  ...{ name: '', targetId: '', source: '', text: '{"question":"When?"}', topK: '10' },
  ...{ feedbackAgentId: '', hasFollowUps: false },
};

describe('the request of a new evaluation', () => {
  it('the request to evaluate a datastore contains the number of results per question', () => {
    expect(buildEvaluationRequest(DRAFT, DATASTORE, 'Auswertung')).toEqual({
      name: 'Auswertung',
      datastoreId: 'd1',
      dataset: { name: 'Auswertung', jsonl: DRAFT.text },
      settings: { topK: 10 },
    });
  });

  it('the evaluation request omits the number of results if its field is empty, so that the API uses its default', () => {
    expect(buildEvaluationRequest({ ...DRAFT, topK: ' ' }, DATASTORE, 'Auswertung')).not.toHaveProperty('settings');
  });

  it('isCompleteEvaluation returns false for a mistyped number of results if the target is a datastore, but not if it is an agent', () => {
    const mistyped = { ...DRAFT, topK: '1O' };
    expect(isCompleteEvaluation(DRAFT, DATASTORE)).toBe(true);
    expect(isCompleteEvaluation(mistyped, DATASTORE)).toBe(false);
    expect(isCompleteEvaluation(mistyped, AGENT)).toBe(true);
    expect(() => buildEvaluationRequest(mistyped, DATASTORE, 'Auswertung')).toThrow(RangeError);
  });

  it('the request to evaluate an agent omits the number of results, because the API refuses it', () => {
    expect(buildEvaluationRequest(DRAFT, AGENT, 'Auswertung')).toEqual({
      ...{ agentId: 'a1', name: 'Auswertung', dataset: { name: 'Auswertung', jsonl: DRAFT.text } },
    });
  });

  it.each([
    ['jsonl', '\n {"question":"When?"}'],
    // The API refuses a JSON array in both formats, but its error message is clearer for JSON lines than for CSV.
    ['jsonl', '[{"question":"When?"}]'],
    ['csv', 'question,document\nWhen?,hours.txt'],
    ['csv', '"question","document"\nWhen?,hours.txt'],
  ])('buildEvaluationRequest puts the typed questions into the field `%s`: %j', (format, text) => {
    expect(buildEvaluationRequest({ ...DRAFT, text }, AGENT, 'Auswertung').dataset).toMatchObject({ [format]: text });
  });

  it('the request of new questions without a typed name uses the default name, and of a stored dataset no name', () => {
    expect(buildEvaluationRequest(DRAFT, AGENT, 'Auswertung')).toMatchObject({ name: 'Auswertung' });
    expect(buildEvaluationRequest({ ...DRAFT, source: 's1' }, AGENT, 'Auswertung')).not.toHaveProperty('name');
  });

  it('the request uses the typed name for both the evaluation and its new dataset', () => {
    expect(buildEvaluationRequest({ ...DRAFT, name: ' Hours ' }, AGENT, 'Auswertung')).toMatchObject({
      name: 'Hours',
      dataset: { name: 'Hours' },
    });
  });

  it('the request with a stored dataset contains the id of the dataset, and no name for the dataset', () => {
    expect(buildEvaluationRequest({ ...DRAFT, name: 'Again', source: 's1' }, AGENT, 'Auswertung')).toEqual({
      ...{ agentId: 'a1', name: 'Again', datasetId: 's1' },
    });
  });

  it('the request to evaluate questions with positive feedback contains the agent and the option for follow-up questions if they are set', () => {
    const feedback = { ...DRAFT, source: FEEDBACK };
    expect(buildEvaluationRequest(feedback, AGENT, 'Auswertung').dataset).toEqual({ feedback: {} });
    expect(
      buildEvaluationRequest({ ...feedback, feedbackAgentId: 'a2', hasFollowUps: true }, AGENT, 'Auswertung').dataset,
    ).toEqual({
      feedback: { agentId: 'a2', followUps: true },
    });
  });
});
