/** Limits of a request to a provider, which rejects larger requests. */
export interface BatchLimits {
  readonly tokens: number;
  readonly texts: number;
}

/**
 * Estimates the number of tokens of a text without the tokenizer of the model. The estimate is more often too high than
 * too low. English has about 4 characters per token, most other scripts between 1 and 2.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 3.5 + (text.length - ascii)) + 1;
}

/** Splits texts into batches within the limits, in order. A text above the token limit is a batch of its own. */
export function splitIntoBatches(texts: readonly string[], limits: BatchLimits): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const tokens = estimateTokens(text);
    const current = batches.at(-1);
    if (current === undefined || tokens > room || current.length >= limits.texts) {
      batches.push([text]);
      room = limits.tokens - tokens;
    } else {
      current.push(text);
      room -= tokens;
    }
  }
  return batches;
}
