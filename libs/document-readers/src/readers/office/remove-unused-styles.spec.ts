import { describe, expect, it } from 'vitest';
import { removeUnusedStyles } from './remove-unused-styles.js';

const createStyle = (id: string, inside = '', attributes = ''): string =>
  `<w:style w:type="paragraph"${attributes} w:styleId="${id}"><w:name w:val="${id}"/>${inside}</w:style>`;
const BASE = createStyle('Base');
const HEADING = createStyle('Heading', '<w:basedOn w:val="Base"/><w:link w:val="HeadingChar"/>');
const LINKED = createStyle('HeadingChar');
const DEFAULT = createStyle('Normal', '', ' w:default="1"');
const TABLE = createStyle('Grid');

describe('removeUnusedStyles', () => {
  it('removeUnusedStyles keeps default styles, used styles, and every style that a kept style is based on or linked to', () => {
    const others = ['Quote', 'Caption'].map((id) => createStyle(id, '<w:basedOn w:val="Normal"/>'));
    const styles = `<w:styles>${[BASE, HEADING, ...others, LINKED, DEFAULT, TABLE].join('')}</w:styles>`;
    const texts = [
      "<w:p><w:pPr><w:pStyle w:val='Heading'/></w:pPr></w:p>",
      '<w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr>',
    ];
    expect(removeUnusedStyles(styles, texts)).toBe(
      `<w:styles>${[BASE, HEADING, LINKED, DEFAULT, TABLE].join('')}</w:styles>`,
    );
  });

  it('removeUnusedStyles keeps styles without an id and styles that it cannot parse', () => {
    const nameless = '<w:style w:type="paragraph"><w:name w:val="x"/></w:style>';
    const empty = '<w:style w:styleId="Empty"/>';
    for (const xml of [nameless, empty, '<w:styles>']) expect(removeUnusedStyles(xml, [])).toBe(xml);
  });
});
