import { describe, expect, it } from 'vitest';
import { readModelSettings } from './model-environment.js';

describe('readModelSettings', () => {
  it('readModelSettings configures no provider if no variable is set', () => {
    expect(readModelSettings({})).toMatchObject({
      providers: {},
      overrides: {},
      customModel: undefined,
      limits: { firstTextMs: 60_000, nextTextMs: 30_000 },
    });
  });

  it('readModelSettings configures each provider whose API key is set', () => {
    const { providers } = readModelSettings({
      OPENAI_API_KEY: 'a',
      OPENROUTER_API_KEY: 'b',
      OPENAI_BASE_URL: 'http://proxy:8080/v1',
    });
    expect(providers).toEqual({
      openai: { baseUrl: 'http://proxy:8080/v1', apiKey: 'a' },
      openrouter: { baseUrl: 'https://openrouter.ai/api/v1', apiKey: 'b' },
    });
  });

  it('readModelSettings configures an OpenAI-compatible server with or without a key', () => {
    const there = { QUARRY_MODEL_BASE_URL: 'http://localhost:11434/v1', QUARRY_MODEL: 'llama3.1' };
    expect(readModelSettings(there)).toMatchObject({
      providers: { custom: { baseUrl: 'http://localhost:11434/v1', apiKey: undefined } },
      customModel: 'llama3.1',
    });
    expect(readModelSettings({ ...there, QUARRY_MODEL_API_KEY: 'k' }).providers.custom?.apiKey).toBe('k');
  });

  it('readModelSettings reads the variable that maps a public model name to another model', () => {
    const environment = { OPENROUTER_API_KEY: 'k', QUARRY_MODEL_GPT_4O_MINI: 'openrouter/meta/llama-4' };
    expect(readModelSettings(environment).overrides).toEqual({
      gpt_4o_mini: { provider: 'openrouter', model: 'meta/llama-4' },
    });
  });

  it.each([
    [{ QUARRY_MODEL: 'llama3.1' }, /QUARRY_MODEL_BASE_URL and QUARRY_MODEL must be set together/],
    [{ QUARRY_MODEL_GPT_4O: 'llama' }, /QUARRY_MODEL_GPT_4O must be <provider>\/<model>/],
    [{ QUARRY_MODEL_GPT_4O: 'google/x' }, /names the provider google, which needs GOOGLE_API_KEY/],
    [{ QUARRY_DEFAULT_MODEL: 'gpt-4o' }, /QUARRY_DEFAULT_MODEL must be one of/],
    [{ OPENAI_BASE_URL: 'not an address' }, /OPENAI_BASE_URL must be a URL address/],
  ])('readModelSettings rejects the variables %j', (environment, message) => {
    expect(() => readModelSettings(environment)).toThrow(message);
  });
});
