import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { IsBoolean, IsString } from '@quarry/validation';
import { createStandardSchema } from '../../mcp/standard-schema.js';
import { buildTextResult } from './contents.js';

/** Signs the request state, which the server sends to a client and which the client sends back. */
type RequestStates = Pick<RequestStateCodec<string>, 'mint'>;

class NameInput {
  @IsString()
  readonly name: string;
}

class ColorInput {
  @IsString()
  readonly color: string;
}

class ConfirmInput {
  @IsBoolean()
  readonly ok: boolean;
}

const NAME = createStandardSchema(NameInput);
const COLOR = createStandardSchema(ColorInput);
const CONFIRM = createStandardSchema(ConfirmInput);
const DESCRIPTION = { description: 'Asks the client for input.' };

/** Registers the tools that ask the client for input before they return a result. */
export function registerInputTools(server: McpServer, states: RequestStates): void {
  server.registerTool('test_input_required_result_elicitation', DESCRIPTION, ({ mcpReq }) => {
    const input = acceptedContent(mcpReq.inputResponses, 'user_name', NAME);
    return input === undefined
      ? requestInput({ user_name: buildNameRequest() })
      : buildTextResult(`Hello, ${input.name}!`);
  });
  server.registerTool('test_streaming_elicitation', DESCRIPTION, ({ mcpReq }) => {
    const input = acceptedContent(mcpReq.inputResponses, 'user_name', NAME);
    return input === undefined
      ? requestInput({ user_name: buildNameRequest() })
      : buildTextResult(`Hello, ${input.name}!`);
  });
  server.registerTool('test_input_required_result_sampling', DESCRIPTION, ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (response.kind === 'sampling') return buildTextResult(JSON.stringify(response.result.content));
    return requestInput({ capital_question: buildSamplingRequest('What is the capital of France?', 100) });
  });
  server.registerTool('test_input_required_result_list_roots', DESCRIPTION, ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (response.kind === 'roots') return buildTextResult(response.roots.map(({ uri }) => uri).join(' '));
    return requestInput({ client_roots: inputRequired.listRoots() });
  });
  server.registerTool('test_input_required_result_capabilities', DESCRIPTION, ({ mcpReq }) => {
    // The types of the library do not contain the keys of the request envelope.
    const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, object>>;
    const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return requestInput({
      ...('sampling' in capabilities && { greeting: buildSamplingRequest('Generate a greeting', 50) }),
      ...('elicitation' in capabilities && { user_name: buildNameRequest() }),
    });
  });
  registerStateTools(server, states);
}

/** Registers the tools that send a signed request state to the client, which the client sends back with its input. */
function registerStateTools(server: McpServer, states: RequestStates): void {
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    server.registerTool(name, DESCRIPTION, async ({ mcpReq }) => {
      const confirmed = acceptedContent(mcpReq.inputResponses, 'confirm', CONFIRM);
      if (confirmed !== undefined && mcpReq.requestState<string>() === name) return buildTextResult('state-ok');
      const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: CONFIRM });
      return requestInput({ confirm }, await states.mint(name));
    });
  }
  server.registerTool('test_input_required_result_multiple_inputs', DESCRIPTION, async ({ mcpReq }) => {
    const { inputResponses: responses } = mcpReq;
    const name = acceptedContent(responses, 'user_name', NAME);
    const greeting = inputResponse(responses, 'greeting');
    const roots = inputResponse(responses, 'client_roots');
    if (name !== undefined && greeting.kind === 'sampling' && roots.kind === 'roots') return buildTextResult(name.name);
    const client_roots = inputRequired.listRoots();
    const requests = {
      user_name: buildNameRequest(),
      greeting: buildSamplingRequest('Generate a greeting', 50),
      client_roots,
    };
    return requestInput(requests, await states.mint('multiple'));
  });
  server.registerTool('test_input_required_result_multi_round', DESCRIPTION, async (context) =>
    requestNameThenColor(context, states),
  );
}

/** Asks the client for a name, then for a color, and stores the name in the request state. */
async function requestNameThenColor({ mcpReq }: ServerContext, states: RequestStates) {
  const { inputResponses: responses } = mcpReq;
  const known = mcpReq.requestState<string>();
  const named = acceptedContent(responses, 'step1', NAME);
  const colored = acceptedContent(responses, 'step2', COLOR);
  if (known !== undefined && known !== '' && colored !== undefined)
    return buildTextResult(`${known}: ${colored.color}`);
  if (named === undefined)
    return requestInput({ step1: buildNameRequest('Step 1: What is your name?') }, await states.mint(''));
  const message = 'Step 2: What is your favorite color?';
  return requestInput(
    { step2: inputRequired.elicit({ message, requestedSchema: COLOR }) },
    await states.mint(named.name),
  );
}

function requestInput(inputRequests: Record<string, InputRequest>, requestState?: string): InputRequiredResult {
  return inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

function buildNameRequest(message = 'What is your name?'): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: NAME });
}

function buildSamplingRequest(text: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}
