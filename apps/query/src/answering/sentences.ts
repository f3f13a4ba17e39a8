export interface Sentence {
  readonly text: string;
  /** A heading, a question, a line that ends with a colon: it says what follows is about, and is no answer itself. */
  readonly leadsIn: boolean;
  /** An item of a list or a row of a table: it stands on a line of its own. */
  readonly isLine: boolean;
}

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

const HEADING = /^\s*#{1,6}\s+/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const ROW = /^\s*\|/;
const RULE = /^[\s|:=_*-]*$/;
const LEADS_IN = /[?？؟:：]["'”’)]*$/;
/** Initials and short abbreviations, behind which a sentence goes on: `Dr.`, `J.`, `St.` */
const ABBREVIATION = /(?:^|[\s(])\p{Lu}\p{L}{0,2}\.$/u;
const MAX_LENGTH = 400;
const BREAK = /[\s,;、，；]/;

/** The sentences of a passage of plain text or Markdown, in any language, in the order they stand. */
export function sentencesOf(text: string): Sentence[] {
  return paragraphsOf(text).flatMap(({ text: paragraph, kind }) => {
    if (kind === 'heading') return [{ text: paragraph, leadsIn: true, isLine: true }];
    const parts = kind === 'row' ? [paragraph] : split(paragraph);
    const isLine = kind !== 'prose';
    return parts.flatMap(cut).map((part) => ({ text: part, leadsIn: LEADS_IN.test(part), isLine }));
  });
}

interface Paragraph {
  readonly text: string;
  readonly kind: 'prose' | 'heading' | 'item' | 'row';
}

/** Lines that belong together become one: the segmenter takes every line break for the end of a sentence. */
function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: { text: string; kind: Paragraph['kind'] }[] = [];
  let open: { text: string; kind: Paragraph['kind'] } | undefined;
  for (const line of text.split('\n')) {
    const kind = kindOf(line);
    const said = RULE.test(line) ? '' : plain(line, kind);
    if (said === '') open = undefined;
    else if (kind === 'prose' && open !== undefined) open.text += ` ${said}`;
    else {
      const paragraph = { text: said, kind };
      paragraphs.push(paragraph);
      open = kind === 'heading' || kind === 'row' ? undefined : paragraph;
    }
  }
  return paragraphs;
}

function kindOf(line: string): Paragraph['kind'] {
  if (HEADING.test(line)) return 'heading';
  if (ROW.test(line)) return 'row';
  return ITEM.test(line) ? 'item' : 'prose';
}

function plain(line: string, kind: Paragraph['kind']): string {
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

function split(paragraph: string): string[] {
  const parts: string[] = [];
  for (const { segment } of sentences.segment(paragraph)) {
    const before = parts.at(-1) ?? '';
    if (ABBREVIATION.test(before.trimEnd())) parts.splice(-1, 1, before + segment);
    else parts.push(segment);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Text without full stops is cut where a person would breathe. */
function cut(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_LENGTH) {
    const at = breakBefore(rest, MAX_LENGTH);
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...parts, rest].filter((part) => part !== '');
}

function breakBefore(text: string, end: number): number {
  for (let at = end; at > end / 2; at -= 1) if (BREAK.test(text[at - 1] ?? '')) return at;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
