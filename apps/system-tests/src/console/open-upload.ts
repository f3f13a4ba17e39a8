import type { ConsoleUnderTest } from './console-under-test.js';
import { openDatastore, type OpenedDatastore } from './open-datastore.js';

/** Creates a datastore, and opens the screen that adds content to it. */
export async function openUpload(
  running: ConsoleUnderTest,
  size: { readonly width?: number; readonly height?: number } = {},
): Promise<OpenedDatastore> {
  const opened = await openDatastore(running, size);
  await opened.page.getByRole('button', { name: 'Add content' }).click();
  await opened.page.getByRole('heading', { name: 'Add content', level: 1 }).waitFor();
  return opened;
}
