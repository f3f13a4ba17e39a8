import { textOf } from './parse-document.js';
import { visibleTextLength } from './reveal-hidden-content.js';

const MOUNTS =
  '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]';
const SCRIPT_REQUIRED = /javascript/i;
/** Maximum text length of a page that needs rendering. */
const MAX_TEXT_LENGTH = 200;
const EMPTY_MOUNT_LENGTH = 50;

/** Holds signs that scripts create the text of a page. */
export interface ScriptSigns {
  readonly emptyMount: boolean;
  readonly requiresScript: boolean;
  readonly scripts: number;
}

/** Finds the signs. Must be called before scripts are removed. */
export function findScriptSigns(document: Document): ScriptSigns {
  return {
    emptyMount: [...document.querySelectorAll(MOUNTS)].some((mount) => visibleTextLength(mount) < EMPTY_MOUNT_LENGTH),
    requiresScript: [...document.querySelectorAll('noscript')].some((noscript) =>
      SCRIPT_REQUIRED.test(textOf(noscript)),
    ),
    scripts: document.querySelectorAll('script').length,
  };
}

/** Decides whether a page needs rendering. @param textLength of the body, without scripts and noscript */
export function needsRendering(signs: ScriptSigns, textLength: number): boolean {
  if (signs.scripts === 0 || textLength >= MAX_TEXT_LENGTH) return false;
  return textLength === 0 || (signs.emptyMount && textLength < MAX_TEXT_LENGTH) || signs.requiresScript;
}
