import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const SIZES = [
  [1280, 640],
  [390, 667],
] as const;

/** Paths of the screens whose main button opens a dialog, each with the label of this button. */
const SCREENS = [
  ['keys', 'New key'],
  ['datastores', 'New datastore'],
  ['agents', 'New agent'],
  ['webhooks', 'New webhook'],
  ['evaluations', 'New evaluation'],
  ['organizations', 'New organization'],
] as const;

/** Expects that each button of the open dialog is inside the window and not covered. */
async function expectButtonsVisible(page: Page, name: string): Promise<void> {
  const buttons = page.getByRole('dialog').locator('footer').getByRole('button');
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  const height = page.viewportSize()?.height ?? 0;
  for (const button of [...(await buttons.all()), close]) {
    const box = await button.boundingBox();
    expect(box?.y, name).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0), name).toBeLessThan(height);
    // A click reaches the button: nothing covers it.
    if (await button.isEnabled()) await button.click({ trial: true });
  }
}

/** Tests that dialogs fit into small windows. */
export function testDialogSizes(running: () => ConsoleUnderTest): void {
  describe('the dialogs in a small window', () => {
    it.each(SIZES)(
      'dialogs show all buttons in a window of %i x %i pixels while the content of the dialog scrolls',
      async (width, height) => {
        const { page } = await running().open('keys', { width, height, isOperator: true });
        for (const [screen, action] of SCREENS) {
          await page.goto(new URL(screen, running().baseUrl).href);
          await page.getByRole('button', { name: action }).first().click();
          await page.getByRole('dialog').getByRole('heading').first().waitFor();
          await expectButtonsVisible(page, screen);
          await page.locator('.dialog-content').evaluate((content) => {
            (content as unknown as { scrollTop: number }).scrollTop = 80; // the page has this property
          });
          await expectButtonsVisible(page, screen);
          if (screen === 'keys') await auditScreenInEachAppearance(page, `dialog-${width}`);
        }
      },
    );

    it.each(SIZES)(
      'in a window of %i x %i pixels, the dialog that deletes a datastore shows a long name in full',
      async (width, height) => {
        const name = 'n'.repeat(200);
        const prepare = async (client: QuarryClient): Promise<unknown> => client.createDatastore({ name });
        const { page } = await running().open('datastores', { width, height, prepare });
        await page.getByRole('button', { name: `Actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        const dialog = page.getByRole('dialog');
        const frame = await dialog.boundingBox();
        for (const part of [dialog.getByText(`Type “${name}”`), dialog.getByRole('textbox')]) {
          const { x = 0, width: partWidth = Infinity } = (await part.boundingBox()) ?? {};
          expect(x + partWidth).toBeLessThan((frame?.x ?? 0) + (frame?.width ?? 0));
        }
        await dialog.getByRole('textbox').fill(name);
        await dialog.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      },
    );
  });
}
