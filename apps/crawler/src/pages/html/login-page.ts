import { textOf } from './parse-document.js';

/** A page that says more is about something, and lets its readers log in beside it. */
const MAX_LENGTH = 300;
/** Where pages of all kinds have a form to log in. */
const BESIDE =
  'header, nav, aside, footer, dialog, [role="dialog"], [hidden], [aria-hidden="true"], [style*="display:none" i], [style*="display: none" i]';

/** Whether the page asks for a password in its midst. To be asked before forms are taken out. */
export function asksForPassword(document: Document): boolean {
  const fields = [...document.getElementsByTagName('input')];
  return fields.some((field) => isForPassword(field) && field.closest(BESIDE) === null);
}

/** @param root what a page that asks for a password is about */
export function isLittle(root: Element): boolean {
  return textOf(root).length <= MAX_LENGTH;
}

function isForPassword(field: Element): boolean {
  return field.getAttribute('type')?.toLowerCase() === 'password';
}
