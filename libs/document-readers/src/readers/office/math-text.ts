import { child, type XmlElement } from './xml.js';

type Writer = (element: XmlElement) => string;

/** Converts each element of Office Math to LaTeX. Source: ECMA-376, part 1, section 22.1. */
const WRITERS: Readonly<Record<string, Writer>> = {
  f: (element) => `\\frac{${part(element, 'num')}}{${part(element, 'den')}}`,
  sSup: (element) => `${part(element, 'e')}^{${part(element, 'sup')}}`,
  sSub: (element) => `${part(element, 'e')}_{${part(element, 'sub')}}`,
  sSubSup: (element) => `${part(element, 'e')}_{${part(element, 'sub')}}^{${part(element, 'sup')}}`,
  sPre: (element) => `{}_{${part(element, 'sub')}}^{${part(element, 'sup')}}${part(element, 'e')}`,
  rad: (element) => {
    const degree = part(element, 'deg');
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${part(element, 'e')}}`;
  },
  nary: (element) => {
    const sign = property(element, 'naryPr', 'chr') ?? '∫';
    return `${toLatexSymbols(sign)}${formatBound('_', part(element, 'sub'))}${formatBound('^', part(element, 'sup'))}{${part(element, 'e')}}`;
  },
  d: (element) => {
    const inside = element.children.filter((one) => one.name === 'e').map(formulaToLatex);
    const [open, close] = [property(element, 'dPr', 'begChr') ?? '(', property(element, 'dPr', 'endChr') ?? ')'];
    return `${open}${inside.join(property(element, 'dPr', 'sepChr') ?? '|')}${close}`;
  },
  func: (element) => `\\${part(element, 'fName')}{${part(element, 'e')}}`,
  limLow: (element) => `${part(element, 'e')}_{${part(element, 'lim')}}`,
  limUpp: (element) => `${part(element, 'e')}^{${part(element, 'lim')}}`,
  m: (element) => rows(element, 'mr').join(' \\\\ '),
  eqArr: (element) =>
    element.children
      .filter((one) => one.name === 'e')
      .map(formulaToLatex)
      .join(' \\\\ '),
  t: (element) => toLatexSymbols(element.text),
};

/** Converts a formula to LaTeX, such as `\frac{1}{2}`; '' if it is empty. @param element `m:oMath` or a descendant */
export function formulaToLatex(element: XmlElement): string {
  return element.children.map((below) => (WRITERS[below.name] ?? formulaToLatex)(below)).join('');
}

function part(element: XmlElement, name: string): string {
  const found = child(element, name);
  return found === undefined ? '' : formulaToLatex(found).trim();
}

function property(element: XmlElement, properties: string, name: string): string | undefined {
  return child(child(element, properties), name)?.attributes['m:val'];
}

function formatBound(mark: string, text: string): string {
  return text === '' ? '' : `${mark}{${text}}`;
}

function rows(element: XmlElement, name: string): readonly string[] {
  return element.children
    .filter((row) => row.name === name)
    .map((row) =>
      row.children
        .filter((one) => one.name === 'e')
        .map(formulaToLatex)
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
