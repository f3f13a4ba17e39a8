import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { CANARY, listPayloads, MADE } from './script-payloads.js';

/** Lists the links and frames of the page that do not open a page of the web, a mail or a file of the console. */
const LIST_DANGEROUS_ADDRESSES = `[...document.querySelectorAll('a, area, form, iframe, frame, object, embed, [formaction]')]
  .flatMap((element) => ['href', 'action', 'src', 'data', 'formaction'].map((name) => element.getAttribute(name) ?? ''))
  .filter((address) => /^[\\s\\u0000-\\u001f]*(javascript|data|vbscript):/i.test(address))`;

/** Script that lists all visible texts and the contents of fields. */
const READ_TEXTS = `[document.body.innerText, document.title, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join('\\n')`;

/** Fails if a payload ran a script, sent a request or created an element. @returns the numbers of the payloads that the page shows */
export async function expectTexts(page: Page, address: string): Promise<readonly number[]> {
  expect({
    address,
    canary: await page.evaluate(`typeof ${CANARY}`),
    elements: await page.locator(MADE).count(),
    links: await page.evaluate(LIST_DANGEROUS_ADDRESSES),
  }).toEqual({ address, canary: 'undefined', elements: 0, links: [] });
  return listPayloads(await page.evaluate<string>(READ_TEXTS));
}

/** Lists the dialogs that a page opens from now on, and closes them. */
export function listDialogs(page: Page): readonly string[] {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return dialogs;
}
