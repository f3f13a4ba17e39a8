import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Shape } from '@quarry/validation';
import type { McpCall } from './mcp-call.js';
import { buildToolError } from './tool-error.js';
import { createStandardSchema } from './standard-schema.js';

/** Declares a tool: the definition that clients see, and the implementation. */
interface ToolDeclaration<Input extends object, Output extends object> {
  readonly name: string;
  readonly description: string;
  /**
   * The ids of the operations of the HTTP API that the tool performs. Keys that can use none of these operations do not
   * see the tool.
   */
  readonly operations: readonly string[];
  readonly input: Shape<Input>;
  readonly output: Shape<Output>;
  readonly isReadOnly: boolean;
  /** Runs the tool. @throws Problem whose code and message become the result of the call */
  readonly run: (call: ToolCall, input: Input) => Promise<Output>;
}

/** A call of a tool in a request of an MCP client. */
export interface ToolCall extends McpCall {
  /**
   * Sends a progress notification if the client has requested progress notifications.
   *
   * @param progress a number that must be greater than in the preceding call
   */
  readonly reportProgress: (progress: number, message: string) => Promise<void>;
  readonly wantsProgress: boolean;
}

/** A tool that can be registered with the MCP server of one request. */
export interface Tool {
  readonly name: string;
  readonly operations: readonly string[];
  register(server: McpServer, call: McpCall): void;
}

/** Defines a tool from its declaration. */
export function defineTool<Input extends object, Output extends object>(
  declared: ToolDeclaration<Input, Output>,
): Tool {
  const { name, description, operations, isReadOnly, run } = declared;
  const definition = {
    description,
    inputSchema: createStandardSchema(declared.input),
    outputSchema: createStandardSchema(declared.output),
    annotations: isReadOnly ? { readOnlyHint: true } : { destructiveHint: true, idempotentHint: true },
  };
  return {
    name,
    operations,
    register: (server, call) => {
      server.registerTool(name, definition, async (input, context) => {
        try {
          const output = await run(createToolCall(call, context), input);
          return {
            content: [{ type: 'text', text: JSON.stringify(output) }],
            structuredContent: { ...output },
          };
        } catch (error) {
          return buildToolError(error, { tool: name, log: call.log, signal: context.mcpReq.signal });
        }
      });
    },
  };
}

function createToolCall(call: McpCall, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...call,
    signal: AbortSignal.any([call.signal, mcpReq.signal]),
    wantsProgress: progressToken !== undefined,
    reportProgress: async (progress, message) => {
      if (progressToken === undefined) return;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
    },
  };
}
