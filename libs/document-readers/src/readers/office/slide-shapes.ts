import { paragraphsOf } from './drawing-text.js';
import { child, firstBelow, type XmlElement } from './xml.js';

/** What a presentation's slides repeat. */
const FURNITURE = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const SHAPES = new Set(['sp', 'graphicFrame', 'pic']);
/** Programs describe a picture by the name of its file where nobody did. */
const FILE_NAME = /^\S+\.\w{3,4}$/;

/** Text shapes, frames and pictures, also those in groups. */
export function* shapesOf(element: XmlElement): Generator<XmlElement> {
  for (const below of element.children) {
    if (SHAPES.has(below.name)) yield below;
    // Of the versions of a drawing for older programs, only one is shown.
    else if (below.name !== 'Fallback') yield* shapesOf(below);
  }
}

/** What a shape is for, such as `title`; empty for no placeholder. One without a type is for the slide's body. Source: ECMA-376, part 1, section 19.3.1.36. */
export function roleOf(shape: XmlElement): string {
  const placeholder = firstBelow(nonVisual(shape), 'ph');
  return placeholder === undefined ? '' : (placeholder.attributes['type'] ?? 'body');
}

/** What is said of a shape beside its look and its text. */
function nonVisual(shape: XmlElement): XmlElement | undefined {
  return shape.children.find(({ name }) => /^nv\w+Pr$/.test(name));
}

export function isFurniture(shape: XmlElement): boolean {
  return FURNITURE.has(roleOf(shape));
}

export function wordsOf(shape: XmlElement): string {
  const body = child(shape, 'txBody');
  const lines = body === undefined ? [] : paragraphsOf(body).map((paragraph) => paragraph.text);
  return lines.join('\n');
}

/** What a picture shows, for people who cannot see it. */
export function descriptionOf(picture: XmlElement): string {
  const description = firstBelow(nonVisual(picture), 'cNvPr')?.attributes['descr']?.trim() ?? '';
  return FILE_NAME.test(description) ? '' : description;
}
