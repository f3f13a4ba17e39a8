import type { EvaluationDatasetResponse, EvaluationResponse, Page } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from '../testing/expect-documented.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

const listDatasets = async (): Promise<readonly EvaluationDatasetResponse[]> => {
  const response = await used.tenant.api.get('/api/evaluation-datasets');
  expectDocumented(response, 'get', '/evaluation-datasets');
  return (response.body as Page<EvaluationDatasetResponse>).items;
};
const startEvaluation = async (body: object): Promise<EvaluationResponse> => {
  const response = await used.tenant.api.post('/api/evaluations').send({ datastoreId: used.datastore, ...body });
  return response.body as EvaluationResponse;
};

describe('GET /api/evaluation-datasets', () => {
  it('GET /api/evaluation-datasets lists the datasets, newest first, with their number of evaluations and the id of their newest evaluation', async () => {
    const first = await startEvaluation({ dataset: { questions: [{ question: 'a' }] } });
    const second = await startEvaluation({
      dataset: { name: 'Hours', questions: [{ question: 'a' }, { question: 'b' }] },
    });
    const again = await startEvaluation({ datasetId: first.datasetId });
    expect(await listDatasets()).toMatchObject([
      { id: second.datasetId, name: 'Hours', questions: 2, evaluations: 1, newestEvaluationId: second.id },
      { id: first.datasetId, name: 'Evaluation', questions: 1, evaluations: 2, newestEvaluationId: again.id },
    ]);
  });

  it('GET /api/evaluation-datasets does not list a dataset after its last evaluation was deleted', async () => {
    const { id } = await startEvaluation({ dataset: { questions: [{ question: 'a' }] } });
    await used.tenant.api.delete(`/api/evaluations/${id}`);
    expect(await listDatasets()).toEqual([]);
  });
});
