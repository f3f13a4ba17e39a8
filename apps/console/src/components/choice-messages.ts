import { defineMessages } from '../language/define-messages.js';

/** The texts of lists in which the user chooses items, in all languages. Screens load them with such a list. */
export const choiceMessages = defineMessages({
  en: {
    chosen: (count: string) => `${count} chosen`,
    chosenOf: (count: string, all: string) => `${count} of ${all} chosen`,
    search: (list: string) => `Search in “${list}”`,
    notFound: 'No name contains this text.',
  },
  de: {
    chosen: (count: string) => `${count} gewählt`,
    chosenOf: (count: string, all: string) => `${count} von ${all} gewählt`,
    search: (list: string) => `In „${list}“ suchen`,
    notFound: 'Kein Name enthält diesen Text.',
  },
});
