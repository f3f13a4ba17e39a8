import type { Log } from '@quarry/service-kit';
import type { Caller } from '../access/caller.js';
import type { Agent } from '../agents/agent-repository.js';
import type { Gateway } from '../gateway.js';

/** An authenticated request of an MCP client, in the form that tools receive. */
export interface McpCall {
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** Returns true if the scopes of the caller allow an operation of the HTTP API. @param id the `operationId` */
  readonly canUseOperation: (id: string) => boolean;
  /** The agent in the address of the endpoint. Undefined: the endpoint serves the whole organization. */
  readonly agent: Agent | undefined;
  /** The public URL of the API, with which the tools build the URLs of sources. */
  readonly apiUrl: string;
  readonly log: Log;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}
