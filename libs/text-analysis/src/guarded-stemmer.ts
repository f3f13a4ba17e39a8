/** Returns what the forms of a normalised word have in common. */
export type Stemmer = (word: string) => string;

/** Receives a message for people. `process.emitWarning` in services. */
export type Warn = (message: string) => void;

/**
 * Returns the stemmer with a fallback: a word over which it throws is its own stem. One word must not keep a document from
 * being indexed, nor a question from being answered.
 *
 * @param language ISO 639-1, for the warning, which is emitted for the first such word only
 */
export function guardedStemmer(language: string, stem: Stemmer, warn: Warn = emitWarning): Stemmer {
  let hasWarned = false;
  return (word) => {
    try {
      return stem(word);
    } catch (error) {
      if (!hasWarned) warn(`the stemmer of ${language} failed on "${word}", which is kept as it is: ${String(error)}`);
      hasWarned = true;
      return word;
    }
  };
}

function emitWarning(message: string): void {
  process.emitWarning(message, { code: 'QUARRY_STEMMER_FAILED' });
}
