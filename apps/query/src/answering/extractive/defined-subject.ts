/**
 * Lists forms of "is" and "means" in languages that write spaces between words. The Finnish `on` is omitted, because it is
 * frequent in English.
 */
const COPULAS = [
  ...['is', 'are', 'was', 'were', 'means', 'ist', 'sind', 'war', 'waren', 'bedeutet', 'bezeichnet', 'zijn', 'betekent'],
  ...['est', 'sont', 'était', 'es', 'son', 'era', 'è', 'é', 'sono', 'são', 'este', 'sunt', 'är', 'er', 'ovat'],
  ...['είναι', 'это', 'является', 'е', 'са', 'là', 'הוא', 'היא', 'هو', 'هي'],
];
/** Lists relative pronouns. The verb after one belongs to a clause about the subject: "A run that is cancelled". */
const RELATIVE_PRONOUNS = ['that', 'which', 'who', 'whose', 'qui', 'que', 'che', 'som', 'die', 'dat'];
const MAX_SUBJECT_LENGTH = 80;
/**
 * Matches the text without punctuation before the first copula. No spaces enclose the copula in Chinese, Japanese and
 * Thai.
 */
const SUBJECT = new RegExp(
  String.raw`^([^,;:.!?]{1,${MAX_SUBJECT_LENGTH}}?)(?:\s(?:${COPULAS.join('|')})\s|是|とは|は|คือ)`,
  'u',
);

const RELATIVE_END = new RegExp(String.raw`\s(?:${RELATIVE_PRONOUNS.join('|')})$`, 'u');

/** Returns the subject of a sentence that may define it: `A lamp` of "A lamp is a source of light." */
export function findDefinedSubject(sentence: string): string | undefined {
  const subject = SUBJECT.exec(sentence)?.[1];
  return subject === undefined || RELATIVE_END.test(subject) ? undefined : subject;
}
