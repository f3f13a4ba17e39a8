import type { ContentBlock, McpServer } from '@modelcontextprotocol/server';
import { buildTextResult, PNG, WAV } from './contents.js';

const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const PROGRESS = [0, 50, 100];
const LOGS = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

/** Maps the name of each MCP tool without an argument to the contents that it returns. */
const CONTENTS: Readonly<Record<string, readonly ContentBlock[]>> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [IMAGE],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

/** Registers the tools that return contents, and the tools that send notifications before they return. */
export function registerTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENTS)) {
    server.registerTool(name, { description: `Returns the contents of ${name}.` }, () => ({ content: [...content] }));
  }
  server.registerTool('test_error_handling', { description: 'Fails always.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Reports its progress.' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : PROGRESS) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return buildTextResult('The progress is complete.');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Sends log messages.' }, async ({ mcpReq }) => {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the scenarios of both revisions contain log messages
      for (const text of LOGS) await mcpReq.log('info', text);
      return buildTextResult('The messages are sent.');
    });
  }
}
