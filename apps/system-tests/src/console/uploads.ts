import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { showAppearance } from './appearances.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openUploadScreen } from './open-upload-screen.js';
import { chooseFiles, createFilePayload, findUploadRow } from './upload-rows.js';

const MIB = 1_048_576;

async function listDatasourceNames(client: QuarryClient, datastoreId: string): Promise<readonly string[]> {
  return (await client.listDatasources({ datastoreId })).items.map(({ name }) => name).sort();
}

async function createTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-upload-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Limits the upload rate of a page. @param rate in bytes per second @returns a function that removes the limit */
async function limitUploadRate(page: Page, rate: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: rate,
  });
  // Only the DevTools session that set the limit can remove it.
  return async () => session.detach();
}

/** Tests the upload of files on the screen that adds content. */
export function testUpload(running: () => ConsoleUnderTest): void {
  describe('the upload screen', () => {
    it('a user uploads several files at once, and each refused file shows the reason', async () => {
      const { page, client, datastoreId } = await openUploadScreen(running());
      await page.getByText('Drop files or folders here').waitFor();
      await auditScreenInEachAppearance(page, 'upload-empty');
      await chooseFiles(page, 'Choose files', [
        createFilePayload('drill.md', '# Drill\n\nThe warranty of the drill lasts two years.'),
        createFilePayload('prices.csv', 'name,price\ndrill,129\nsaw,89'),
        createFilePayload('setup.exe', 'MZ\u0090\u0000\u0003'),
        createFilePayload('broken.pdf', '%PDF-1.4\nnot really'),
        createFilePayload('archive.pdf', 'PK\u0003\u0004 no PDF'),
        createFilePayload('nothing.txt', ''),
      ]);
      for (const name of ['drill.md', 'prices.csv']) await findUploadRow(page, name).getByText('Ready').waitFor();
      await findUploadRow(page, 'broken.pdf').getByText('The PDF is damaged').waitFor();
      for (const [name, reason] of [
        ['setup.exe', 'This type of file is not supported'],
        ['archive.pdf', 'its content is of another type'],
        ['nothing.txt', 'The file "nothing.txt" has 0 bytes'],
      ] as const) {
        await findUploadRow(page, name).getByText('Refused').waitFor();
        await findUploadRow(page, name).getByText(reason).waitFor();
      }
      await page.getByText('3 of 6 uploaded').waitFor();
      await page.getByText('3 refused').waitFor();
      await auditScreenInEachAppearance(page, 'upload-files');
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(3);
      await findUploadRow(page, 'drill.md').getByRole('link').click();
      await page.getByRole('heading', { name: 'drill.md', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Clear finished' }).click();
      await findUploadRow(page, 'drill.md').waitFor({ state: 'detached' });
    });

    it('when a user uploads a folder, the console omits files of the operating system, such as `.DS_Store`', async () => {
      const folder = await createTempFolder();
      await mkdir(join(folder, 'manuals', 'saws'), { recursive: true });
      const files = { 'manuals/drill.txt': 'A drill.', 'manuals/saws/saw.txt': 'A saw.', 'manuals/.DS_Store': 'x' };
      for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
      const { page, client, datastoreId } = await openUploadScreen(running());
      await chooseFiles(page, 'Choose a folder', join(folder, 'manuals'));
      const names = ['manuals › drill.txt', 'manuals › saws › saw.txt'];
      for (const name of names) await findUploadRow(page, name).getByText('Ready').waitFor();
      await page.getByText('2 of 2 uploaded').waitFor();
      expect(await listDatasourceNames(client, datastoreId)).toEqual(names);
    });

    it('files of the same name in different folders of an uploaded folder become separate datasources', async () => {
      const folder = await createTempFolder();
      const files = { 'manuals/drills/readme.txt': 'The drill is red.', 'manuals/saws/readme.txt': 'The saw is blue.' };
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const { page, client, datastoreId } = await openUploadScreen(running());
      await chooseFiles(page, 'Choose a folder', join(folder, 'manuals'));
      const names = ['manuals › drills › readme.txt', 'manuals › saws › readme.txt'];
      for (const name of names) await findUploadRow(page, name).getByText('Ready').waitFor();
      expect(await listDatasourceNames(client, datastoreId)).toEqual(names);
      await auditScreenInEachAppearance(page, 'upload-folder');
      await page.setViewportSize({ width: 390, height: 844 });
      await auditScreenInEachAppearance(page, 'upload-folder-narrow');
      // The name of the file stays visible in a narrow window.
      await page.setViewportSize({ width: 300, height: 844 });
      const file = findUploadRow(page, 'manuals › saws › readme.txt').getByText('readme.txt', { exact: true });
      expect(await file.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await findUploadRow(page, 'manuals › saws › readme.txt').getByRole('link').click();
      await page.getByRole('heading', { name: 'manuals › saws › readme.txt', level: 1 }).waitFor();
    });

    it('a file over the size limit is refused, with the reason beside it', async () => {
      const folder = await createTempFolder();
      const path = join(folder, 'video.txt');
      const file = await open(path, 'w');
      await file.truncate(103 * MIB);
      await file.close();
      const { page, client, datastoreId } = await openUploadScreen(running());
      await chooseFiles(page, 'Choose files', path);
      await findUploadRow(page, 'video.txt')
        .getByText(/100 MiB|104857600|104,857,600/)
        .waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toEqual([]);
    });

    it('a user sees the progress of each file, cancels an upload and repeats it', async () => {
      const { page, client, datastoreId } = await openUploadScreen(running());
      // At this rate the upload takes nearly a minute, so that it is still in progress when the test cancels it.
      const removeLimit = await limitUploadRate(page, 50_000);
      const text = 'The drill has a number. '.repeat(100_000);
      await chooseFiles(page, 'Choose files', [
        createFilePayload('long.txt', text),
        createFilePayload('short.txt', 'The saw is red.'),
      ]);
      const row = findUploadRow(page, 'long.txt');
      await row.getByRole('progressbar', { name: 'Progress of long.txt' }).waitFor();
      await row.getByText(/^[1-9]\d? %|^[1-9]\d?%/).waitFor();
      await auditScreenInEachAppearance(page, 'upload-progress');
      await row.getByRole('button', { name: 'Cancel the upload of long.txt' }).click();
      await row.getByText('Cancelled').waitFor();
      await findUploadRow(page, 'short.txt').getByText('Ready').waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(1);
      await removeLimit();
      await row.getByRole('button', { name: 'Upload long.txt again' }).click();
      await row.getByText(/Ready|Waiting|Running/).waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(2);
    });

    it('a file that replaces an earlier file of the same name is marked as its replacement', async () => {
      const { page, client, datastoreId } = await openUploadScreen(running());
      await chooseFiles(page, 'Choose files', [createFilePayload('drill.txt', 'The warranty lasts two years.')]);
      await findUploadRow(page, 'drill.txt').getByText('Ready').waitFor();
      expect(await page.getByText('Replaced').count()).toBe(0);
      await chooseFiles(page, 'Choose files', [createFilePayload('drill.txt', 'The warranty lasts three years.')]);
      const rows = findUploadRow(page, 'drill.txt');
      await rows.nth(1).getByText('Ready').waitFor();
      await rows.nth(1).getByText('This file replaced the earlier file of this name.').waitFor();
      await rows.nth(0).getByText('Replaced by the later file of this name.').waitFor();
      await auditScreenInEachAppearance(page, 'upload-replaced');
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(1);
      await page.getByRole('button', { name: 'Clear finished' }).click();
      await chooseFiles(page, 'Choose files', [createFilePayload('drill.txt', 'The warranty lasts four years.')]);
      await rows.getByText('This file replaced the earlier file of this name.').waitFor();
    });

    it('the form explains a refused value in German when the console is in German', async () => {
      const { page } = await openUploadScreen(running());
      await showAppearance(page, { theme: 'light', language: 'de' });
      await page.getByRole('tab', { name: 'Website' }).click();
      const address = page.getByRole('textbox', { name: 'Startseite' });
      await address.fill('http://10.0.0.1/');
      await page.getByRole('button', { name: 'Hinzufügen' }).click();
      const reason = page.getByText('Diese Adresse gehört zu einem einzelnen Rechner oder einem privaten Netz.');
      await reason.waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
    });

    it('the upload screen needs no horizontal scrolling in a narrow window', async () => {
      const { page } = await openUploadScreen(running(), { width: 360, height: 740 });
      const name = `${'a-very-long-name-'.repeat(6)}.exe`;
      await chooseFiles(page, 'Choose files', [
        createFilePayload(name, 'MZ'),
        createFilePayload('drill.txt', 'A drill.'),
      ]);
      await findUploadRow(page, name).getByText('Refused').waitFor();
      await auditScreenInEachAppearance(page, 'upload-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  });
}
