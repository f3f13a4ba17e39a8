import { readDrawingParagraphs } from './drawing-text.js';
import { findChild, findDescendant, type XmlElement } from './xml.js';

/** Lists the types of placeholders that slides repeat: dates, footers, headers, slide numbers and slide images. */
const BOILERPLATE = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const SHAPES = new Set(['sp', 'graphicFrame', 'pic']);
/** Matches a file name, which is the default alternative text of a picture. */
const FILE_NAME = /^\S+\.\w{3,4}$/;

/** Yields the text shapes, graphic frames and pictures in an element, including those in groups. */
export function* findShapes(element: XmlElement): Generator<XmlElement> {
  for (const below of element.children) {
    if (SHAPES.has(below.name)) yield below;
    // Skips a fallback, because it is a copy of the drawing for older programs.
    else if (below.name !== 'Fallback') yield* findShapes(below);
  }
}

/**
 * Returns the placeholder type of a shape, such as `title`. Returns `body` for a placeholder without a type, and '' for
 * a shape that is no placeholder. Source: ECMA-376, part 1, section 19.3.1.36.
 */
export function getPlaceholderType(shape: XmlElement): string {
  const placeholder = findDescendant(findNonVisualProperties(shape), 'ph');
  return placeholder === undefined ? '' : (placeholder.attributes['type'] ?? 'body');
}

/**
 * Returns the child element that contains the non-visual properties of a shape, such as its name and placeholder type.
 */
function findNonVisualProperties(shape: XmlElement): XmlElement | undefined {
  return shape.children.find(({ name }) => /^nv\w+Pr$/.test(name));
}

export function isBoilerplateShape(shape: XmlElement): boolean {
  return BOILERPLATE.has(getPlaceholderType(shape));
}

export function getShapeText(shape: XmlElement): string {
  const body = findChild(shape, 'txBody');
  const lines = body === undefined ? [] : readDrawingParagraphs(body).map((paragraph) => paragraph.text);
  return lines.join('\n');
}

/** Returns the alternative text of a picture. Returns '' if the picture has none, or only its file name. */
export function getAltText(picture: XmlElement): string {
  const description = findDescendant(findNonVisualProperties(picture), 'cNvPr')?.attributes['descr']?.trim() ?? '';
  return FILE_NAME.test(description) ? '' : description;
}
