/** The languages of the console. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text of the console in one language, or a function that builds the text from parameters. */
export type Message = string | ((...parts: never[]) => string);

/** The messages of one screen or component in every language. */
export interface Catalogue<Messages> {
  readonly en: Messages;
  readonly de: Messages;
}

/** The type of the German messages: they have the keys and parameters of the English messages, but other texts. */
type Widened<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Messages[Key];
};

/**
 * Declares the messages of a screen. A missing or unknown German key is a compile error.
 *
 *     const messages = defineMessages({
 *       en: { title: 'Datastores', removed: (name: string) => `${name} was deleted.` },
 *       de: { title: 'Datastores', removed: (name: string) => `${name} wurde gelöscht.` },
 *     });
 */
export function defineMessages<const Messages extends Readonly<Record<string, Message>>>(catalogue: {
  readonly en: Messages;
  readonly de: NoInfer<Widened<Messages>>;
}): Catalogue<Widened<Messages>> {
  return { en: catalogue.en as Widened<Messages>, de: catalogue.de }; // a literal type is a part of its widened type
}
