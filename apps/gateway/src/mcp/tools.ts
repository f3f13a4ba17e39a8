import { ADD_TEXT_TOOL } from './tools/add-text.js';
import { ASK_TOOL } from './tools/ask.js';
import { FETCH_TOOL } from './tools/fetch.js';
import { LIST_DATASTORES_TOOL } from './tools/list-datastores.js';
import { SEARCH_TOOL } from './tools/search.js';
import { STATUS_TOOL } from './tools/status.js';
import type { Tool } from './tool.js';

/** Lists the tools that MCP clients can call, in the order in which clients see them. */
export const TOOLS: readonly Tool[] = [
  SEARCH_TOOL,
  FETCH_TOOL,
  ASK_TOOL,
  LIST_DATASTORES_TOOL,
  ADD_TEXT_TOOL,
  STATUS_TOOL,
];
