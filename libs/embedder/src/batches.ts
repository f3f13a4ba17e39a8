/** How much one request may hold: a provider refuses what is larger. */
export interface BatchLimits {
  readonly tokens: number;
  readonly texts: number;
}

/**
 * A guess at how many tokens a text has, made without the model's own tokenizer and rather too high than too low: English has
 * about 4 characters a token, most other scripts between 1 and 2.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 3.5 + (text.length - ascii)) + 1;
}

/** Cuts texts into batches within the limits, in order. A text that is over the limit by itself is a batch by itself. */
export function batchesOf(texts: readonly string[], limits: BatchLimits): readonly (readonly string[])[] {
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
