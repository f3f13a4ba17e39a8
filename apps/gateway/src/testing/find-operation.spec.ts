import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './start-test-gateway.js';
import { expectAnyDocumentedResponse, findOperation } from './find-operation.js';

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());

it('findOperation finds the operation for a method and a path, and prefers a path without parameters', () => {
  const ids = [
    ['POST', '/api/datastores/upsert/x'],
    ['POST', '/api/datastores/x/query'],
    ['get', '/api/agents'],
    ['GET', '/openapi.json'],
    ['GET', '/agents'],
    ['POST', '/api/agents/x'],
  ].map(([method = '', path = '']) => findOperation(method, path)?.id);
  expect(ids).toEqual(['upsertDocuments', 'queryDatastore', 'listAgents', 'getOpenApi', undefined, undefined]);
});

it('expectAnyDocumentedResponse throws if a response has a field that the OpenAPI document does not contain', async () => {
  const { api } = await test.createTenant();
  const answer = await api.get('/api/datastores');
  answer.body = { items: [], next_cursor: null, more: 1 };
  expect(() => {
    expectAnyDocumentedResponse(answer);
  }).toThrow(/additional properties/);
});

it('the promise of a request to a test gateway rejects if the response contradicts the OpenAPI document', async () => {
  const { api } = await test.createTenant();
  const asked = api.get('/api/datastores').parse((response, done) => {
    Object.assign(response, { text: '{}' });
    done(null, { nothing: 'of the kind' });
  });
  await expect(asked).rejects.toThrow(/must have required property 'items'/);
});
