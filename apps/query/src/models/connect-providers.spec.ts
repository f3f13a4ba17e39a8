import { describe, expect, it } from 'vitest';
import { connectProviders } from './connect-providers.js';
import { readModelSettings } from './model-environment.js';

const SETTINGS = readModelSettings({});

describe('connectProviders', () => {
  it('connectProviders adds a custom connection with its address and model', () => {
    const connection = { provider: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } as const;
    expect(connectProviders(SETTINGS, [connection])).toMatchObject({
      providers: { custom: { baseUrl: connection.baseUrl } },
      customModel: 'm',
    });
  });

  it.each([undefined, '', 'no address', '127.0.0.1:9', 'ftp://127.0.0.1/v1'])(
    'connectProviders ignores a connection to a custom provider if its `baseUrl` is %j',
    (baseUrl) => {
      const connection = { provider: 'custom', model: 'm', ...(baseUrl !== undefined && { baseUrl }) } as const;
      expect(connectProviders(SETTINGS, [connection]).providers).toEqual({});
    },
  );
});
