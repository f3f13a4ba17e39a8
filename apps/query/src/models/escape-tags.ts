/**
 * Matches the first character of the turn markers of local chat templates: ChatML, Llama, Gemma, Mistral and DeepSeek. Many
 * model servers parse them in the text of a message too.
 */
const TURN_MARKER =
  /<(?=[|｜]|\/?s>|[be]os>|(?:start|end)_of_turn>|<\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/gi;

/**
 * Escapes opening and closing tags and turn markers in a text. The text can then leave neither its part of a prompt nor
 * its message.
 *
 * @param names of the tags that enclose the parts of the prompt
 */
export function escapeTags(text: string, ...names: readonly [string, ...string[]]): string {
  const tags = new RegExp(String.raw`<(?=\s*/?\s*(?:${names.join('|')})\b)`, 'gi');
  return escapeTurnMarkers(text.replace(tags, '&lt;'));
}

/** Escapes the turn markers in the text of a message. Otherwise a model server would read another role's message in it. */
export function escapeTurnMarkers(text: string): string {
  return text.replace(TURN_MARKER, (character) => (character === '<' ? '&lt;' : '&#91;'));
}
