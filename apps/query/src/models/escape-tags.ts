/**
 * Matches the first character of the turn markers of local chat templates: ChatML, Llama, Gemma, Mistral and DeepSeek.
 * Many model servers also parse turn markers that are part of the text of a message.
 */
const TURN_MARKER =
  /<(?=[|｜]|\/?s>|[be]os>|(?:start|end)_of_turn>|<\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/gi;

/**
 * Escapes turn markers and the tags of the given names in a text. Without this, the text could end its part of the
 * prompt or its message early.
 *
 * @param names names of the tags that enclose the parts of the prompt
 */
export function escapeTags(text: string, ...names: readonly [string, ...string[]]): string {
  const tags = new RegExp(String.raw`<(?=\s*(?:/\s*)?(?:${names.join('|')})\b)`, 'gi');
  return escapeTurnMarkers(text.replace(tags, '&lt;'));
}

/**
 * Escapes the turn markers in the text of a message. Otherwise a model server could parse a part of the text as a
 * message of another role.
 */
export function escapeTurnMarkers(text: string): string {
  return text.replace(TURN_MARKER, (character) => (character === '<' ? '&lt;' : '&#91;'));
}
