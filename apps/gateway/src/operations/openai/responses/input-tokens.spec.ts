import { describe, expect, it } from 'vitest';
import { setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, createResponse, getLastQuestion } = setUpResponseTests();

const PROMPT = { answeredBy: 'model', model: 'gpt-4o', system: null, messages: [], sources: 0, notes: [] } as const;
const buildTool = () => ({ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`], max_num_results: 3 });

/** Requests the number of input tokens of a response. */
function countTokens(body: object) {
  return used.tenant.api
    .post('/v1/responses/input_tokens')
    .send({ model: `agent:${used.agent}`, input: 'Why?', ...body });
}

/** Returns the number of datastore queries of the organization in the current month. */
async function countDatastoreQueries(): Promise<number> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { queries: { datastoreQueries: number } } }; // as documented
  return body.queries.datastoreQueries;
}

describe('POST /v1/responses/input_tokens', () => {
  it('POST /v1/responses/input_tokens counts the prompt of a question without calling the model or storing the question', async () => {
    const { id } = await createResponse({ input: 'One?' });
    const bodies: readonly Readonly<Record<string, unknown>>[] = [
      {},
      { previous_response_id: id, instructions: 'Be kind.', temperature: 0.3 },
      {
        tools: [buildTool()],
        input: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Two?' },
        ],
      },
      { model: 'gpt_4o' },
      { model: 'gpt_4o', tools: [buildTool()] },
    ];
    used.test.query.prompt = { ...PROMPT, promptTokens: 77 };
    for (const body of bodies) {
      const asked = used.test.query.questions.length;
      expect(await countTokens(body)).toMatchObject({
        status: 200,
        body: { object: 'response.input_tokens', input_tokens: 77 },
      });
      expect(used.test.query.questions).toHaveLength(asked);
      await createResponse({ ...body, store: false });
      expect(used.test.query.previews.at(-1)).toEqual(getLastQuestion());
    }
  });

  it('POST /v1/responses/input_tokens counts as a datastore query only if it searches datastores', async () => {
    await countTokens({ model: 'gpt_4o' });
    expect(await countDatastoreQueries()).toBe(0);
    await countTokens({});
    await countTokens({ model: 'gpt_4o', tools: [buildTool()] });
    expect(await countDatastoreQueries()).toBe(2);
  });

  it('POST /v1/responses/input_tokens refuses unsupported parameters and a missing question, and names the parameter', async () => {
    const refusals = { personality: 'unsupported_parameter', made_up: 'unknown_parameter', input: 'invalid_value' };
    for (const [name, code] of Object.entries(refusals))
      expect(await countTokens({ [name]: name === 'input' ? null : 'friendly' })).toMatchObject({
        status: 400,
        body: { error: { param: name, code, message: expect.stringContaining(name) as string } },
      });
  });

  it('POST /v1/responses/compact returns 404 with the code `unsupported_operation`', async () => {
    const refused = await used.tenant.api.post('/v1/responses/compact').send({ model: `agent:${used.agent}` });
    expect([refused.status, refused.body]).toMatchObject([
      404,
      {
        error: {
          message: expect.stringContaining('/v1/responses/compact') as string,
          type: 'invalid_request_error',
          param: null,
          code: 'unsupported_operation',
        },
      },
    ]);
    expect((await used.tenant.api.get('/v1/responses/compact')).status).toBe(404);
  });
});
