/**
 * Lists forms of "is" and "means" in languages that write spaces between words. The Finnish `on` is omitted, because it
 * is frequent in English.
 */
const COPULAS = [
  ...['is', 'are', 'was', 'were', 'means', 'ist', 'sind', 'war', 'waren', 'bedeutet', 'bezeichnet', 'zijn', 'betekent'],
  ...['est', 'sont', 'était', 'es', 'son', 'era', 'è', 'é', 'sono', 'são', 'este', 'sunt', 'är', 'er', 'ovat'],
  ...['είναι', 'это', 'является', 'е', 'са', 'là', 'הוא', 'היא', 'هو', 'هي'],
];
/**
 * Lists relative pronouns. A verb that directly follows one of them is not the verb of the definition: "A run that is
 * cancelled".
 */
const RELATIVE_PRONOUNS = ['that', 'which', 'who', 'whose', 'qui', 'que', 'che', 'som', 'die', 'dat'];
const MAX_SUBJECT_LENGTH = 80;
/**
 * Matches the beginning of a sentence up to its first copula, if there is no punctuation before it. In Chinese,
 * Japanese and Thai, no spaces enclose the copula.
 */
const SUBJECT = new RegExp(
  String.raw`^([^,;:.!?]{1,${MAX_SUBJECT_LENGTH}}?)(?:\s(?:${COPULAS.join('|')})\s|是|とは|は|คือ)`,
  'u',
);

const RELATIVE_END = new RegExp(String.raw`\s(?:${RELATIVE_PRONOUNS.join('|')})$`, 'u');

/** Returns the subject that a sentence may define: `A lamp` of "A lamp is a source of light." Otherwise undefined. */
export function findDefinedSubject(sentence: string): string | undefined {
  const subject = SUBJECT.exec(sentence)?.[1];
  return subject === undefined || RELATIVE_END.test(subject) ? undefined : subject;
}
