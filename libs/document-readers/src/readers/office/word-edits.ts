import type { SaxesParser } from 'saxes';
import { convertToLatex } from './math-text.js';
import { readDrawingParagraphs } from './drawing-text.js';
import { buildRunMarkup, buildParagraphMarkup, buildTextMarkup } from './word-markup.js';
import type { WordNumbering } from './word-numbering.js';
import { readParagraphOutline, rewriteParagraphProperties, type ParagraphOutline } from './word-paragraph.js';
import type { WordStyles } from './word-styles.js';
import { convertSymbolToText } from './word-symbols.js';
import { findDescendant, parseXml, parseXmlEvents, type XmlEvents } from './xml.js';

/** Describes an edit of a text: `text` replaces the characters from `at` to `until` (exclusive). */
export interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

export interface WordContext {
  readonly styles: WordStyles;
  readonly numbering: WordNumbering | undefined;
  /**
   * Returns WordprocessingML with the texts of a chart or diagram. @param name name of the element that references the
   * chart or diagram: `c:chart` or `dgm:relIds`
   */
  renderDrawing(name: string, attributes: Readonly<Record<string, string>>): string;
}

/**
 * Lists elements that mammoth skips together with their text: fields, bidirectional runs and ruby text. Edits remove
 * the tags of these elements and keep their text.
 */
const TEXT_WRAPPERS = new Set(['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase']);

/** Maps elements that mammoth ignores to elements with a similar meaning that mammoth reads. */
const REPLACEMENTS = new Map([
  ['w:cr', '<w:br/>'],
  ['w:ptab', '<w:tab/>'],
]);

/** Lists VML shapes whose text mammoth ignores. Edits rename them to `v:shape`, whose text mammoth reads. */
const OTHER_SHAPES = new Set(['v:arc', 'v:curve', 'v:line', 'v:oval', 'v:polyline']);
const SHAPE = 'v:shape';

/**
 * Finds the edits to apply to the XML of a Word document before mammoth reads it, in document order. @param text XML of
 * the document, or of a part with notes
 */
export function findWordEdits(text: string, context: WordContext): readonly Edit[] {
  const collector = new WordEditCollector(text, context);
  parseXmlEvents(text, collector);
  return [...collector.edits].sort((one, other) => one.at - other.at);
}

/** Describes an element whose end tag the parser has not reached. */
interface OpenElement {
  readonly name: string;
  readonly start: number;
  /** Position after the start tag of the element, in the XML text. */
  readonly contentStart: number;
  /** Markup that replaces the element. */
  readonly replacement: string | undefined;
}

interface OpenParagraph {
  outline: (ParagraphOutline & Pick<Edit, 'at' | 'until'>) | undefined;
  length: number;
  /** WordprocessingML to insert after the paragraph: the texts of its charts, diagrams and text boxes. */
  markupAfter: string;
}

/**
 * Describes an `mc:AlternateContent` element, which contains alternative forms of one drawing. Mammoth reads only the
 * last alternative, which is for older programs.
 */
interface Alternatives {
  /** WordprocessingML of the paragraphs in `mc:Choice`, which is inserted if the last alternative has no text. */
  boxes: string;
  hasText: boolean;
}

class WordEditCollector implements XmlEvents {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #context: WordContext;
  readonly #open: OpenElement[] = [];
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #alternatives: Alternatives[] = [];
  #formulaDepth = 0;
  #choiceDepth = 0;
  #drawingDepth = 0;

  constructor(text: string, context: WordContext) {
    this.#text = text;
    this.#context = context;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, parser: SaxesParser): void {
    const contentStart = parser.position;
    const start = this.#text.lastIndexOf('<', contentStart - 1);
    const replacement = name === 'w:sym' ? this.#convertSymbol(attributes) : REPLACEMENTS.get(name);
    this.#open.push({ name, start, contentStart, replacement });
    if (TEXT_WRAPPERS.has(name)) this.#replaceText(start, contentStart, '');
    else if (OTHER_SHAPES.has(name)) this.#replaceText(start + 1, start + 1 + name.length, SHAPE);
    else if (name === 'w:p') this.#paragraphs.push({ outline: undefined, length: 0, markupAfter: '' });
    else if (name === 'm:oMath' || name === 'm:oMathPara') this.#formulaDepth += 1;
    else if (name === 'w:drawing') this.#drawingDepth += 1;
    else if (name === 'mc:AlternateContent') this.#alternatives.push({ boxes: '', hasText: false });
    else if (name === 'mc:Choice') this.#choiceDepth += 1;
    else if (name === 'c:chart' || name === 'dgm:relIds')
      this.#insertAfterParagraph(this.#context.renderDrawing(name, attributes));
  }

  text(text: string): void {
    if (this.#open.at(-1)?.name !== 'w:t') return;
    this.#addParagraphLength(text);
    const alternatives = this.#alternatives.at(-1);
    if (alternatives !== undefined && this.#choiceDepth === 0) alternatives.hasText = true;
  }

  close(name: string, parser: SaxesParser): void {
    const { start = 0, contentStart = 0, replacement } = this.#open.pop() ?? {};
    const until = parser.position;
    const end = this.#text.lastIndexOf('<', until - 1);
    if (replacement !== undefined) this.#replaceText(start, until, replacement);
    else if (TEXT_WRAPPERS.has(name) && end > start) this.#replaceText(end, until, '');
    else if (OTHER_SHAPES.has(name) && end > start) this.#replaceText(end + 2, end + 2 + name.length, SHAPE);
    else if (name === 'w:pPr') this.#closeParagraphProperties(start, until);
    else if (name === 'w:p') this.#closeParagraph(until);
    else if (name === 'm:oMath' || name === 'm:oMathPara') this.#closeFormula(start, until);
    else if (name === 'w:drawing') this.#drawingDepth -= 1;
    else if (name === 'mc:Choice') this.#choiceDepth -= 1;
    else if (name === 'mc:AlternateContent') this.#closeAlternateContent();
    else if (name === 'w:txbxContent' && this.#drawingDepth > 0)
      this.#addTextBoxParagraphs(this.#text.slice(contentStart, end));
    else if (name === 'a:txBody' && this.#drawingDepth > 0)
      this.#addTextBoxParagraphs(convertDrawingToText(this.#text.slice(start, until)));
  }

  /** Returns the markup of a symbol. Returns undefined for an unknown symbol, because mammoth may support it. */
  #convertSymbol(attributes: Readonly<Record<string, string>>): string | undefined {
    const text = convertSymbolToText(attributes);
    this.#addParagraphLength(text);
    return text === '' ? undefined : buildTextMarkup(text);
  }

  /**
   * Reads the outline level and the list number of a paragraph at the end tag of its properties. Ignores properties
   * inside a tracked change, because they applied before the change.
   */
  #closeParagraphProperties(at: number, until: number): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || this.#open.at(-1)?.name !== 'w:p' || this.#choiceDepth > 0) return;
    const { styles, numbering } = this.#context;
    paragraph.outline = { at, until, ...readParagraphOutline(this.#text.slice(at, until), styles, numbering) };
  }

  #closeParagraph(until: number): void {
    const { outline, length = 0, markupAfter = '' } = this.#paragraphs.pop() ?? {};
    const rewritten = outline === undefined ? undefined : rewriteParagraphProperties(outline, length);
    if (outline !== undefined && rewritten !== undefined) this.#replaceText(outline.at, outline.until, rewritten);
    if (markupAfter !== '') this.#replaceText(until, until, markupAfter);
  }

  /**
   * Replaces a formula by LaTeX at the end tag of the formula element. Converts only the outermost formula element,
   * because a display formula consists of two nested elements.
   */
  #closeFormula(start: number, until: number): void {
    this.#formulaDepth -= 1;
    if (this.#formulaDepth > 0) return;
    const text = convertToLatex(parseXml(this.#text.slice(start, until))).trim();
    this.#addParagraphLength(text);
    this.#replaceText(start, until, text === '' ? '' : buildRunMarkup(` ${text} `));
  }

  #addTextBoxParagraphs(paragraphs: string): void {
    const alternatives = this.#alternatives.at(-1);
    if (alternatives === undefined) this.#insertAfterParagraph(paragraphs);
    else if (this.#choiceDepth > 0) alternatives.boxes += paragraphs;
  }

  #closeAlternateContent(): void {
    const alternatives = this.#alternatives.pop();
    if (alternatives !== undefined && !alternatives.hasText) this.#addTextBoxParagraphs(alternatives.boxes);
  }

  /** Inserts the markup of a drawing after the outermost paragraph that contains the drawing. */
  #insertAfterParagraph(markup: string): void {
    const [outermost] = this.#paragraphs;
    if (outermost !== undefined) outermost.markupAfter += markup;
  }

  #addParagraphLength(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.length += text.length;
  }

  #replaceText(at: number, until: number, text: string): void {
    this.edits.push({ at, until, text });
  }
}

/** Converts the paragraphs of a shape to WordprocessingML. @param source XML of the text of the shape (`a:txBody`) */
function convertDrawingToText(source: string): string {
  const body = findDescendant(parseXml(source), 'txBody');
  return body === undefined
    ? ''
    : readDrawingParagraphs(body)
        .map(({ text }) => buildParagraphMarkup(text))
        .join('');
}
