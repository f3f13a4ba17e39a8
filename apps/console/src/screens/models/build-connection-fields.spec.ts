import { describe, expect, it } from 'vitest';
import { buildConnectionFields, hasRequiredFields } from './build-connection-fields.js';

const NOTHING = { apiKey: '', baseUrl: '', model: '' };
const SERVER = { apiKey: '', baseUrl: ' http://127.0.0.1:8000/v1 ', model: ' llama ' };
const STORED = { baseUrl: 'http://127.0.0.1:8000/v1' };

describe('the fields of a connection', () => {
  it('buildConnectionFields returns at most the key for a known provider', () => {
    expect(buildConnectionFields('openai', { ...SERVER, apiKey: ' sk-1 ' }, undefined)).toEqual({ apiKey: 'sk-1' });
    expect(buildConnectionFields('openai', NOTHING, STORED)).toEqual({});
  });

  it('an empty key keeps the stored key of a custom server with the same address, or else removes the key', () => {
    const server = { baseUrl: STORED.baseUrl, model: 'llama' };
    expect(buildConnectionFields('custom', SERVER, undefined)).toEqual({ ...server, apiKey: null });
    expect(buildConnectionFields('custom', SERVER, STORED)).toEqual(server);
    expect(buildConnectionFields('custom', SERVER, { baseUrl: 'http://other' })).toEqual({ ...server, apiKey: null });
  });

  it('hasRequiredFields requires a key for a known provider, and an address and a model for a custom server', () => {
    expect(hasRequiredFields('openai', NOTHING, undefined)).toBe(false);
    expect(hasRequiredFields('openai', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(true);
    expect(hasRequiredFields('openai', NOTHING, STORED)).toBe(true);
    expect(hasRequiredFields('custom', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(false);
    expect(hasRequiredFields('custom', SERVER, undefined)).toBe(true);
  });
});
