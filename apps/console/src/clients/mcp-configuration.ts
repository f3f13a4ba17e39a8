/**
 * Placeholder for the API key, which the user replaces. It is ASCII, because HTTP headers allow no other characters.
 */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

const AUTHORIZATION = `Bearer ${KEY_PLACEHOLDER}`;

const FORMATTERS = {
  claudeCode: (url: string) =>
    `claude mcp add --transport http quarry ${url} --header "Authorization: ${AUTHORIZATION}"`,
  vsCode: (url: string) =>
    toJson({ servers: { quarry: { type: 'http', url, headers: { Authorization: AUTHORIZATION } } } }),
  cursor: (url: string) => toJson({ mcpServers: { quarry: { url, headers: { Authorization: AUTHORIZATION } } } }),
  claudeDesktop: (url: string) =>
    toJson({
      mcpServers: {
        quarry: {
          command: 'npx',
          // Claude Desktop on Windows splits arguments at spaces. The header value contains a space, so the argument
          // refers to an environment variable that contains the value.
          args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${QUARRY_AUTHORIZATION}'],
          env: { QUARRY_AUTHORIZATION: AUTHORIZATION },
        },
      },
    }),
  codex: (url: string) =>
    [
      `# Set the variable QUARRY_API_KEY to ${KEY_PLACEHOLDER}`,
      '[mcp_servers.quarry]',
      `url = "${url}"`,
      'bearer_token_env_var = "QUARRY_API_KEY"',
    ].join('\n'),
} as const satisfies Readonly<Record<string, (url: string) => string>>;

export type McpClient = keyof typeof FORMATTERS;

/**
 * The MCP clients for which the console shows a configuration. A label includes the path of the client's configuration
 * file. Labels are not translated.
 */
export const MCP_CLIENTS: readonly { readonly value: McpClient; readonly label: string }[] = [
  { value: 'claudeCode', label: 'Claude Code' },
  { value: 'vsCode', label: 'VS Code (.vscode/mcp.json)' },
  { value: 'cursor', label: 'Cursor (.cursor/mcp.json)' },
  { value: 'claudeDesktop', label: 'Claude Desktop (claude_desktop_config.json)' },
  { value: 'codex', label: 'Codex (~/.codex/config.toml)' },
];

/** Formats the configuration with which a client connects to the MCP server at this address. */
export function formatMcpConfiguration(client: McpClient, address: string): string {
  return FORMATTERS[client](address);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
