import { countTokens as countByteTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';

/**
 * A run of one kind of character that is long for a word. Merging byte pairs costs the square of a run's length, so that
 * 26,000 Chinese characters without a comma take seconds; a run is therefore counted in parts.
 */
const LONG_RUN = /\p{L}{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
const LONG = 200;
/** What looks like one of the model's own marks, such as `<|endoftext|>`, is text here. */
const NO_MARKS = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/*
 * The tokenizer keeps the words that it has merged. Full at its own size of 100,000, which a long-lived process reaches, it
 * searches among as many removed ones for the oldest at each new word, and becomes twenty times slower.
 */
setMergeCacheSize(1_000);

/**
 * How many tokens a text has in cl100k_base. That is the encoding in which OpenAI's embedding models count and charge; and it
 * finds more tokens than other tokenizers do in most scripts, so that a fragment also fits into a model with a vocabulary
 * of its own. o200k_base would find a third fewer in Chinese than such models do.
 */
export function countTokens(text: string): number {
  if (!mayHaveLongRun(text)) return countByteTokens(text, NO_MARKS);
  let tokens = 0;
  let counted = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const end = run.index + run[0].length;
    tokens += countByteTokens(text.slice(counted, end), NO_MARKS);
    counted = end;
  }
  return tokens + countByteTokens(text.slice(counted), NO_MARKS);
}

/** Looks at a few characters in 200, where looking for the run itself would look at each several times. */
function mayHaveLongRun(text: string): boolean {
  return isWithout(isSpace, text) || isWithout(isWritten, text);
}

/** Whether `LONG` code units in a row are none of a kind. */
function isWithout(isOfKind: (code: number) => boolean, text: string): boolean {
  let last = -1;
  for (let end = LONG - 1; end < text.length; end = last + LONG) {
    let at = end;
    while (at > last && !isOfKind(text.charCodeAt(at))) at -= 1;
    if (at === last) return true;
    last = at;
  }
  return false;
}

/** What ends most words. No letter and no sign is one of these. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a;
}

/** Of ASCII, what is no white space. */
function isWritten(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
