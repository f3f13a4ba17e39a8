/**
 * Lists the characters of symbol fonts in ranges. Each range consists of the code of its first character, and the
 * characters from this code on. A space stands for a character without equivalent. The characters are those that
 * mammoth writes for the text of a document. Sources: the encoding vector of the font Symbol (Unicode mapping file
 * `SYMBOL.TXT`) and Unicode document L2/11-052 for Wingdings.
 */
const SYMBOL: readonly (readonly [number, string])[] = [
  [0x21, '!∀#∃%&∍()*+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'],
];
const WINGDINGS: readonly (readonly [number, string])[] = [
  [0x28, '🕿 🖂'],
  [0x6c, '⚫🔾◼🞏🞐❑❒🞟⧫◆❖⬩⌧'],
  [0x80, '🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍➎➏➐➑➒➓'],
  [0x9f, '•⬝⭘🞆🞈🞊🞋🔿▪🞎'],
  [0xd5, '⌫⌦⮘⮚⮙⮛⮈⮊⮉⮋🡨🡪🡩🡫🡬🡭🡯🡮🡸🡺🡹🡻🡼🡽🡿🡾⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭🗶✓🗷🗹'],
];
const CHARACTERS: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  ['Symbol', listCharacters(SYMBOL)],
  ['Wingdings', listCharacters(WINGDINGS)],
]);
/**
 * Matches the names of other symbol fonts. Their characters differ from the characters that Unicode assigns to the same
 * codes.
 */
const SYMBOL_FONT = /dings|symbol/i;
/** First code of the private use area in which Word repeats the characters of symbol fonts. */
const PRIVATE_USE_START = 0xf000;
/** Matches a control character, a surrogate, or a character without a meaning outside its font. */
const MEANINGLESS = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u;

/**
 * Returns the text of a symbol in a Word document, or an empty string if the character is unknown. Source: ECMA-376,
 * part 1, section 17.3.3.30.
 *
 * @param attributes attributes of the symbol (`w:sym`)
 */
export function convertSymbolToText(attributes: Readonly<Record<string, string>>): string {
  const code = Number.parseInt(attributes['w:char'] ?? '', 16);
  if (Number.isNaN(code)) return '';
  const characters = CHARACTERS.get(attributes['w:font'] ?? '');
  if (characters !== undefined) return characters.get(code < PRIVATE_USE_START ? code : code - PRIVATE_USE_START) ?? '';
  const character = String.fromCharCode(code);
  return SYMBOL_FONT.test(attributes['w:font'] ?? '') || MEANINGLESS.test(character) ? '' : character;
}

function listCharacters(ranges: readonly (readonly [number, string])[]): ReadonlyMap<number, string> {
  const characters = ranges.flatMap(([first, text]) => Array.from(text, (one, index) => [first + index, one] as const));
  return new Map(characters.filter(([, character]) => character !== ' '));
}
