import { describe, expect, it } from 'vitest';
import { buildEvaluationRequest, FEEDBACK, type EvaluationDraft } from './build-evaluation-request.js';

const DATASTORE = { kind: 'datastore', id: 'd1' } as const;
const AGENT = { kind: 'agent', id: 'a1' } as const;
const DRAFT: EvaluationDraft = {
  ...{ name: '', targetId: '', source: '', text: '{"question":"When?"}', topK: '10' },
  ...{ feedbackAgentId: '', hasFollowUps: false },
};

describe('the request of a new evaluation', () => {
  it('the request for a datastore contains the number of results', () => {
    expect(buildEvaluationRequest(DRAFT, DATASTORE)).toEqual({
      datastoreId: 'd1',
      dataset: { jsonl: DRAFT.text },
      settings: { topK: 10 },
    });
  });

  it('the request for an agent contains no settings, because the API refuses the number of results', () => {
    expect(buildEvaluationRequest(DRAFT, AGENT)).toEqual({ agentId: 'a1', dataset: { jsonl: DRAFT.text } });
  });

  it.each([
    ['jsonl', '\n {"question":"When?"}'],
    // The API refuses an array as a JSON line, with a clearer message than as a CSV header.
    ['jsonl', '[{"question":"When?"}]'],
    ['csv', 'question,document\nWhen?,hours.txt'],
    ['csv', '"question","document"\nWhen?,hours.txt'],
  ])('the request contains questions as %s: %j', (format, text) => {
    expect(buildEvaluationRequest({ ...DRAFT, text }, AGENT).dataset).toEqual({ [format]: text });
  });

  it('the request contains the names of the evaluation and of its new dataset', () => {
    expect(buildEvaluationRequest({ ...DRAFT, name: ' Hours ' }, AGENT)).toMatchObject({
      name: 'Hours',
      dataset: { name: 'Hours' },
    });
  });

  it('the request for a stored dataset contains no name of the dataset', () => {
    expect(buildEvaluationRequest({ ...DRAFT, name: 'Again', source: 's1' }, AGENT)).toEqual({
      ...{ agentId: 'a1', name: 'Again', datasetId: 's1' },
    });
  });

  it('the request for rated answers selects the answers with positive feedback', () => {
    const feedback = { ...DRAFT, source: FEEDBACK };
    expect(buildEvaluationRequest(feedback, AGENT).dataset).toEqual({ feedback: {} });
    expect(buildEvaluationRequest({ ...feedback, feedbackAgentId: 'a2', hasFollowUps: true }, AGENT).dataset).toEqual({
      feedback: { agentId: 'a2', followUps: true },
    });
  });
});
