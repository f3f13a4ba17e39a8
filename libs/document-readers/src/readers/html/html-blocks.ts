import { Parser } from 'htmlparser2';
import type { Block } from '../block.js';
import { HeadingPath } from '../heading-path.js';
import { HtmlBlockBuilder } from './html-block-builder.js';

const COMMENT = '<!--';
/**
 * Matches end tags at the start of a text. The parser emits no event for the end tag of an element that is not open.
 */
const UNMATCHED_END_TAGS = /^(?:<\/[^>]*>\s*)+/;

/**
 * Maximum number of unfinished tags of a document, to limit the parsing time. The text after the last of them becomes
 * plain text.
 */
const MAX_UNFINISHED = 20;

/** Parses HTML into headings, paragraphs, lists, tables and preformatted text. */
export function parseHtmlBlocks(html: string, headings = new HeadingPath()): readonly Block[] {
  const builder = new HtmlBlockBuilder(headings);
  parseHtmlIntoBuilder(builder, html, 0);
  return builder.endDocument();
}

/**
 * Parses HTML into the blocks of a builder. The parser drops a tag or comment without an end, with all text after its
 * `<`. In that case, this function adds the `<` of a tag as text, and parses the text after it.
 *
 * @param unfinished number of tags without an end that precede `source` in the document
 */
function parseHtmlIntoBuilder(builder: HtmlBlockBuilder, source: string, unfinished: number): void {
  const html = source.trimEnd();
  /** Position in `html` after the last tag, comment or text that the parser has reported. */
  let end = 0;
  let isComplete = true;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        end = parser.endIndex + 1;
        builder.openElement(name, attributes);
      },
      ontext: (text) => {
        end = parser.endIndex + 1;
        if (isComplete) builder.addText(text);
      },
      oncomment: () => {
        end = parser.endIndex + 1;
      },
      onclosetag: (name, isImplied) => {
        if (!isImplied) end = parser.endIndex + 1;
        builder.closeElement(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(html);
  const rest = html.slice(end).replace(UNMATCHED_END_TAGS, '');
  isComplete = parser.startIndex >= html.length || !rest.startsWith('<');
  if (!isComplete) {
    const { marker, content } = splitTagStart(rest);
    builder.addText(marker);
    if (unfinished < MAX_UNFINISHED) parseHtmlIntoBuilder(builder, content, unfinished + 1);
    else builder.addText(content);
  }
  parser.end();
}

/**
 * Splits an unfinished tag or comment into a marker to display and the text after its start. The marker is `<` for a
 * tag, and '' for a comment.
 */
function splitTagStart(unfinishedTag: string): { readonly marker: string; readonly content: string } {
  if (unfinishedTag.startsWith(COMMENT)) return { marker: '', content: unfinishedTag.slice(COMMENT.length) };
  return { marker: '<', content: unfinishedTag.slice(1) };
}
