import { getNormalizedText } from './parse-document.js';
import { measureVisibleText } from './reveal-hidden-content.js';

const MOUNTS =
  '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]';
const SCRIPT_REQUIRED = /javascript/i;
/** Maximum text length of a page that needs rendering. */
const MAX_TEXT_LENGTH = 200;
const EMPTY_MOUNT_LENGTH = 50;

/** Holds features of a page that indicate that scripts create its text. */
export interface ScriptSigns {
  readonly emptyMount: boolean;
  readonly requiresScript: boolean;
  readonly scripts: number;
}

/** Finds features that indicate that scripts create the text of a page. Must be called before scripts are removed. */
export function findScriptSigns(document: Document): ScriptSigns {
  return {
    emptyMount: [...document.querySelectorAll(MOUNTS)].some((mount) => measureVisibleText(mount) < EMPTY_MOUNT_LENGTH),
    requiresScript: [...document.querySelectorAll('noscript')].some((noscript) =>
      SCRIPT_REQUIRED.test(getNormalizedText(noscript)),
    ),
    scripts: document.querySelectorAll('script').length,
  };
}

/**
 * Returns whether a page needs rendering in a browser.
 *
 * @param textLength text length of the body, without scripts and noscript
 */
export function needsRendering(signs: ScriptSigns, textLength: number): boolean {
  if (signs.scripts === 0 || textLength >= MAX_TEXT_LENGTH) return false;
  return textLength === 0 || (signs.emptyMount && textLength < MAX_TEXT_LENGTH) || signs.requiresScript;
}
