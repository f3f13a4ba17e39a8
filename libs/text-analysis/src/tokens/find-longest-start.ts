import { truncateText } from '../truncate-text.js';

/**
 * Returns the longest beginning of a text that fits, and that does not end within a surrogate pair.
 *
 * @param fits returns true for a part that fits, and then also for shorter parts
 */
export function findLongestStart(text: string, fits: (part: string) => boolean): string {
  let [fitting, exceeding] = [0, text.length + 1];
  while (exceeding - fitting > 1) {
    const middle = Math.floor((fitting + exceeding) / 2);
    if (fits(text.slice(0, middle))) fitting = middle;
    else exceeding = middle;
  }
  return truncateText(text, fitting);
}
