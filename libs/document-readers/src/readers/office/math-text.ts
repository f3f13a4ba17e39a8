import { findChild, type XmlElement } from './xml.js';

type Writer = (element: XmlElement) => string;

/**
 * Maps the name of each Office Math element to a function that converts it to LaTeX. Source: ECMA-376, part 1, section
 * 22.1.
 */
const WRITERS: Readonly<Record<string, Writer>> = {
  f: (element) => `\\frac{${convertChildToLatex(element, 'num')}}{${convertChildToLatex(element, 'den')}}`,
  sSup: (element) => `${convertChildToLatex(element, 'e')}^{${convertChildToLatex(element, 'sup')}}`,
  sSub: (element) => `${convertChildToLatex(element, 'e')}_{${convertChildToLatex(element, 'sub')}}`,
  sSubSup: (element) =>
    `${convertChildToLatex(element, 'e')}_{${convertChildToLatex(element, 'sub')}}^{${convertChildToLatex(element, 'sup')}}`,
  sPre: (element) =>
    `{}_{${convertChildToLatex(element, 'sub')}}^{${convertChildToLatex(element, 'sup')}}${convertChildToLatex(element, 'e')}`,
  rad: (element) => {
    const degree = convertChildToLatex(element, 'deg');
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${convertChildToLatex(element, 'e')}}`;
  },
  nary: (element) => {
    const sign = readMathProperty(element, 'naryPr', 'chr') ?? '∫';
    return `${toLatexSymbols(sign)}${formatSubOrSuperscript('_', convertChildToLatex(element, 'sub'))}${formatSubOrSuperscript('^', convertChildToLatex(element, 'sup'))}{${convertChildToLatex(element, 'e')}}`;
  },
  d: (element) => {
    const inside = element.children.filter((one) => one.name === 'e').map(convertToLatex);
    const [open, close] = [
      readMathProperty(element, 'dPr', 'begChr') ?? '(',
      readMathProperty(element, 'dPr', 'endChr') ?? ')',
    ];
    return `${open}${inside.join(readMathProperty(element, 'dPr', 'sepChr') ?? '|')}${close}`;
  },
  func: (element) => `\\${convertChildToLatex(element, 'fName')}{${convertChildToLatex(element, 'e')}}`,
  limLow: (element) => `${convertChildToLatex(element, 'e')}_{${convertChildToLatex(element, 'lim')}}`,
  limUpp: (element) => `${convertChildToLatex(element, 'e')}^{${convertChildToLatex(element, 'lim')}}`,
  m: (element) => convertMatrixRows(element, 'mr').join(' \\\\ '),
  eqArr: (element) =>
    element.children
      .filter((one) => one.name === 'e')
      .map(convertToLatex)
      .join(' \\\\ '),
  t: (element) => toLatexSymbols(element.text),
};

/**
 * Converts a formula to LaTeX, such as `\frac{1}{2}`. Returns '' for an empty formula. @param element `m:oMath` or a
 * descendant
 */
export function convertToLatex(element: XmlElement): string {
  return element.children.map((below) => (WRITERS[below.name] ?? convertToLatex)(below)).join('');
}

function convertChildToLatex(element: XmlElement, name: string): string {
  const found = findChild(element, name);
  return found === undefined ? '' : convertToLatex(found).trim();
}

function readMathProperty(element: XmlElement, properties: string, name: string): string | undefined {
  return findChild(findChild(element, properties), name)?.attributes['m:val'];
}

function formatSubOrSuperscript(mark: string, text: string): string {
  return text === '' ? '' : `${mark}{${text}}`;
}

function convertMatrixRows(element: XmlElement, name: string): readonly string[] {
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
