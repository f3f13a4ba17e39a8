import { defineMessages } from '../language/define-messages.js';

export const sessionMessages = defineMessages({
  en: {
    title: 'Sign in to Quarry',
    intro: 'Use an API key of your organization.',
    key: 'API key',
    keyHint: 'It starts with “qk_”. npm start prints the first one. The browser does not store it.',
    signIn: 'Sign in',
    refused: 'This key is not valid. It may have been revoked or have expired.',
    codeRefused: 'This sign-in link was used already or has expired. Sign in with a key.',
    redeeming: 'Signing in',
    expiredTitle: 'Sign in again',
    expiredIntro: 'Your session has ended, or its key was revoked. Nothing that you typed is lost.',
    notSignedIn: 'Sign-in failed',
    signOut: 'Sign out',
  },
  de: {
    title: 'Bei Quarry anmelden',
    intro: 'Verwenden Sie einen API-Schlüssel Ihrer Organisation.',
    key: 'API-Schlüssel',
    keyHint: 'Er beginnt mit „qk_“. npm start zeigt den ersten an. Der Browser speichert ihn nicht.',
    signIn: 'Anmelden',
    refused: 'Dieser Schlüssel ist ungültig. Vielleicht wurde er widerrufen oder ist abgelaufen.',
    codeRefused: 'Dieser Anmeldelink wurde schon benutzt oder ist abgelaufen. Melden Sie sich mit einem Schlüssel an.',
    redeeming: 'Anmeldung läuft',
    expiredTitle: 'Erneut anmelden',
    expiredIntro: 'Ihre Sitzung ist beendet, oder ihr Schlüssel wurde widerrufen. Ihre Eingaben bleiben erhalten.',
    notSignedIn: 'Die Anmeldung ist fehlgeschlagen',
    signOut: 'Abmelden',
  },
});
