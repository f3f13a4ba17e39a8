import type { Locator, Page } from 'playwright-core';

/** Chooses files or a folder in the file chooser that a button opens. */
export async function chooseFiles(
  page: Page,
  button: string,
  files: Parameters<Locator['setInputFiles']>[0],
): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ]);
  await chooser.setFiles(files);
}

/** Creates a file for a file chooser. */
export function createFilePayload(name: string, text: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: '', buffer: Buffer.from(text) };
}

/** Finds the row of an uploaded file by its name. */
export function findUploadRow(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByTitle(name, { exact: true }) });
}
