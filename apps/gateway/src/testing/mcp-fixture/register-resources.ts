import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG } from './contents.js';

/** Registers MCP resources and an MCP resource template. */
export function registerResources(server: McpServer): void {
  const text = { mimeType: 'text/plain', description: 'A text.' };
  const uri = 'test://static-text';
  server.registerResource('static-text', uri, text, () => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  const binary = { mimeType: 'image/png', description: 'A picture.' };
  server.registerResource('static-binary', 'test://static-binary', binary, () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const described = { mimeType: 'application/json', description: 'Data with an id.' };
  server.registerResource('template', template, described, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}
