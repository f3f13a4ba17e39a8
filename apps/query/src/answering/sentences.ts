/** Describes a sentence, heading, list item or table row of a passage. */
export interface Sentence {
  readonly text: string;
  /**
   * Marks a heading, a question or a line that ends with a colon: it introduces the text after it and does not answer a question
   * itself.
   */
  readonly isLeadIn: boolean;
  /**
   * Marks a list item, a table row or a paragraph such as a heading without an end mark, which is written on a line of its own.
   */
  readonly isLine: boolean;
}

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

const HEADING = /^\s*#{1,6}\s+/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const ROW = /^\s*\|/;
const RULE = /^[\s|:=_*-]*$/;
const ENDS_SENTENCE = /[.!?…。！？؟।։።]['"”’)\]]*$/;
const LEADS_IN = /[?？؟:：]["'”’)]*$/;
/** Matches an initial or a short abbreviation at the end of a text: `Dr.`, `J.`, `St.` They do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])\p{Lu}\p{L}{0,2}\.$/u;
const MAX_LENGTH = 400;
const BREAK = /[\s,;、，；]/;

/** Splits plain text or Markdown, in any language, into its sentences in text order. */
export function splitIntoSentences(text: string): Sentence[] {
  return splitIntoParagraphs(text).flatMap(({ text: paragraph, kind }) => {
    if (kind === 'heading') return [{ text: paragraph, isLeadIn: true, isLine: true }];
    const parts = kind === 'row' ? [paragraph] : splitParagraph(paragraph);
    const isLine = kind !== 'prose' || (parts.length === 1 && !ENDS_SENTENCE.test(paragraph));
    return parts.flatMap(splitLongSentence).map((part) => ({ text: part, isLeadIn: LEADS_IN.test(part), isLine }));
  });
}

interface Paragraph {
  readonly text: string;
  readonly kind: 'prose' | 'heading' | 'item' | 'row';
}

/** Splits text into paragraphs. Joins the lines of each one, because the segmenter ends a sentence at every line break. */
function splitIntoParagraphs(text: string): Paragraph[] {
  const paragraphs: { text: string; kind: Paragraph['kind'] }[] = [];
  let open: { text: string; kind: Paragraph['kind'] } | undefined;
  for (const line of text.split('\n')) {
    const kind = detectLineKind(line);
    const content = RULE.test(line) ? '' : stripMarkup(line, kind);
    if (content === '') open = undefined;
    else if (kind === 'prose' && open !== undefined) open.text += ` ${content}`;
    else {
      const paragraph = { text: content, kind };
      paragraphs.push(paragraph);
      open = kind === 'heading' || kind === 'row' ? undefined : paragraph;
    }
  }
  return paragraphs;
}

function detectLineKind(line: string): Paragraph['kind'] {
  if (HEADING.test(line)) return 'heading';
  if (ROW.test(line)) return 'row';
  return ITEM.test(line) ? 'item' : 'prose';
}

function stripMarkup(line: string, kind: Paragraph['kind']): string {
  if (kind === 'heading')
    return line
      .replace(HEADING, '')
      .replace(/\s+#+\s*$/, '')
      .trim();
  if (kind === 'row')
    return line
      .replace(/^\s*\||\|\s*$/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return line.replace(ITEM, '').trim();
}

function splitParagraph(paragraph: string): string[] {
  const parts: string[] = [];
  for (const { segment } of sentences.segment(paragraph)) {
    const before = parts.at(-1) ?? '';
    if (ABBREVIATION.test(before.trimEnd())) parts.splice(-1, 1, before + segment);
    else parts.push(segment);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Splits a sentence at spaces and commas into parts of at most the maximum length. */
function splitLongSentence(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_LENGTH) {
    const at = findBreakBefore(rest, MAX_LENGTH);
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...parts, rest].filter((part) => part !== '');
}

function findBreakBefore(text: string, end: number): number {
  for (let at = end; at > end / 2; at -= 1) if (BREAK.test(text[at - 1] ?? '')) return at;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
