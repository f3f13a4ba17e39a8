import { describe, expect, it } from 'vitest';
import { setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse } = setUpResponseTests();

describe('the parameters of POST /v1/responses', () => {
  it.each([
    [{ input: ' ' }, 'input', 'invalid_value'],
    [{ input: [] }, 'input', 'invalid_value'],
    [{ input: [{ role: 'user', content: ' ' }] }, 'input[0].content', 'invalid_value'],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: '' }] }, 'input[0].type', 'invalid_value'],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, 'input[0].id', 'invalid_value'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type', 'invalid_value'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }, 'tools[0].vector_store_ids[0]', 'invalid_value'],
    [{ tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
    [{ include: ['message.output_text.logprobs'] }, 'include[0]', 'invalid_value'],
    [{ stream_options: { include_obfuscation: true } }, 'stream_options', 'invalid_value'],
    [{ conversation: 'conv_x', previous_response_id: 'resp_x' }, 'conversation', 'invalid_value'],
    [{ previous_response_id: 'x' }, 'previous_response_id', 'invalid_value'],
    [{ metadata: { a: 1 } }, 'metadata.a', 'invalid_value'],
    [{ background: true }, 'background', 'unsupported_parameter'],
    [{ reasoning: { effort: 'high' } }, 'reasoning', 'unsupported_parameter'],
    [{ text: { format: { type: 'json_object' } } }, 'text', 'unsupported_parameter'],
    [{ made_up: 1 }, 'made_up', 'unknown_parameter'],
  ])('POST /v1/responses refuses %j, and names the parameter %s', async (body, param, code) => {
    const asked = used.test.query.questions.length;
    const response = await postResponse(body);
    const refused: unknown = response.body;
    expect([response.status, refused]).toMatchObject([400, { error: { type: 'invalid_request_error', param, code } }]);
    expect(used.test.query.questions).toHaveLength(asked);
  });
});
