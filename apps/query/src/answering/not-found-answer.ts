import { detectLanguage } from '@quarry/text-analysis';

const ENGLISH = 'I don’t know: I found nothing about this in the knowledge I have.';

/** Maps ISO 639-1 language codes to translations of the answer. */
const TRANSLATIONS: Readonly<Record<string, string>> = {
  da: 'Det ved jeg ikke: Jeg fandt intet om det i den viden, jeg har.',
  de: 'Das weiß ich nicht: In meinem Wissen habe ich dazu nichts gefunden.',
  es: 'No lo sé: no he encontrado nada sobre esto en la información que tengo.',
  fr: 'Je ne sais pas : je n’ai rien trouvé à ce sujet dans les connaissances dont je dispose.',
  it: 'Non lo so: non ho trovato nulla al riguardo nelle informazioni che ho.',
  ja: 'わかりません。手元の情報には、これについての記載が見つかりませんでした。',
  ko: '잘 모르겠습니다. 제가 가진 자료에서 이에 관한 내용을 찾지 못했습니다.',
  nl: 'Dat weet ik niet: ik heb hierover niets gevonden in de kennis die ik heb.',
  no: 'Det vet jeg ikke: Jeg fant ingenting om dette i kunnskapen jeg har.',
  pt: 'Não sei: não encontrei nada sobre isto nas informações que tenho.',
  ru: 'Я не знаю: в имеющихся у меня сведениях об этом ничего не нашлось.',
  sv: 'Det vet jag inte: jag hittade inget om detta i den kunskap jag har.',
  zh: '我不知道：在我掌握的资料中没有找到相关内容。',
};

/** Matches single Latin letters, which language detection ignores: `x` is a name, but a function word in some languages. */
const SINGLE_LETTER = /(?<![\p{L}\p{M}])\p{Script=Latin}(?![\p{L}\p{M}])/gu;
/** Matches text with at most two Latin letters, such as `ok`, which is too short for language detection. */
const TOO_SHORT = /^\P{L}*(?:\p{Script=Latin}\P{L}*){0,2}$/u;

/** Returns the answer if no model is configured and a search found nothing: "I don't know…" in the language of the question. */
export function getNotFoundAnswer(query: string): string {
  const words = query.replace(SINGLE_LETTER, ' ');
  const language = TOO_SHORT.test(words) ? undefined : detectLanguage(words);
  return TRANSLATIONS[language ?? ''] ?? ENGLISH;
}
