/** The addresses at which other programs connect to Quarry. */
export interface ClientAddresses {
  /** Address of the MCP server of Quarry. */
  readonly mcp: string;
  /** Base address for programs that use OpenAI's API. */
  readonly openAi: string;
  /** Name in the field `model` that selects the agent in requests of OpenAI's API. Undefined without an agent. */
  readonly model: string | undefined;
}

/**
 * Builds the addresses at which other programs connect to Quarry.
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
