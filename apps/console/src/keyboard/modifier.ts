/** The name of the key that shortcuts combine with letters. */
export const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
