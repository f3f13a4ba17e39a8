import { describe, expect, it } from 'vitest';
import { buildClientAddresses } from './client-addresses.js';
import { formatMcpConfiguration, KEY_PLACEHOLDER, MCP_CLIENTS } from './mcp-configuration.js';

const BASE = new URL('https://example.org/quarry/');

describe('buildClientAddresses', () => {
  it('buildClientAddresses keeps the path prefix of the console in each address', () => {
    expect(buildClientAddresses(BASE)).toEqual({
      mcp: 'https://example.org/quarry/mcp',
      openAi: 'https://example.org/quarry/v1',
      model: undefined,
    });
  });

  it('buildClientAddresses returns the MCP address of an agent, and the model name that selects the agent in OpenAI’s API', () => {
    expect(buildClientAddresses(BASE, 'a1')).toMatchObject({
      mcp: 'https://example.org/quarry/mcp/a1',
      model: 'agent:a1',
    });
  });
});

describe('formatMcpConfiguration', () => {
  const url = 'https://example.org/mcp';

  it.each(MCP_CLIENTS)(
    'formatMcpConfiguration returns a configuration for $label with the address and a placeholder for the key',
    ({ value }) => {
      const text = formatMcpConfiguration(value, url);
      expect(text).toContain(url);
      expect(text).toContain(KEY_PLACEHOLDER);
    },
  );

  it('formatMcpConfiguration returns JSON with the properties that VS Code, Cursor and Claude Desktop read', () => {
    const headers = { Authorization: 'Bearer YOUR_API_KEY' };
    expect(JSON.parse(formatMcpConfiguration('vsCode', url))).toEqual({
      servers: { quarry: { type: 'http', url, headers } },
    });
    expect(JSON.parse(formatMcpConfiguration('cursor', url))).toEqual({ mcpServers: { quarry: { url, headers } } });
    expect(JSON.parse(formatMcpConfiguration('claudeDesktop', url))).toMatchObject({
      mcpServers: { quarry: { env: { QUARRY_AUTHORIZATION: 'Bearer YOUR_API_KEY' } } },
    });
  });
});
