/** Returns the stem of a normalized word, which is the same for all forms of the word. */
export type Stemmer = (word: string) => string;

/** Emits a warning for operators. Services use `process.emitWarning`. */
export type Warn = (message: string) => void;

/**
 * Wraps a stemmer with a fallback: if the stemmer throws an error for a word, the stem is the word itself. An error for
 * a single word must not prevent a document from being indexed or a query from being answered.
 *
 * @param language ISO 639-1 code for the warning; a guarded stemmer emits one warning only
 */
export function createGuardedStemmer(language: string, stem: Stemmer, warn: Warn = emitWarning): Stemmer {
  let hasWarned = false;
  return (word) => {
    try {
      return stem(word);
    } catch (error) {
      if (!hasWarned)
        warn(`the stemmer of ${language} failed on "${word}", which is indexed unchanged: ${String(error)}`);
      hasWarned = true;
      return word;
    }
  };
}

function emitWarning(message: string): void {
  process.emitWarning(message, { code: 'QUARRY_STEMMER_FAILED' });
}
