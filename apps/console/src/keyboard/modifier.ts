/** The name of the modifier key of shortcuts such as `mod+k` on this device. */
export const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
