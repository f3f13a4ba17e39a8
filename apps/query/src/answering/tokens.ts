/** Between English prose (4.3) and code, digits and other languages (about 3), counted by OpenAI's tokenizers. */
const BYTES_PER_TOKEN = 3.5;

/** About how many tokens a text has, rather too many than too few. No tokenizer: each model has its own, and none is needed for a budget. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The beginning of a text that has about so many tokens, never with half a character at its end. */
export function truncate(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, Math.floor(tokens * BYTES_PER_TOKEN));
  return new TextDecoder().decode(bytes, { stream: true });
}
