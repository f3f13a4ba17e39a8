const MAX_WORDS = 25;

/** Matches words that documents must not contain, because docs/glossary.md and CONTRIBUTING.md require other terms. */
const DENIED =
  /\b(tells?|told|telling|says?|said|hears?|heard|knows?|patien(?:ce|tly)|seal(?:ed|ing)|comes along|goes on|passed over)\b/i;

/**
 * Returns a message for each sentence of a Markdown text that violates a prose rule of CONTRIBUTING.md. The message
 * contains the rule and the sentence.
 */
export function findProseProblems(markdown: string): readonly string[] {
  return splitIntoSentences(markdown).flatMap((sentence) => {
    const words = countWords(sentence);
    const [denied] = DENIED.exec(sentence) ?? [];
    return [
      ...(words > MAX_WORDS ? [`expected at most ${MAX_WORDS} words, found ${words}: ${sentence}`] : []),
      ...(denied === undefined ? [] : [`expected a standard term, found "${denied}": ${sentence}`]),
    ];
  });
}

/**
 * Splits the paragraphs, list items and table cells of a Markdown text into sentences. Inline code becomes one word.
 * Fenced code and lines without letters are omitted.
 */
function splitIntoSentences(markdown: string): readonly string[] {
  return markdown
    .replace(/^(```|~~~)[^]*?^\1$/gm, '')
    .replace(/^# @.*$/gm, '')
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\||#)\s)|(?<=\|)\n|(?<=\S) \| (?=\S)|\s\|\s/)
    .flatMap((block) =>
      block
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?][”"')_*]*)\s+|(?<=:\**)\s+(?=[“"'(_*]*[A-Z])/),
    )
    .filter((sentence) => /\p{L}/u.test(sentence));
}

function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
