import { getNormalizedText } from './parse-document.js';

/** Maximum text length of a login page. A longer page has content besides its login form. */
const MAX_LENGTH = 300;
/** Selects parts that can contain a login form on any page, such as headers and dialogs. */
const OUTSIDE_MAIN_CONTENT =
  'header, nav, aside, footer, dialog, [role="dialog"], [hidden], [aria-hidden="true"], [style*="display:none" i], [style*="display: none" i]';

/** Returns whether the main part of a page has a password field. Must be called before forms are removed. */
export function hasPasswordField(document: Document): boolean {
  const fields = [...document.getElementsByTagName('input')];
  return fields.some((field) => isPasswordField(field) && field.closest(OUTSIDE_MAIN_CONTENT) === null);
}

/** Returns whether the main content is as short as that of a login page. */
export function isShort(root: Element): boolean {
  return getNormalizedText(root).length <= MAX_LENGTH;
}

function isPasswordField(field: Element): boolean {
  return field.getAttribute('type')?.toLowerCase() === 'password';
}
