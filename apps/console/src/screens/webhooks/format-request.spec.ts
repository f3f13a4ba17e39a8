import { expect, it } from 'vitest';
import { indentJsonBody, formatHeaders } from './format-request.js';

it('formatHeaders writes one header per line', () => {
  expect(formatHeaders({ 'content-type': 'application/json', 'webhook-id': 'e1' })).toBe(
    'content-type: application/json\nwebhook-id: e1',
  );
});

it('indentJsonBody indents a JSON body by two spaces', () => {
  expect(indentJsonBody('{"id":1}')).toBe('{\n  "id": 1\n}');
});

it('indentJsonBody returns a body unchanged if it is truncated or not JSON', () => {
  expect(indentJsonBody('{"id":')).toBe('{"id":');
  expect(indentJsonBody('<h1>Bad Gateway</h1>')).toBe('<h1>Bad Gateway</h1>');
});
