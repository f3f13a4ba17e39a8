import { textOf } from './parse-document.js';
import { visibleLength } from './reveal.js';

const MOUNTS =
  '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]';
const ASKS_FOR_SCRIPT = /javascript/i;
/** A page of less text than this has not been built yet, when other signs say so as well. */
const LITTLE = 200;
const NEXT_TO_NOTHING = 50;

/** What shows that a page's text is put in by its scripts. Taken before scripts are removed. */
export interface ScriptSigns {
  readonly emptyMount: boolean;
  readonly asksForScript: boolean;
  readonly scripts: number;
}

export function scriptSigns(document: Document): ScriptSigns {
  return {
    emptyMount: [...document.querySelectorAll(MOUNTS)].some((mount) => visibleLength(mount) < NEXT_TO_NOTHING),
    asksForScript: [...document.querySelectorAll('noscript')].some((noscript) =>
      ASKS_FOR_SCRIPT.test(textOf(noscript)),
    ),
    scripts: document.querySelectorAll('script').length,
  };
}

/** @param textLength of the page's body, without scripts and noscript */
export function needsRendering(signs: ScriptSigns, textLength: number): boolean {
  if (signs.scripts === 0 || textLength >= LITTLE) return false;
  return textLength === 0 || (signs.emptyMount && textLength < LITTLE) || signs.asksForScript;
}
