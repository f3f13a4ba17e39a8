import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Log, convertErrorToProblem } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import { translateDatabaseError } from '../database/translate-database-error.js';

interface FailedTool {
  readonly tool: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Builds the result of a failed tool call. The result contains the code and message of the problem, so that the model
 * can correct its call, but no internal details.
 */
export function buildToolError(error: unknown, { tool, log, signal }: FailedTool): CallToolResult {
  const { code, kind, message } = convertErrorToProblem(translateDatabaseError(error));
  if (kind.status >= 500 && !signal.aborted) {
    log.error({ err: redactQueryParameters(error), code, tool }, 'a tool call of an MCP client failed');
  }
  return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] };
}
