import type { Language } from './define-messages.js';
import type { NoteText } from './server-texts.js';
import { translateByPattern, translateFoundValue, type PatternTexts } from './translate-by-pattern.js';

/**
 * German texts for the English rules that the API returns for fields of the console's forms. The English texts are in
 * libs/validation, libs/contracts and apps/gateway.
 */
const RULES: PatternTexts = [
  [/^is required$/, 'fehlt'],
  [/^(?:must not|should not) be empty$/, 'darf nicht leer sein'],
  [/^must contain (?:text|a character other than white space)$/, 'muss Text enthalten'],
  [/^must be a (?:string|text)$/, 'muss ein Text sein'],
  [/^must be a number$/, 'muss eine Zahl sein'],
  [/^must be an integer number$/, 'muss eine ganze Zahl sein'],
  [/^must be true or false$/, 'muss true oder false sein'],
  [/^must be an object$/, 'muss ein Objekt sein'],
  [/^must be a list$/, 'muss eine Liste sein'],
  [/^must not be greater than (\S+)$/, 'darf höchstens $1 sein'],
  [/^must not be less than (\S+)$/, 'muss mindestens $1 sein'],
  [/^must be longer than or equal to (\d+) characters$/, 'muss mindestens $1 Zeichen haben'],
  [/^must be shorter than or equal to (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at most (\d+) characters(?: when encoded)?$/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at most (\d+) bytes as JSON$/, 'darf als JSON höchstens $1 Bytes haben'],
  [/^must have at most (\d+) names$/, 'darf höchstens $1 Namen haben'],
  [/^must contain no more than (\d+) elements$/, 'darf höchstens $1 Einträge haben'],
  [/^must be one of (?:the following values: )?(.+)$/, 'muss einer dieser Werte sein: $1'],
  [/^must be a complete http or https URL$/, 'muss eine vollständige Adresse mit http oder https sein'],
  [/^must be an http or https URL$/, 'muss eine Adresse mit http oder https sein'],
  [
    /^must be a URL without user name, password, query and fragment\..*$/,
    'muss eine Adresse ohne Benutzername, Kennwort, Abfrage und Fragment sein',
  ],
  [/^must be a URL address$/, 'muss eine vollständige Adresse mit http oder https sein'],
  [/^must contain at least (\d+) elements$/, 'muss mindestens $1 Einträge haben'],
  [/^must be an address of this machine such as (\S+)$/, 'muss eine Adresse dieses Rechners sein, etwa $1'],
  [/^must be the address of a model server$/, 'muss die Adresse eines Modellservers sein'],
  [
    /^must be the base URL of an OpenAI-compatible server$/,
    'muss die Basisadresse eines OpenAI-kompatiblen Servers sein',
  ],
  [
    /^must be the name of a model that the server at baseUrl offers; the field is missing$/,
    'muss der Name eines Modells sein, das der Server unter der Basisadresse anbietet; das Feld fehlt',
  ],
  [/^must be an API key of (.+)$/, 'muss ein API-Schlüssel von $1 sein'],
  [
    /^must be given again for another address, or null if the server needs no key$/,
    'muss für eine andere Adresse neu eingegeben werden',
  ],
  [
    /^must be 1 to (\d+) visible ASCII characters without spaces$/,
    'muss 1 bis $1 sichtbare ASCII-Zeichen ohne Leerzeichen haben',
  ],
  [
    /^must be sent again, or be null, when the address changes to another server$/,
    'müssen neu eingegeben werden, wenn die Adresse zu einem anderen Server wechselt',
  ],
  [/^must be an object whose values are strings$/, 'müssen Namen mit Texten sein'],
  [/^must be an interval from every 1m to every 366d$/, 'muss ein Abstand von „every 1m“ bis „every 366d“ sein'],
  [
    /^must be an interval such as "every 15m", a cron expression of five fields in UTC, or "never"$/,
    'muss ein Abstand wie „every 15m“, ein Cron-Ausdruck mit fünf Feldern in UTC oder „never“ sein',
  ],
  [
    /^must have numbers, names of months and weekdays, and the signs (.+) only$/,
    'darf nur Zahlen, Namen von Monaten und Wochentagen und die Zeichen $1 haben',
  ],
  [/^must be less than maxTokens \((\d+)\)$/, 'muss kleiner als die Größe einer Textstelle sein ($1)'],
  [/^must be names of languages, such as (\S+) or (\S+)$/, 'müssen Namen von Sprachen sein, etwa $1 oder $2'],
  [/^must be later than (\S+)$/, 'muss nach $1 liegen'],
  [/^must contain a question$/, 'muss eine Frage enthalten'],
  [/^must contain at most (\d+) questions$/, 'darf höchstens $1 Fragen enthalten'],
  [/^must be a JSON object$/, 'muss ein JSON-Objekt sein'],
  [/^is not a field of this object$/, 'ist kein bekanntes Feld'],
  [/^must be unique$/, 'muss eindeutig sein'],
  [
    /^must begin with a header of distinct columns of (.+), including question$/,
    'muss mit einer Kopfzeile mit question und weiteren Spalten aus $1 beginnen',
  ],
  [/^must have exactly one field with text$/, 'muss genau ein Feld mit Text haben'],
  [
    /^must be false for a question with expected or relevant$/,
    'muss bei einer Frage mit expected oder relevant false sein',
  ],
  [
    /^must select an answer with positive feedback and a source$/,
    'muss eine Antwort mit positivem Feedback und einer Quelle auswählen',
  ],
];

/**
 * German texts for rules after which the API appends an English explanation. The German texts omit this explanation.
 */
const EXPLAINED_RULES: PatternTexts = [
  [/^must be a public address: .+$/s, 'muss eine öffentlich erreichbare Adresse sein'],
  [/^must be valid HTTP headers: .+$/s, 'müssen gültige HTTP-Header sein'],
  [/^must be CSV: .+$/s, 'muss CSV sein'],
];

/**
 * Translates into German the reason why the API refused a field, such as `must be a number, found a string`. Returns
 * undefined for a rule without a translation.
 */
export function translateFieldProblem(problem: string): string | undefined {
  const explained = translateByPattern(EXPLAINED_RULES, problem);
  if (explained !== undefined) return explained;
  const [, rule = problem, found] = /^(.+?)(?:[,;] found (.+))?$/s.exec(problem) ?? [];
  const text = translateByPattern(RULES, rule);
  if (text === undefined || found === undefined || found === 'none' || found === 'nothing') return text;
  // For a schedule, the found value is followed by a reason in English, which is omitted.
  const value = found.replace(/(?<="): .+$/s, '').replace(/\((\d+) characters\)$/, '($1 Zeichen)');
  return `${text}, gefunden: ${translateFoundValue(value)}`;
}

/** Returns the reason why the API refused a field, in a language. A reason without a translation stays English. */
export function describeFieldProblem(problem: string, language: Language): NoteText {
  const german = language === 'de' ? translateFieldProblem(problem) : undefined;
  if (german === undefined) return { text: capitalizeFirstLetter(problem), language: 'en' };
  return { text: capitalizeFirstLetter(german), language };
}

function capitalizeFirstLetter(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
