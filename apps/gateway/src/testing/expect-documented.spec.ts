import { expect, it } from 'vitest';
import { expectDocumented, type ReceivedResponse } from './expect-documented.js';

const LIST = { items: [], next_cursor: null };

function responseOf(status: number, body: object, type = 'application/json'): ReceivedResponse {
  return { status, body, text: JSON.stringify(body), headers: { 'content-type': type } };
}

it.each([
  ['a status', responseOf(501, LIST), /^documented statuses are .*; get \/agents responded with 501/],
  [
    'a media type',
    responseOf(200, LIST, 'text/plain'),
    /^documented media types are application\/json, found text\/plain/,
  ],
  ['a field', responseOf(200, { ...LIST, secret: 1 }), /must NOT have additional properties/],
])('fails for %s that the document lacks', (_what, response, message) => {
  expect(() => {
    expectDocumented(response, 'get', '/agents');
  }).toThrow(message);
});

it('accepts a response that the document describes', () => {
  expect(() => {
    expectDocumented(responseOf(200, LIST), 'get', '/agents');
  }).not.toThrow();
});
