const MAX_WORDS = 25;

/** Words that docs/glossary.md and CONTRIBUTING.md replace by standard terms. */
const DENIED =
  /\b(tells?|told|telling|says?|said|hears?|heard|knows?|patien(?:ce|tly)|seal(?:ed|ing)|comes along|goes on|passed over)\b/i;

/** Returns the sentences of a Markdown text that break the rules of CONTRIBUTING.md, each with the rule. */
export function findProseProblems(markdown: string): readonly string[] {
  return readSentences(markdown).flatMap((sentence) => {
    const words = countWords(sentence);
    const [denied] = DENIED.exec(sentence) ?? [];
    return [
      ...(words > MAX_WORDS ? [`${words} words, at most ${MAX_WORDS}: ${sentence}`] : []),
      ...(denied === undefined ? [] : [`"${denied}" is not a term: ${sentence}`]),
    ];
  });
}

/**
 * Splits the paragraphs and list items of a text into sentences. Code counts as one word, and fences and table rules are
 * omitted.
 */
function readSentences(markdown: string): readonly string[] {
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
