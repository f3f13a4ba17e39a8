import { FORMS, type HostileBody, MALFORMED, TYPES, VALUES } from './hostile-payloads.js';
import { buildBodiesWithHostileFields, type HostileRequest } from './hostile-requests.js';

/** Describes a valid message of an MCP client, and the HTTP headers that the message's revision of MCP requires. */
interface McpMessage {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly method: string; readonly params: object };
}

/**
 * Describes a copy of a message with a hostile value in one field: `field` is the path of this field, `json` the
 * changed body.
 */
type HostileMessage = McpMessage & { readonly field: string; readonly json: string };

/** Holds the ids of existing resources to which the messages refer. */
export interface McpIds {
  readonly agentId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
}

const ACCEPT = 'application/json, text/event-stream';
const CURRENT = '2026-07-28';
const EARLIER = '2025-11-25';
const META = 'io.modelcontextprotocol/';
const CLIENT = { name: 'test', version: '1.0.0' };
const META_FIELDS = {
  [`${META}protocolVersion`]: CURRENT,
  [`${META}clientInfo`]: CLIENT,
  [`${META}clientCapabilities`]: {},
  progressToken: 1,
};
/** Values of the headers `HEADER_NAMES` that no revision of MCP allows. */
const HEADER_VALUES = [
  '',
  '0',
  'null',
  '1999-01-01',
  '9999-99-99',
  '*/*',
  'text/html',
  'é'.repeat(4),
  'x'.repeat(4_000),
];
const HEADER_NAMES = [
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
  'Accept',
  'Host',
  'Origin',
  'Content-Encoding',
];
/**
 * Messages that are valid JSON, but invalid requests: messages that violate JSON-RPC 2.0, messages with unknown
 * methods, and large batches.
 */
const MESSAGES: readonly unknown[] = [
  ...[
    { jsonrpc: '1.0', id: 1, method: 'tools/list' },
    { id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1 },
  ],
  ...[
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
  ],
  ...[
    { jsonrpc: '2.0', id: {}, method: 'tools/list' },
    { jsonrpc: '2.0', id: null, method: 'tools/list' },
  ],
  ...[{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
  ...[
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', id: 1, method: 'unknown/method' },
  ],
  ...['__proto__', 'constructor', 'toString', 'tools/__proto__', ''].map((method) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
  })),
  Array.from({ length: 2_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
  Array.from({ length: 20 }, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' })),
];

/**
 * Builds hostile requests for an MCP endpoint: hostile bodies, field values, headers and HTTP methods. The requests use
 * the current or the earlier revision of MCP.
 */
export function buildHostileMcpRequests(path: string, ids: McpIds): readonly HostileRequest[] {
  const buildRequest = (title: string, request: Partial<HostileRequest>): HostileRequest => ({
    ...{ title: `${path}: ${title}`, method: 'post', path, type: 'application/json', body: '' },
    ...request,
    headers: { Accept: ACCEPT, ...request.headers },
  });
  const versions = [CURRENT, EARLIER].map((version) => ({ 'MCP-Protocol-Version': version }));
  const bodies = listHostileBodies();
  const messages = listValidMessages(ids);
  const hostile = [
    ...messages.flatMap(buildMessagesWithHostileFields),
    ...listValidToolCalls(ids).flatMap(buildCallsWithHostileArguments),
  ];
  return [
    ...versions.flatMap((headers) => bodies.map(([title, type, body]) => buildRequest(title, { headers, type, body }))),
    ...hostile.map(({ title, field, headers, json }) => buildRequest(`${title}: ${field}`, { headers, body: json })),
    ...messages.slice(0, 1).flatMap(({ headers, body }) =>
      listHostileHeaders().map(([name, value]) =>
        buildRequest(`header ${name}: ${value.slice(0, 20)}`, {
          headers: { ...headers, [name]: Buffer.from(value).toString('latin1') },
          body: formatMcpMessage(body),
        }),
      ),
    ),
    ...METHODS.flatMap((method) =>
      versions.map((headers) => buildRequest(`method ${method}`, { method, headers, body: VALUES[0] ?? '' })),
    ),
  ];
}

const METHODS = ['get', 'delete', 'put', 'patch', 'head', 'options', 'trace', 'propfind'];

function listHostileBodies(): readonly HostileBody[] {
  return [
    ...MALFORMED.map(([title, body]): HostileBody => [title, 'application/json', body]),
    ...TYPES.map((type): HostileBody => [`type ${JSON.stringify(type)}`, type, '{}']),
    ...MESSAGES.map((message, at): HostileBody => [`message ${at}`, 'application/json', JSON.stringify(message)]),
    ...FORMS,
  ];
}

function listHostileHeaders(): readonly (readonly [name: string, value: string])[] {
  return HEADER_NAMES.flatMap((name) => HEADER_VALUES.map((value) => [name, value] as const));
}

function formatMcpMessage(body: McpMessage['body']): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, ...body });
}

/** Builds copies of a message, each with a hostile value in one field at any depth. */
function buildMessagesWithHostileFields(message: McpMessage): readonly HostileMessage[] {
  return buildBodiesWithHostileFields({ jsonrpc: '2.0', id: 1, ...message.body }).map(([field, json]) => ({
    ...{ ...message, field, json },
  }));
}

/** Builds calls of a tool, each with a hostile value in one argument at any depth. */
function buildCallsWithHostileArguments({ name, args }: ToolArguments): readonly HostileMessage[] {
  const message = buildMessageOfCurrentRevision('tools/call', { name });
  return buildBodiesWithHostileFields(args).map(([field, json]) => ({
    ...{ ...message, field },
    json: formatMcpMessage(message.body).replace(`"name":"${name}"`, () => `"name":"${name}","arguments":${json}`),
  }));
}

/** Lists valid messages, such as calls of tools, in the current and in the earlier revision of MCP. */
function listValidMessages(ids: McpIds): readonly McpMessage[] {
  const [call] = listValidToolCalls(ids).map(({ name, args }) => ({ name, arguments: args }));
  return [
    buildMessageOfCurrentRevision('tools/call', { name: '', ...call }),
    ...['tools/list', 'server/discover', 'subscriptions/listen'].map((method) =>
      buildMessageOfCurrentRevision(method, {}),
    ),
    buildMessageOfEarlierRevision('initialize', { protocolVersion: EARLIER, capabilities: {}, clientInfo: CLIENT }),
    buildMessageOfEarlierRevision('tools/call', { ...call, _meta: { progressToken: 1 } }),
    buildMessageOfEarlierRevision('tools/list', { cursor: 'c' }),
    buildMessageOfEarlierRevision('resources/read', { uri: 'a:b' }),
  ];
}

interface ToolArguments {
  readonly name: string;
  readonly args: object;
}

function listValidToolCalls({ agentId, datastoreId, datasourceId }: McpIds): readonly ToolArguments[] {
  return [
    { name: 'search', args: { query: 'q', datastoreIds: [datastoreId], topK: 1, maxTokens: 200 } },
    { name: 'fetch', args: { id: datasourceId, documentKey: 'a', cursor: 'c' } },
    { name: 'ask', args: { question: 'q', agentId, conversationId: datasourceId } },
    { name: 'list_datastores', args: { cursor: 'c' } },
    { name: 'add_text', args: { text: 'a', datastoreId, documentId: 'd', name: 'n', source: 'https://example.com/' } },
    { name: 'status', args: { id: datasourceId } },
  ];
}

function buildMessageOfCurrentRevision(method: string, params: { readonly name?: string }): McpMessage {
  const { name } = params;
  const headers = {
    'MCP-Protocol-Version': CURRENT,
    'Mcp-Method': method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
  return { title: `${method} ${name ?? ''}`, headers, body: { method, params: { ...params, _meta: META_FIELDS } } };
}

function buildMessageOfEarlierRevision(method: string, params: object): McpMessage {
  const headers = { 'MCP-Protocol-Version': EARLIER };
  return { title: `${method} of ${EARLIER}`, headers, body: { method, params } };
}
