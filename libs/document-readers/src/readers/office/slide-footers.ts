import { roleOf, shapesOf, wordsOf } from './slide-shapes.js';
import { firstBelow, type XmlElement } from './xml.js';

const FOOTERS = new Set(['dt', 'ftr', 'hdr']);

/** What stands at a slide's foot; not what a program writes there, such as the date of today. */
export function footersOf(slide: XmlElement): readonly string[] {
  return [...shapesOf(slide)]
    .filter((shape) => FOOTERS.has(roleOf(shape)) && firstBelow(shape, 'fld') === undefined)
    .map(wordsOf)
    .filter((text) => text !== '');
}
