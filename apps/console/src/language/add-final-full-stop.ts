/** Adds a full stop to a sentence, unless the sentence ends with a punctuation mark. */
export function addFinalFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
