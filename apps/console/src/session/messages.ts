import { defineMessages } from '../language/define-messages.js';

export const sessionMessages = defineMessages({
  en: {
    title: 'Sign in to Quarry',
    intro: 'Use an API key of your organization.',
    key: 'API key',
    keyHint:
      'It starts with “qk_”. npm start stores the first one in the file data/root-key, and prints a new sign-in link each time. The browser does not store the key.',
    signIn: 'Sign in',
    refused: 'This key is not valid. It may have been revoked or have expired.',
    codeRefused:
      'This sign-in link was used already or has expired. Sign in with a key, or run npm start again: it prints a new link each time.',
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
    keyHint:
      'Er beginnt mit „qk_“. npm start speichert den ersten in der Datei data/root-key und zeigt jedes Mal einen neuen Anmeldelink an. Der Browser speichert den Schlüssel nicht.',
    signIn: 'Anmelden',
    refused: 'Dieser Schlüssel ist ungültig. Vielleicht wurde er widerrufen oder ist abgelaufen.',
    codeRefused:
      'Dieser Anmeldelink wurde schon benutzt oder ist abgelaufen. Melden Sie sich mit einem Schlüssel an oder führen Sie npm start neu aus: Es zeigt jedes Mal einen neuen Link an.',
    redeeming: 'Anmeldung läuft',
    expiredTitle: 'Erneut anmelden',
    expiredIntro: 'Ihre Sitzung ist beendet, oder ihr Schlüssel wurde widerrufen. Ihre Eingaben bleiben erhalten.',
    notSignedIn: 'Die Anmeldung ist fehlgeschlagen',
    signOut: 'Abmelden',
  },
});
