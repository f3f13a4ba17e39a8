import {
  type ElicitRequestFormParams,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { IsString } from '@quarry/validation';
import { createStandardSchema } from '../../mcp/standard-schema.js';
import { buildTextResult } from './contents.js';

class MessageArgument {
  @IsString()
  readonly message: string;
}

class PromptArgument {
  @IsString()
  readonly prompt: string;
}

type RequestedSchema = ElicitRequestFormParams['requestedSchema'];

const ACCOUNT: RequestedSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};
const DEFAULTS: RequestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};
const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];
const ENUMS: RequestedSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};

/**
 * Registers the MCP tools that send requests to the client. In the revision 2025-11-25 of MCP, these tools need a
 * session.
 */
export function registerElicitations(server: McpServer): void {
  const message = { description: 'Asks for an account.', inputSchema: createStandardSchema(MessageArgument) };
  server.registerTool('test_elicitation', message, (input, context) =>
    requestElicitation(context, input.message, ACCOUNT),
  );
  for (const [name, schema] of [
    ['test_elicitation_sep1034_defaults', DEFAULTS],
    ['test_elicitation_sep1330_enums', ENUMS],
  ] as const) {
    server.registerTool(name, { description: 'Asks for values.' }, (context) =>
      requestElicitation(context, 'Choose.', schema),
    );
  }
  const prompt = { description: 'Asks the model of the client.', inputSchema: createStandardSchema(PromptArgument) };
  server.registerTool('test_sampling', prompt, (input, { mcpReq }) => requestSampling(mcpReq, input.prompt));
  server.registerTool('test_missing_capability', { description: 'Needs a model of the client.' }, ({ mcpReq }) =>
    requestSampling(mcpReq, 'Which capability is missing?'),
  );
}

/** Returns a text result with the form that the client has filled in, or asks the client for the form. */
function requestElicitation({ mcpReq }: ServerContext, message: string, requestedSchema: RequestedSchema) {
  const response = inputResponse(mcpReq.inputResponses, 'form');
  if (response.kind === 'elicit') return buildTextResult(`User response: ${JSON.stringify(response)}`);
  return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } });
}

/** Returns a text result with the reply of the client's model, or asks the client for the reply. */
function requestSampling({ inputResponses }: ServerContext['mcpReq'], text: string) {
  const response = inputResponse(inputResponses, 'reply');
  if (response.kind === 'sampling') return buildTextResult(`LLM response: ${JSON.stringify(response.result.content)}`);
  const params = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }], maxTokens: 100 };
  return inputRequired({ inputRequests: { reply: inputRequired.createMessage(params) } });
}
