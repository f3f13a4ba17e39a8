import { detectLanguage } from '@quarry/text-analysis';

const ENGLISH = 'I don’t know: I found nothing about this in the knowledge I have.';

/** Maps ISO 639-1 language codes to translations of the answer that nothing was found. */
const TRANSLATIONS: Readonly<Record<string, string>> = {
  ar: 'لا أعرف: لم أجد شيئًا عن هذا في المعلومات المتوفرة لدي.',
  bg: 'Не знам: не намерих нищо за това в сведенията, с които разполагам.',
  da: 'Det ved jeg ikke: Jeg fandt intet om det i den viden, jeg har.',
  de: 'Das weiß ich nicht: In meinem Wissen habe ich dazu nichts gefunden.',
  el: 'Δεν ξέρω: δεν βρήκα τίποτα σχετικό στις πληροφορίες που έχω.',
  es: 'No lo sé: no he encontrado nada sobre esto en la información que tengo.',
  fa: 'نمی‌دانم: در اطلاعاتی که دارم چیزی در این باره پیدا نکردم.',
  fi: 'En tiedä: en löytänyt tästä mitään käytettävissäni olevista tiedoista.',
  fr: 'Je ne sais pas : je n’ai rien trouvé à ce sujet dans les connaissances dont je dispose.',
  he: 'אני לא יודע: לא מצאתי על כך דבר במידע שברשותי.',
  hi: 'मुझे नहीं पता: मेरे पास उपलब्ध जानकारी में इस बारे में कुछ नहीं मिला।',
  hu: 'Nem tudom: a rendelkezésemre álló információkban nem találtam erről semmit.',
  it: 'Non lo so: non ho trovato nulla al riguardo nelle informazioni che ho.',
  ja: 'わかりません。手元の情報には、これについての記載が見つかりませんでした。',
  ko: '잘 모르겠습니다. 제가 가진 자료에서 이에 관한 내용을 찾지 못했습니다.',
  nl: 'Dat weet ik niet: ik heb hierover niets gevonden in de kennis die ik heb.',
  no: 'Det vet jeg ikke: Jeg fant ingenting om dette i kunnskapen jeg har.',
  pt: 'Não sei: não encontrei nada sobre isto nas informações que tenho.',
  ro: 'Nu știu: nu am găsit nimic despre acest lucru în informațiile pe care le am.',
  ru: 'Я не знаю: в имеющихся у меня сведениях об этом ничего не нашлось.',
  sv: 'Det vet jag inte: jag hittade inget om detta i den kunskap jag har.',
  th: 'ฉันไม่ทราบ: ไม่พบข้อมูลเกี่ยวกับเรื่องนี้ในความรู้ที่มีอยู่',
  tr: 'Bilmiyorum: elimdeki bilgilerde bununla ilgili bir şey bulamadım.',
  vi: 'Tôi không biết: tôi không tìm thấy gì về điều này trong thông tin tôi có.',
  zh: '我不知道：在我掌握的资料中没有找到相关内容。',
};

/**
 * Matches single Latin letters, which language detection ignores. A letter such as `x` is a name in a question, but a
 * function word in some languages.
 */
const SINGLE_LETTER = /(?<![\p{L}\p{M}])\p{Script=Latin}(?![\p{L}\p{M}])/gu;
/** Matches text with at most two Latin letters, such as `ok`, which is too short for language detection. */
const TOO_SHORT = /^\P{L}*(?:[\p{L}&&\p{Script=Latin}]\P{L}*){0,2}$/v;

/**
 * Lists language codes with patterns of a script, a letter, an ending or a word. The patterns are used if function
 * words do not determine the language of a question. The first matching pattern decides, so the order matters: `да` is
 * also a Russian word.
 */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  // `comment` is also an English word, so the rest of the question decides.
  ['fr', /^(?:pourquoi|combien|comment(?=\s\S+(?:er|ir|re)(?!\p{L})|\s.*\?))\s/iu],
  ['fi', /^(?:miten|miksi|kuinka|missä|milloin|mikä|mitä)\s/iu],
  ['ru', /^(?!.*[іїєґ]).*(?:[ыэё]|ть(?!\p{L})|(?<!\p{L})(?:почему|сколько|зачем)(?!\p{L}))/isu],
  ['bg', /(?<!\p{L})(?:да|защо|колко|къде)(?!\p{L})/iu],
  ['el', /\p{Script=Greek}{2}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['fa', /[پچژگ]/u],
  ['ar', /\p{Script=Arabic}/u],
];

const VIETNAMESE_LETTERS = 'ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ';
/**
 * Matches two words with letters that only Vietnamese uses. Without accents, Vietnamese words look like function words
 * of other languages.
 */
const VIETNAMESE = new RegExp(
  String.raw`^[^${VIETNAMESE_LETTERS}]*[${VIETNAMESE_LETTERS}]\S*\s.*[${VIETNAMESE_LETTERS}]`,
  'isu',
);

/**
 * Returns "I don't know…" in the language of the question. This is the extractive answer if the sources do not contain
 * enough of the question's words.
 */
export function getNotFoundAnswer(query: string): string {
  const words = query.replace(SINGLE_LETTER, ' ');
  return TRANSLATIONS[TOO_SHORT.test(words) ? '' : detectQuestionLanguage(words)] ?? ENGLISH;
}

/** Returns the ISO 639-1 code of a question's language, or '' if the language is unclear. */
function detectQuestionLanguage(question: string): string {
  if (VIETNAMESE.test(question.normalize('NFC'))) return 'vi';
  return detectLanguage(question) ?? SIGNS.find(([, pattern]) => pattern.test(question))?.[0] ?? '';
}
