/** The addresses to which other programs connect. */
export interface ClientAddresses {
  /** Address of the MCP server. */
  readonly mcp: string;
  /** Base address for clients of OpenAI's API. */
  readonly openAi: string;
  /** Model that identifies the agent in requests to OpenAI's API. Undefined without an agent. */
  readonly model: string | undefined;
}

/**
 * Builds the addresses to which other programs connect.
 *
 * @param baseUrl address of the console, such as `https://example.org/quarry/`
 * @param agentId agent to which the addresses are restricted; undefined for no restriction
 */
export function buildClientAddresses(baseUrl: URL, agentId?: string): ClientAddresses {
  return {
    mcp: new URL(agentId === undefined ? 'mcp' : `mcp/${agentId}`, baseUrl).href,
    openAi: new URL('v1', baseUrl).href,
    model: agentId === undefined ? undefined : `agent:${agentId}`,
  };
}
