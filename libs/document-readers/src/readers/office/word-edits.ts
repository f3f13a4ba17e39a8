import type { SaxesParser } from 'saxes';
import { mathText } from './math-text.js';
import { paragraphsOf } from './drawing-text.js';
import { run, wordParagraph } from './word-markup.js';
import type { WordNumbering } from './word-numbering.js';
import { placeOfParagraph, rewrittenPlace, type ParagraphPlace } from './word-paragraph.js';
import type { WordStyles } from './word-styles.js';
import { firstBelow, parseXml, walkXml, type XmlEvents } from './xml.js';

/** A part of a text, and what stands there instead. */
export interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

export interface WordContext {
  readonly styles: WordStyles;
  readonly numbering: WordNumbering | undefined;
  /** WordprocessingML of a chart or a diagram. @param name of the element that refers to it */
  drawn(name: string, attributes: Readonly<Record<string, string>>): string;
}

/** Elements around text that mammoth leaves out with it: fields, directions of writing, and texts with their pronunciation. */
const AROUND_TEXT = new Set(['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase']);

/** Shapes whose text mammoth leaves out, unlike that of others. */
const OTHER_SHAPES = new Set(['v:arc', 'v:curve', 'v:line', 'v:oval', 'v:polyline']);
const SHAPE = 'v:shape';

/** What is to be written where, from the start of the text to its end. @param text a part of the document: itself, or its notes */
export function wordEdits(text: string, context: WordContext): readonly Edit[] {
  const collector = new EditCollector(text, context);
  walkXml(text, collector);
  return [...collector.edits].sort((one, other) => one.at - other.at);
}

/** An element that has begun. */
interface Open {
  readonly name: string;
  readonly start: number;
  /** Where its first tag ends. */
  readonly inside: number;
}

interface OpenParagraph {
  place: (ParagraphPlace & Pick<Edit, 'at' | 'until'>) | undefined;
  length: number;
  /** Markup that goes behind it. */
  behind: string;
}

/** One drawing in several versions, of which mammoth reads the last, for older programs. */
interface Versions {
  /** Paragraphs of the newest. */
  boxes: string;
  hasText: boolean;
}

class EditCollector implements XmlEvents {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #context: WordContext;
  readonly #open: Open[] = [];
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #versions: Versions[] = [];
  #formulas = 0;
  #newest = 0;
  #drawings = 0;

  constructor(text: string, context: WordContext) {
    this.#text = text;
    this.#context = context;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, parser: SaxesParser): void {
    const inside = parser.position;
    const start = this.#text.lastIndexOf('<', inside - 1);
    this.#open.push({ name, start, inside });
    if (AROUND_TEXT.has(name)) this.#replace(start, inside, '');
    else if (OTHER_SHAPES.has(name)) this.#replace(start + 1, start + 1 + name.length, SHAPE);
    else if (name === 'w:cr') this.#replace(start, inside, '<w:br/>');
    else if (name === 'w:p') this.#paragraphs.push({ place: undefined, length: 0, behind: '' });
    else if (name === 'm:oMath' || name === 'm:oMathPara') this.#formulas += 1;
    else if (name === 'w:drawing') this.#drawings += 1;
    else if (name === 'mc:AlternateContent') this.#versions.push({ boxes: '', hasText: false });
    else if (name === 'mc:Choice') this.#newest += 1;
    else if (name === 'c:chart' || name === 'dgm:relIds') this.#putBehind(this.#context.drawn(name, attributes));
  }

  text(text: string): void {
    if (this.#open.at(-1)?.name !== 'w:t') return;
    this.#lengthen(text);
    const versions = this.#versions.at(-1);
    if (versions !== undefined && this.#newest === 0) versions.hasText = true;
  }

  close(name: string, parser: SaxesParser): void {
    const { start = 0, inside = 0 } = this.#open.pop() ?? {};
    const until = parser.position;
    const end = this.#text.lastIndexOf('<', until - 1);
    if (AROUND_TEXT.has(name) && end > start) this.#replace(end, until, '');
    else if (OTHER_SHAPES.has(name) && end > start) this.#replace(end + 2, end + 2 + name.length, SHAPE);
    else if (name === 'w:pPr') this.#closeProperties(start, until);
    else if (name === 'w:p') this.#closeParagraph(until);
    else if (name === 'm:oMath' || name === 'm:oMathPara') this.#closeFormula(start, until);
    else if (name === 'w:drawing') this.#drawings -= 1;
    else if (name === 'mc:Choice') this.#newest -= 1;
    else if (name === 'mc:AlternateContent') this.#closeVersions();
    else if (name === 'w:txbxContent' && this.#drawings > 0) this.#addBox(this.#text.slice(inside, end));
    else if (name === 'a:txBody' && this.#drawings > 0) this.#addBox(drawnText(this.#text.slice(start, until)));
  }

  /** Inside a tracked change there are the properties of before, too. */
  #closeProperties(at: number, until: number): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || this.#open.at(-1)?.name !== 'w:p' || this.#newest > 0) return;
    const { styles, numbering } = this.#context;
    paragraph.place = { at, until, ...placeOfParagraph(this.#text.slice(at, until), styles, numbering) };
  }

  #closeParagraph(until: number): void {
    const { place, length = 0, behind = '' } = this.#paragraphs.pop() ?? {};
    const rewritten = place === undefined ? undefined : rewrittenPlace(place, length);
    if (place !== undefined && rewritten !== undefined) this.#replace(place.at, place.until, rewritten);
    if (behind !== '') this.#replace(until, until, behind);
  }

  /** Formulas that stand by themselves are wrapped in a paragraph of formulas. */
  #closeFormula(start: number, until: number): void {
    this.#formulas -= 1;
    if (this.#formulas > 0) return;
    const text = mathText(parseXml(this.#text.slice(start, until))).trim();
    this.#lengthen(text);
    this.#replace(start, until, text === '' ? '' : run(` ${text} `));
  }

  #addBox(paragraphs: string): void {
    const versions = this.#versions.at(-1);
    if (versions === undefined) this.#putBehind(paragraphs);
    else if (this.#newest > 0) versions.boxes += paragraphs;
  }

  #closeVersions(): void {
    const versions = this.#versions.pop();
    if (versions !== undefined && !versions.hasText) this.#addBox(versions.boxes);
  }

  /** What is drawn goes behind the paragraph that is not drawn itself. */
  #putBehind(markup: string): void {
    const [outermost] = this.#paragraphs;
    if (outermost !== undefined) outermost.behind += markup;
  }

  #lengthen(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.length += text.length;
  }

  #replace(at: number, until: number, text: string): void {
    this.edits.push({ at, until, text });
  }
}

/** The paragraphs of a shape as WordprocessingML. */
function drawnText(source: string): string {
  const body = firstBelow(parseXml(source), 'txBody');
  return body === undefined
    ? ''
    : paragraphsOf(body)
        .map(({ text }) => wordParagraph(text))
        .join('');
}
