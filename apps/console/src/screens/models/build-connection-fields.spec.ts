import { describe, expect, it } from 'vitest';
import { buildConnectionFields, hasRequiredFields } from './build-connection-fields.js';

const NOTHING = { apiKey: '', baseUrl: '', model: '' };
const SERVER = { apiKey: '', baseUrl: ' http://127.0.0.1:8000/v1 ', model: ' llama ' };
const STORED = { baseUrl: 'http://127.0.0.1:8000/v1' };

describe('the fields of a connection', () => {
  it('a connection to a known provider has only the key', () => {
    expect(buildConnectionFields('openai', { ...SERVER, apiKey: ' sk-1 ' }, undefined)).toEqual({ apiKey: 'sk-1' });
    expect(buildConnectionFields('openai', NOTHING, STORED)).toEqual({});
  });

  it('an empty key keeps the stored key of the same address, or else means that the custom server needs none', () => {
    const server = { baseUrl: STORED.baseUrl, model: 'llama' };
    expect(buildConnectionFields('custom', SERVER, undefined)).toEqual({ ...server, apiKey: null });
    expect(buildConnectionFields('custom', SERVER, STORED)).toEqual(server);
    expect(buildConnectionFields('custom', SERVER, { baseUrl: 'http://other' })).toEqual({ ...server, apiKey: null });
  });

  it('a connection is complete with a key, or with the address and the model of a custom server', () => {
    expect(hasRequiredFields('openai', NOTHING, undefined)).toBe(false);
    expect(hasRequiredFields('openai', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(true);
    expect(hasRequiredFields('openai', NOTHING, STORED)).toBe(true);
    expect(hasRequiredFields('custom', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(false);
    expect(hasRequiredFields('custom', SERVER, undefined)).toBe(true);
  });
});
