import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { describeConnectionFailure } from './describe-connection-failure.js';
import { modelsMessages } from './messages.js';

const { en, de } = modelsMessages;

function createFailure(found: string): QuarryError {
  return new QuarryError(422, 'model_connection_failed', `Expected text from openai/gpt-4o-mini, found ${found}.`);
}

describe('describeConnectionFailure', () => {
  it('for an unreachable provider, describeConnectionFailure names the provider and advises to check the internet access', () => {
    const error = createFailure('no connection (ENOTFOUND). Check baseUrl, and that the query service can reach it');
    expect(describeConnectionFailure(error, 'openai', en)).toBe(
      'OpenAI cannot be reached. Check the internet access of the machine on which Quarry runs.',
    );
    expect(describeConnectionFailure(error, 'openai', de)).toBe(
      'OpenAI ist nicht erreichbar. Prüfen Sie den Internetzugang des Rechners, auf dem Quarry läuft.',
    );
  });

  it('for an unreachable own server, describeConnectionFailure advises to check the fields of the form', () => {
    const error = createFailure('no connection (ECONNREFUSED). Check baseUrl');
    expect(describeConnectionFailure(error, 'custom', en)).toBe(
      'The server cannot be reached. Check the address and the model, and that the server is running.',
    );
  });

  it.each([
    ['status 401: the provider refuses the key', 'OpenAI refused the key. Check that the key is complete and valid.'],
    [
      'status 402: the account has no credit',
      'OpenAI reported that the account has no credit. Check the account there.',
    ],
    ['none within 25 seconds', 'OpenAI did not respond within 25 seconds. Test again later.'],
    ['status 500. Check the settings', 'OpenAI responded with an error. Test again later.'],
    ['status 400. Check the settings', 'OpenAI refused the request. Check that the key is complete and valid.'],
    [
      'status 404: the server does not offer this model or path',
      'OpenAI refused the request. Check that the key is complete and valid.',
    ],
  ])('describeConnectionFailure describes the failure “%s” in terms of the form', (found, text) => {
    expect(describeConnectionFailure(createFailure(found), 'openai', en)).toBe(text);
  });

  it.each([
    ['status 404: the server does not offer this model', 'The server has no model of this name.'],
    ['status 400. Check the settings', 'The server refused the request.'],
  ])('for the failure “%s” of an own server, describeConnectionFailure advises to check the model', (found, text) => {
    expect(describeConnectionFailure(createFailure(found), 'custom', en)).toBe(
      `${text} Check the address and the model, and that the server is running.`,
    );
  });

  it('describeConnectionFailure returns undefined for another error', () => {
    expect(describeConnectionFailure(createFailure('something new'), 'openai', en)).toBeUndefined();
    expect(describeConnectionFailure(new QuarryError(403, 'insufficient_scope', 'No.'), 'openai', en)).toBeUndefined();
  });
});
