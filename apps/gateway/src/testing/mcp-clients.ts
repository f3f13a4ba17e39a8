import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The result of a tool, as both MCP revisions return it. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
}

/**
 * The methods of an MCP client that tests use. The clients of both supported revisions of MCP, 2026-07-28 and
 * 2025-11-25, have them.
 */
export interface McpTestClient {
  listTools(): Promise<readonly { readonly name: string }[]>;
  callTool(name: string, input: object, options?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

const INFO = { name: 'test', version: '1.0.0' };

/** Connects an MCP client of the revision 2026-07-28. */
export async function connectClient(url: string, key: string): Promise<McpTestClient> {
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), buildAuthorizationOptions(key)));
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, input, options) =>
      client.callTool({ name, arguments: { ...input } }, toRequestOptions(options)),
    close: async () => client.close(),
  };
}

/** Connects an MCP client of the revision 2025-11-25. */
export async function connectEarlierClient(url: string, key: string): Promise<McpTestClient> {
  const client = new EarlierClient(INFO);
  await client.connect(new EarlierTransport(new URL(url), buildAuthorizationOptions(key)));
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, input, options) =>
      // The declared type also allows results without `content`, which the default schema of the library refuses.
      (await client.callTool({ name, arguments: { ...input } }, undefined, toRequestOptions(options))) as ToolResult,
    close: async () => client.close(),
  };
}

function buildAuthorizationOptions(key: string): { readonly requestInit: RequestInit } {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}

function toRequestOptions({ signal, onProgress }: CallOptions = {}) {
  return { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
}
