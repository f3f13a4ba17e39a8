import { removePrefix, parseXmlEvents } from './xml.js';

/**
 * Reads the shared strings of a workbook, without phonetic text. Source: ECMA-376, part 1, section 18.4.8.
 *
 * @param part XML of the part with the shared strings
 */
export function readSharedStrings(part: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPronunciation = false;
  parseXmlEvents(part, {
    open: (name) => {
      const local = removePrefix(name);
      if (local === 'si') text = '';
      else if (local === 'rPh') isPronunciation = true;
      isText = local === 't' && !isPronunciation;
    },
    text: (found) => {
      if (isText) text += found;
    },
    close: (name) => {
      const local = removePrefix(name);
      if (local === 'si') strings.push(decodeStringEscapes(text));
      else if (local === 'rPh') isPronunciation = false;
      isText = false;
    },
  });
  return strings;
}

/**
 * Decodes the escape sequences for characters that XML cannot contain, such as `_x000D_`. Source: ECMA-376, part 1,
 * section 22.9.2.19.
 */
export function decodeStringEscapes(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
