import { DRAWING } from './make-chart.js';
import { createArchive, OFFICE, createRelationships } from './package.js';

const SLIDE = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${OFFICE}" ${DRAWING}`;

export interface MadeSlide {
  /** PresentationML inside `p:spTree`. */
  readonly shapes: string;
  /** PresentationML inside the notes' `p:spTree`. */
  readonly notes?: string;
  /** ChartML with the relationship id `chart`. */
  readonly chart?: string;
  /** PresentationML of `p:cmLst`. */
  readonly comments?: string;
  readonly hidden?: boolean;
}

/**
 * Creates a presentation with slides in the given order. The numbers in the file names of slides are in reverse order,
 * to test that readers ignore them.
 */
export function makePptx(slides: readonly MadeSlide[]): Uint8Array {
  const getFileName = (index: number): number => slides.length - index;
  const parts = slides.flatMap(({ shapes, notes, chart, comments, hidden }, index) => {
    const file = getFileName(index);
    const createShapeTree = (content: string): string => `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`;
    const related = createRelationships({
      ...(notes === undefined ? {} : { notes: ['notesSlide', `../notesSlides/notesSlide${file}.xml`] as const }),
      ...(chart === undefined ? {} : { chart: ['chart', `../charts/chart${file}.xml`] as const }),
      ...(comments === undefined ? {} : { comments: ['comments', `../comments/comment${file}.xml`] as const }),
    });
    return [
      [
        `ppt/slides/slide${file}.xml`,
        `<p:sld ${SLIDE}${hidden === true ? ' show="0"' : ''}>${createShapeTree(shapes)}</p:sld>`,
      ],
      [`ppt/slides/_rels/slide${file}.xml.rels`, related],
      ...(notes === undefined
        ? []
        : [[`ppt/notesSlides/notesSlide${file}.xml`, `<p:notes ${SLIDE}>${createShapeTree(notes)}</p:notes>`]]),
      ...(chart === undefined ? [] : [[`ppt/charts/chart${file}.xml`, chart]]),
      ...(comments === undefined ? [] : [[`ppt/comments/comment${file}.xml`, comments]]),
    ] as [string, string][];
  });
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`);
  const targets = slides.map((_, index) => [`r${index}`, ['slide', `slides/slide${getFileName(index)}.xml`]] as const);
  return createArchive({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'ppt/presentation.xml': `<p:presentation ${SLIDE}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': createRelationships({
      ...Object.fromEntries(targets),
      authors: ['commentAuthors', 'commentAuthors.xml'],
    }),
    'ppt/commentAuthors.xml': `<p:cmAuthorLst ${SLIDE}><p:cmAuthor id="7" name="Ada"/></p:cmAuthorLst>`,
    ...Object.fromEntries(parts),
  });
}

/** Writes a text shape of a slide. @param placeholder type of the placeholder, such as `title` */
export function createTextShape(
  lines: readonly (string | { readonly level: number; readonly text: string })[],
  placeholder?: string,
): string {
  const paragraphs = lines.map((line) => {
    const { level, text } = typeof line === 'string' ? { level: 0, text: line } : line;
    return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
  });
  const role = placeholder === undefined ? '' : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  return `<p:sp><p:nvSpPr>${role}</p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}
