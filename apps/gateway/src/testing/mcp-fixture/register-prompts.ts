import { acceptedContent, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { IsString } from '@quarry/validation';
import { createStandardSchema } from '../../mcp/standard-schema.js';
import { PNG } from './contents.js';

class TwoArguments {
  @IsString()
  readonly arg1: string;

  @IsString()
  readonly arg2: string;
}

class ResourceArgument {
  @IsString()
  readonly resourceUri: string;
}

class ContextInput {
  @IsString()
  readonly context: string;
}

function buildUserMessage(text: string) {
  return { role: 'user' as const, content: { type: 'text' as const, text } };
}

/** Registers MCP prompts with and without arguments, and a prompt that asks the client for input. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A text.' }, () => ({
    messages: [buildUserMessage('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A text with arguments.', argsSchema: createStandardSchema(TwoArguments) },
    ({ arg1, arg2 }) => ({ messages: [buildUserMessage(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A text with a resource.', argsSchema: createStandardSchema(ResourceArgument) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          buildUserMessage('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A text with a picture.' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      buildUserMessage('Please analyze the image above.'),
    ],
  }));
  const schema = createStandardSchema(ContextInput);
  server.registerPrompt('test_input_required_result_prompt', { description: 'Needs a context.' }, ({ mcpReq }) => {
    const input = acceptedContent(mcpReq.inputResponses, 'user_context', schema);
    if (input !== undefined) return { messages: [buildUserMessage(input.context)] };
    const user_context = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: schema,
    });
    return inputRequired({ inputRequests: { user_context } });
  });
}
