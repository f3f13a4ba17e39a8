import { findChild, type XmlElement } from './xml.js';

type Writer = (element: XmlElement) => string;

/**
 * Maps the name of each Office Math element to a function that converts it to LaTeX. Source: ECMA-376, part 1, section
 * 22.1.
 */
const WRITERS: Readonly<Record<string, Writer>> = {
  f: (element) => `\\frac{${convertPart(element, 'num')}}{${convertPart(element, 'den')}}`,
  sSup: (element) => `${convertPart(element, 'e')}^{${convertPart(element, 'sup')}}`,
  sSub: (element) => `${convertPart(element, 'e')}_{${convertPart(element, 'sub')}}`,
  sSubSup: (element) =>
    `${convertPart(element, 'e')}_{${convertPart(element, 'sub')}}^{${convertPart(element, 'sup')}}`,
  sPre: (element) => `{}_{${convertPart(element, 'sub')}}^{${convertPart(element, 'sup')}}${convertPart(element, 'e')}`,
  rad: (element) => {
    const degree = convertPart(element, 'deg');
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${convertPart(element, 'e')}}`;
  },
  nary: (element) => {
    const sign = readProperty(element, 'naryPr', 'chr') ?? '∫';
    return `${toLatexSymbols(sign)}${formatBound('_', convertPart(element, 'sub'))}${formatBound('^', convertPart(element, 'sup'))}{${convertPart(element, 'e')}}`;
  },
  d: (element) => {
    const inside = element.children.filter((one) => one.name === 'e').map(convertToLatex);
    const [open, close] = [
      readProperty(element, 'dPr', 'begChr') ?? '(',
      readProperty(element, 'dPr', 'endChr') ?? ')',
    ];
    return `${open}${inside.join(readProperty(element, 'dPr', 'sepChr') ?? '|')}${close}`;
  },
  func: (element) => `\\${convertPart(element, 'fName')}{${convertPart(element, 'e')}}`,
  limLow: (element) => `${convertPart(element, 'e')}_{${convertPart(element, 'lim')}}`,
  limUpp: (element) => `${convertPart(element, 'e')}^{${convertPart(element, 'lim')}}`,
  m: (element) => convertRows(element, 'mr').join(' \\\\ '),
  eqArr: (element) =>
    element.children
      .filter((one) => one.name === 'e')
      .map(convertToLatex)
      .join(' \\\\ '),
  t: (element) => toLatexSymbols(element.text),
};

/** Converts a formula to LaTeX, such as `\frac{1}{2}`; '' if it is empty. @param element `m:oMath` or a descendant */
export function convertToLatex(element: XmlElement): string {
  return element.children.map((below) => (WRITERS[below.name] ?? convertToLatex)(below)).join('');
}

function convertPart(element: XmlElement, name: string): string {
  const found = findChild(element, name);
  return found === undefined ? '' : convertToLatex(found).trim();
}

function readProperty(element: XmlElement, properties: string, name: string): string | undefined {
  return findChild(findChild(element, properties), name)?.attributes['m:val'];
}

function formatBound(mark: string, text: string): string {
  return text === '' ? '' : `${mark}{${text}}`;
}

function convertRows(element: XmlElement, name: string): readonly string[] {
  return element.children
    .filter((row) => row.name === name)
    .map((row) =>
      row.children
        .filter((one) => one.name === 'e')
        .map(convertToLatex)
        .join(' & '),
    );
}

const LOWER_GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon phi chi psi omega'.split(
    ' ',
  );
const FIRST_LOWER_GREEK = 0x3b1;
const SYMBOLS = new Map([
  ['∑', '\\sum'],
  ['∏', '\\prod'],
  ['∫', '\\int'],
  ['∞', '\\infty'],
  ['±', '\\pm'],
  ['×', '\\times'],
  ['⋅', '\\cdot'],
  ['≤', '\\leq'],
  ['≥', '\\geq'],
  ['≠', '\\neq'],
  ['≈', '\\approx'],
  ['→', '\\to'],
  ['∂', '\\partial'],
  ['∈', '\\in'],
  ...LOWER_GREEK.map((name, index) => [String.fromCodePoint(FIRST_LOWER_GREEK + index), `\\${name}`] as const),
]);

/** Converts mathematical letters to plain letters, and Greek letters and symbols to their LaTeX names. */
function toLatexSymbols(text: string): string {
  const named = Array.from(text.normalize('NFKC'), (character) => {
    const name = SYMBOLS.get(character);
    return name === undefined ? character : `${name} `;
  });
  return named.join('');
}
