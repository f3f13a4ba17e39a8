import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { createSupportAgent } from './support-agent.js';

/** A form with a number field. */
interface NumberForm {
  readonly name: string;
  readonly label: string;
  readonly button: string;
  readonly error: RegExp;
  /** Opens the form, and fills its required fields. */
  readonly open: (page: Page, ids: { readonly agentId: string; readonly datastoreId: string }) => Promise<unknown>;
}

const NOT_WHOLE = /Enter a whole number in digits/;

const FORMS: readonly NumberForm[] = [
  {
    ...{ name: 'agent-settings', label: 'Temperature', button: 'Save', error: /Enter a number, such as/ },
    open: async (page, { agentId }) => openPath(page, `agents/${agentId}?tab=settings`),
  },
  {
    ...{ name: 'listing', label: 'Items per page', button: 'Add', error: NOT_WHOLE },
    open: async (page, { datastoreId }) => {
      await openPath(page, `datastores/${datastoreId}/upload`);
      await page.getByRole('tab', { name: 'Item listing' }).click();
      await page.getByLabel('Address of the listing').fill('https://shop.example.com/items.json');
    },
  },
  {
    ...{ name: 'evaluation', label: 'Results per question', button: 'Start', error: NOT_WHOLE },
    open: async (page) => {
      await openPath(page, 'evaluations');
      await page.getByRole('button', { name: 'New evaluation' }).first().click();
      await page.getByRole('dialog').getByLabel('Questions', { exact: true }).fill('{"question":"When?"}');
    },
  },
  {
    ...{ name: 'datastore', label: 'Overlap in tokens', button: 'Create datastore', error: NOT_WHOLE },
    open: async (page) => {
      await openPath(page, 'datastores');
      await page.getByRole('button', { name: 'New datastore' }).first().click();
      await page.getByRole('dialog').getByLabel('Name').fill('Letters');
    },
  },
  {
    ...{ name: 'playground', label: 'Number of results', button: 'Run', error: /Enter a whole number from 1 to 100/ },
    open: async (page) => openPath(page, 'playground?q=drill'),
  },
];

async function openPath(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, new URL('/', page.url())).href);
}

/** Tests the number fields of forms. */
export function testNumberFields(running: () => ConsoleUnderTest): void {
  describe('number fields', () => {
    it.each(FORMS)(
      'the form $name shows an error at a mistyped number, and can be sent again when the number is corrected',
      async ({ name, label, button, error, open }) => {
        const { page, client } = await running().open('agents');
        const { id: agentId, datastoreIds } = await createSupportAgent(client);
        await open(page, { agentId, datastoreId: datastoreIds[0] ?? '' });
        const field = page.getByLabel(label);
        const send = page.getByRole('button', { name: button, exact: true });
        await field.fill('2O');
        await page.getByText(error).waitFor();
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await send.isDisabled()).toBe(true);
        await auditScreenInEachAppearance(page, `number-field-${name}`);
        await field.fill('1');
        await page.getByText(error).waitFor({ state: 'detached' });
        expect(await send.isEnabled()).toBe(true);
      },
    );
  });
}
