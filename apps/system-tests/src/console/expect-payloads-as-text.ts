import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { CANARY, findPayloadNumbers, MADE } from './script-payloads.js';

/**
 * Script that lists the addresses of links, forms and frames that would run a script: `javascript:`, `data:` and
 * `vbscript:`.
 */
const LIST_DANGEROUS_ADDRESSES = `[...document.querySelectorAll('a, area, form, iframe, frame, object, embed, [formaction]')]
  .flatMap((element) => ['href', 'action', 'src', 'data', 'formaction'].map((name) => element.getAttribute(name) ?? ''))
  .filter((address) => /^[\\s\\u0000-\\u001f]*(javascript|data|vbscript):/i.test(address))`;

/** Script that returns the visible text of the page, its title and the contents of its fields. */
const READ_TEXTS = `[document.body.innerText, document.title, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join('\\n')`;

/**
 * Expects that no payload on a page ran a script, created an element or set an address that would run a script.
 *
 * @returns the numbers of the payloads that the page shows as text
 */
export async function expectPayloadsAsText(page: Page, address: string): Promise<readonly number[]> {
  expect({
    address,
    canary: await page.evaluate(`typeof ${CANARY}`),
    elements: await page.locator(MADE).count(),
    links: await page.evaluate(LIST_DANGEROUS_ADDRESSES),
  }).toEqual({ address, canary: 'undefined', elements: 0, links: [] });
  return findPayloadNumbers(await page.evaluate<string>(READ_TEXTS));
}

/**
 * Closes each browser dialog that a page opens from now on, such as an alert.
 *
 * @returns the messages of the closed dialogs; each further dialog adds its message to this list
 */
export function collectDialogMessages(page: Page): readonly string[] {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return dialogs;
}
