import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

function createFilePayload(name: string, text: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: '', buffer: Buffer.from(text) };
}

async function chooseFiles(page: Page, files: readonly ReturnType<typeof createFilePayload>[]): Promise<void> {
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
  await page.locator('input[name=files]').setInputFiles([...files]);
}

function findContentRow(page: Page, name: string): Locator {
  return page.locator('.watched > li').filter({ has: page.getByTitle(name, { exact: true }) });
}

/**
 * Measures two distances in pixels: above the first line of a row, which contains the name, and below the last line of
 * the row, which contains `note`.
 */
async function measureRowPadding(
  row: Locator,
  note: string,
): Promise<{ readonly above: number; readonly below: number }> {
  const [outer, first, last] = await Promise.all([
    row.boundingBox(),
    row.locator('[title]').first().boundingBox(),
    row.getByText(note).filter({ visible: true }).last().boundingBox(),
  ]);
  if (outer === null || first === null || last === null)
    throw new Error('expected a row with a visible name and note, found that one of them is not visible');
  return { above: first.y - outer.y, below: outer.y + outer.height - (last.y + last.height) };
}

/** Tests the list of added content on the screen of the first steps. */
export function testWatchedContent(running: () => ConsoleUnderTest): void {
  describe('the added content of the first steps', () => {
    it.each([
      [1280, 800],
      [390, 844],
    ])(
      'the list of added content aligns refused, failed and ready files in a window of %i x %i pixels',
      async (width, height) => {
        const { page } = await running().open('start', { width, height });
        const long = 'the-broken-report-of-the-year-2026.pdf';
        await chooseFiles(page, [
          createFilePayload('nothing.txt', ''),
          createFilePayload(long, '%PDF-1.4\nnot really'),
          createFilePayload('drill.md', '# Drill\n\nThe warranty of the drill lasts two years.'),
        ]);
        await findContentRow(page, 'drill.md').getByText('Ready').waitFor();
        await findContentRow(page, 'nothing.txt').getByText('Refused').waitFor();
        await findContentRow(page, long).getByText('Failed', { exact: true }).waitFor();
        for (const [name, note] of [
          ['nothing.txt', '0 bytes'],
          [long, 'damaged'],
          ['drill.md', 'File'],
        ] as const) {
          const { above, below } = await measureRowPadding(findContentRow(page, name), note);
          expect(Math.abs(above - below), `${name}: ${above} above, ${below} below`).toBeLessThan(9);
          const title = await findContentRow(page, name).getByTitle(name, { exact: true }).boundingBox();
          expect(title?.width, name).toBeGreaterThan(40);
          expect(await findContentRow(page, name).locator('svg').first().isVisible(), name).toBe(true);
        }
        const edges = await page.locator('.watched .status').evaluateAll((badges) =>
          // The type assertion is safe because all elements have this method. The test is compiled without the types of
          // the DOM.
          (badges as unknown as { getBoundingClientRect(): { x: number } }[]).map(
            (one) => one.getBoundingClientRect().x,
          ),
        );
        expect(new Set(edges).size, edges.join(' ')).toBe(1);
        await auditScreenInEachAppearance(page, `first-run-rows-${width}`);
      },
    );

    it('if a user adds 12 files, the list on the first steps screen shows ten of them and a link to the others', async () => {
      const { page } = await running().open('start');
      await chooseFiles(
        page,
        Array.from({ length: 12 }, (_, index) => createFilePayload(`note-${index}.md`, `The drill ${index} is red.`)),
      );
      await page.getByRole('link', { name: 'and 2 more', exact: true }).click();
      await page.getByRole('heading', { name: 'My documents', level: 1 }).waitFor();
      for (const name of ['note-0.md', 'note-11.md']) await page.getByRole('link', { name, exact: true }).waitFor();
    });

    it('an empty file that was refused can be removed from the list, but not uploaded again', async () => {
      const { page } = await running().open('start');
      await chooseFiles(page, [createFilePayload('nothing.txt', '')]);
      const row = findContentRow(page, 'nothing.txt');
      await row.getByText('Refused').waitFor();
      expect(await row.getByRole('button', { name: 'Upload nothing.txt again' }).count()).toBe(0);
      await row.getByRole('button', { name: 'Remove nothing.txt from the list' }).click();
      await row.waitFor({ state: 'detached' });
    });

    it('an answer on the first steps screen scrolls into view when it starts', async () => {
      const { page } = await running().open('start');
      await chooseFiles(
        page,
        Array.from({ length: 9 }, (_, index) =>
          createFilePayload(`note-${index}.md`, `The warranty of drill ${index} is long.`),
        ),
      );
      await page.getByRole('textbox', { name: 'Question' }).fill('How long is the warranty of drill 3?');
      await page.keyboard.press('Enter');
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.locator('.markdown').waitFor();
      await expect.poll(async () => ((await answer.boundingBox())?.y ?? 800) < 400, { timeout: 10_000 }).toBe(true);
      expect((await page.getByRole('textbox', { name: 'Question' }).boundingBox())?.y).toBeGreaterThan(57);
      expect((await page.getByRole('heading', { name: 'First steps', level: 1 }).boundingBox())?.y).toBeGreaterThan(0);
    });
  });
}
