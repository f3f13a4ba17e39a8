import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { RPC_CODES } from './rpc-errors.js';

/** Describes a violation that Zod reports. The SDK validates messages with Zod. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Makes a server report invalid parameters with the error code that JSON-RPC defines for them. For most methods, the
 * SDK itself would report an internal error, whose message is the JSON list of the issues.
 */
export function correctInvalidParamsErrors(server: McpServer): McpServer {
  const { server: protocol } = server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => send(correctErrorCode(message), options);
    await connect(transport);
  };
  return server;
}

function correctErrorCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== RPC_CODES.internalError) return message;
  const issues = parseZodIssues(message.error.message);
  if (issues === undefined) return message;
  const text = issues.map(({ path, message: reason }) => `${path.join('.')}: ${reason}`).join('; ');
  return { ...message, error: { code: RPC_CODES.invalidParams, message: `Invalid params: ${text}` } };
}

/** Returns the issues in an error message that Zod has generated, or undefined for any other error message. */
function parseZodIssues(text: string): readonly Issue[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.length > 0 && parsed.every(isZodIssue) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isZodIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as Partial<Issue>; // any JSON
  return Array.isArray(path) && typeof message === 'string';
}
