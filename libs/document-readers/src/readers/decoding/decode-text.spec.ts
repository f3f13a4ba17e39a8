import { describe, expect, it } from 'vitest';
import { encodeWithCharset } from '../../testing/encode-with-charset.js';
import { decodeText } from './decode-text.js';

const TEXTS = {
  German: 'Die Garantie für Möbel läuft zwei Jahre ab dem Tag, an dem sie geliefert wurden. Schäden melden Sie früh.',
  French: 'La garantie court deux ans à partir du jour où le produit a été livré. Le reçu suffit, même abîmé.',
  Polish: 'Gwarancja trwa dwa lata od dnia zakupu. Prosimy zgłaszać usterki najpóźniej w ciągu czternastu dni.',
  Czech: 'Záruka trvá dva roky ode dne nákupu. Závady prosím hlaste nejpozději během čtrnácti dnů od jejich zjištění.',
  Turkish:
    'Garanti süresi satın alma gününden başlayarak iki yıldır. Arızaları lütfen en geç on dört gün içinde bildirin.',
  Greek: 'Η εγγύηση ισχύει δύο χρόνια από την ημέρα της αγοράς. Δηλώστε τις βλάβες μέσα σε δεκατέσσερις ημέρες.',
  Russian: 'Гарантия действует два года со дня покупки. О поломках просим сообщать не позднее чем через две недели.',
  Japanese: '保証期間は購入日から二年間です。故障した場合は、二週間以内にお知らせください。修理は無料です。',
  'Chinese (mainland)': '保修期为自购买之日起两年。如有故障，请在十四天之内通知我们的服务中心，维修是免费的。',
  'Chinese (Taiwan)': '保固期自購買日起算為兩年。如有故障，請於十四天之內通知我們的服務中心，維修是免費的。',
  Korean: '보증 기간은 구입일로부터 이 년입니다. 고장이 나면 십사 일 안에 알려 주십시오. 수리는 무료입니다.',
  Thai: 'การรับประกันมีระยะเวลาสองปีนับจากวันที่ซื้อสินค้า หากสินค้าชำรุดกรุณาแจ้งให้เราทราบภายในสิบสี่วัน',
} as const;

/** Encodes UTF-32, which Node does not support. */
function encodeUtf32(text: string, littleEndian: boolean): Uint8Array {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(codes.length * 4));
  for (const [index, code] of codes.entries()) view.setUint32(index * 4, code, littleEndian);
  return new Uint8Array(view.buffer);
}

describe('decodeText', () => {
  it.each<[string, keyof typeof TEXTS]>([
    ['windows-1252', 'German'],
    ['macintosh', 'German'],
    ['windows-1252', 'French'],
    ['windows-1250', 'Polish'],
    ['iso-8859-2', 'Czech'],
    ['windows-1254', 'Turkish'],
    ['windows-1253', 'Greek'],
    ['windows-1251', 'Russian'],
    ['koi8-r', 'Russian'],
    ['ibm866', 'Russian'],
    ['shift_jis', 'Japanese'],
    ['euc-jp', 'Japanese'],
    ['gb18030', 'Chinese (mainland)'],
    ['big5', 'Chinese (Taiwan)'],
    ['euc-kr', 'Korean'],
    ['windows-874', 'Thai'],
  ])('decodeText detects the encoding %s of a text in %s', async (label, language) => {
    await expect(decodeText(encodeWithCharset(label, TEXTS[language]))).resolves.toBe(TEXTS[language]);
  });

  it('decodeText detects the encoding of a text with many English lines and one line in another language', async () => {
    const table = `id;name\n${Array.from({ length: 400 }, (_, row) => `${row};Item ${row} of the list`).join('\n')}`;
    const text = `${table}\n401;${TEXTS.Russian}`;
    await expect(decodeText(encodeWithCharset('windows-1251', text))).resolves.toBe(text);
  });

  it('decodeText detects the encoding of a long English line that ends with text in another language', async () => {
    const text = `${'many words in English '.repeat(20_000)}${TEXTS.Russian}`;
    await expect(decodeText(encodeWithCharset('windows-1251', text))).resolves.toBe(text);
  });

  it.each([
    '20 °C',
    'Größe;Preis',
    'naïve résumé',
    'Señor Núñez',
    '§ 5 Abs. 2',
    'à la carte',
    '½ cup',
    '“it’s very nice” – €5',
  ])('decodeText decodes a text of a few words as Windows-1252: %s', async (text) => {
    await expect(decodeText(encodeWithCharset('windows-1252', text))).resolves.toBe(text);
  });

  it('decodeText decodes text with bytes from 0x80 to 0x9f in a Windows encoding, not in ISO 8859', async () => {
    const text = `${TEXTS.German} `.repeat(400) + 'Devin Nabrežina – Števerjan';
    await expect(decodeText(encodeWithCharset('windows-1252', text))).resolves.toBe(text);
  });

  it('decodeText decodes UTF-8 with an incomplete character as UTF-8, not in a legacy encoding', async () => {
    const bytes = Buffer.concat([Buffer.from(TEXTS.Russian), Uint8Array.of(0xd0)]);
    await expect(decodeText(bytes)).resolves.toBe(`${TEXTS.Russian}\ufffd`);
  });

  it.each([
    ['without', ''],
    ['with', '\ufeff'],
  ])('decodeText decodes UTF-16 and UTF-32 in both byte orders, %s a byte order mark', async (_, mark) => {
    const text = `Größe 5:\n${TEXTS.Japanese}\n🙂`;
    const utf16 = Buffer.from(mark + text, 'utf16le');
    for (const bytes of [
      utf16,
      Buffer.from(utf16).swap16(),
      encodeUtf32(mark + text, true),
      encodeUtf32(mark + text, false),
    ])
      await expect(decodeText(bytes)).resolves.toBe(text);
  });

  it('decodeText decodes ISO-2022-JP', async () => {
    const bytes = Buffer.from('\u001b$B>h\u001b(B ok', 'latin1');
    await expect(decodeText(bytes)).resolves.toBe('乗 ok');
  });
});
