/** Returns the common stem of the forms of a normalized word. */
export type Stemmer = (word: string) => string;

/** Receives a message for operators: `process.emitWarning` in services. */
export type Warn = (message: string) => void;

/**
 * Wraps a stemmer with a fallback: if the stemmer throws, the stem is the word itself. A single word must not prevent a
 * document from being indexed or a query from being answered.
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
