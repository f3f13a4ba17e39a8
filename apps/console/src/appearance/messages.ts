import { defineMessages } from '../language/define-messages.js';

export const appearanceMessages = defineMessages({
  en: {
    theme: 'Theme',
    themeSystem: 'System',
    themeLight: 'Light',
    themeDark: 'Dark',
    language: 'Language',
    english: 'English',
    german: 'Deutsch',
    switchTheme: (theme: string) => `Theme: ${theme}`,
  },
  de: {
    theme: 'Farbschema',
    themeSystem: 'System',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    language: 'Sprache',
    english: 'English',
    german: 'Deutsch',
    switchTheme: (theme: string) => `Farbschema: ${theme}`,
  },
});
