import { localName, walkXml } from './xml.js';

/**
 * The texts that the cells of a workbook name by their index. How they are pronounced is left out.
 * Source: ECMA-376, part 1, section 18.4.8.
 *
 * @param part as it is written
 */
export function sharedStrings(part: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPronunciation = false;
  walkXml(part, {
    open: (name) => {
      const local = localName(name);
      if (local === 'si') text = '';
      else if (local === 'rPh') isPronunciation = true;
      isText = local === 't' && !isPronunciation;
    },
    text: (found) => {
      if (isText) text += found;
    },
    close: (name) => {
      const local = localName(name);
      if (local === 'si') strings.push(unescaped(text));
      else if (local === 'rPh') isPronunciation = false;
      isText = false;
    },
  });
  return strings;
}

/** `_x000D_` stands for a character that XML cannot hold. Source: ECMA-376, part 1, section 22.9.2.19. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
