import { describe, expect, it } from 'vitest';
import { buildConnectionFields, hasRequiredFields } from './build-connection-fields.js';

const NOTHING = { apiKey: '', baseUrl: '', model: '' };
const SERVER = { apiKey: '', baseUrl: ' http://127.0.0.1:8000/v1 ', model: ' llama ' };
const STORED = { baseUrl: 'http://127.0.0.1:8000/v1' };

describe('the fields of a connection', () => {
  it('for a provider other than `custom`, buildConnectionFields returns the entered API key, or no field if no key was entered', () => {
    expect(buildConnectionFields('openai', { ...SERVER, apiKey: ' sk-1 ' }, undefined)).toEqual({ apiKey: 'sk-1' });
    expect(buildConnectionFields('openai', NOTHING, STORED)).toEqual({});
  });

  it('for a custom server without an entered API key, buildConnectionFields keeps the stored key if the address is the same, and otherwise removes it', () => {
    const server = { baseUrl: STORED.baseUrl, model: 'llama' };
    expect(buildConnectionFields('custom', SERVER, undefined)).toEqual({ ...server, apiKey: null });
    expect(buildConnectionFields('custom', SERVER, STORED)).toEqual(server);
    expect(buildConnectionFields('custom', SERVER, { baseUrl: 'http://other' })).toEqual({ ...server, apiKey: null });
  });

  it('hasRequiredFields requires an entered or stored key for a provider other than `custom`, and an address and a model for a custom server', () => {
    expect(hasRequiredFields('openai', NOTHING, undefined)).toBe(false);
    expect(hasRequiredFields('openai', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(true);
    expect(hasRequiredFields('openai', NOTHING, STORED)).toBe(true);
    expect(hasRequiredFields('custom', { ...NOTHING, apiKey: 'sk-1' }, undefined)).toBe(false);
    expect(hasRequiredFields('custom', SERVER, undefined)).toBe(true);
  });
});
