import { expect, it } from 'vitest';
import { expectDocumented, type ReceivedResponse } from './expect-documented.js';

const LIST = { items: [], next_cursor: null };

function buildResponse(status: number, body: object, type = 'application/json'): ReceivedResponse {
  return { status, body, text: JSON.stringify(body), headers: { 'content-type': type } };
}

it.each([
  ['a status', buildResponse(501, LIST), /^documented statuses are .*; get \/agents responded with 501/],
  [
    'a media type',
    buildResponse(200, LIST, 'text/plain'),
    /^documented media types are application\/json, found text\/plain/,
  ],
  ['a field', buildResponse(200, { ...LIST, secret: 1 }), /must NOT have additional properties/],
])(
  'expectDocumented fails if a response has %s that the OpenAPI document does not contain',
  (_what, response, message) => {
    expect(() => {
      expectDocumented(response, 'get', '/agents');
    }).toThrow(message);
  },
);

it('expectDocumented accepts a response that the OpenAPI document describes', () => {
  expect(() => {
    expectDocumented(buildResponse(200, LIST), 'get', '/agents');
  }).not.toThrow();
});
