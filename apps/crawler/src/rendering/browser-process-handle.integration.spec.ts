import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BrowserProcess } from './browser-process-handle.js';

const CANDIDATES = [process.env['QUARRY_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executable = CANDIDATES.find((path) => path !== undefined && existsSync(path));
const where =
  executable === undefined ? 'skipped: no Chromium was found, set QUARRY_CHROMIUM to its path' : `in ${executable}`;
const PAGE = {
  url: 'http://site.example/',
  bytes: Buffer.from('<p>Lamp</p><script src="/lamp.js"></script>'),
  contentType: 'text/html',
};
const { signal } = new AbortController();

describe.skipIf(executable === undefined)(`BrowserProcess, ${where}`, { timeout: 60_000 }, () => {
  const settings = {
    executable: executable ?? '',
    sandbox: process.getuid?.() !== 0,
    timeoutMs: 20_000,
    maxBytes: 1_000,
    userAgent: 'test/1',
  };

  it('a browser process renders several pages, and ends when it is stopped', async () => {
    const browser = await BrowserProcess.start(settings);
    const bytes = Buffer.from("document.body.append('Lisbon')");
    const fetchResource = () => Promise.resolve({ status: 200, headers: {}, bytes });
    expect(await browser.renderPage(PAGE, { fetchResource, signal })).toContain('</script>Lisbon');
    const withoutScript = () => Promise.resolve(undefined);
    expect(await browser.renderPage(PAGE, { fetchResource: withoutScript, signal })).not.toContain('Lisbon');
    await browser.stop();
    expect(browser.isAlive).toBe(false);
  });

  it('if a browser process exits while it renders a page, it rejects the page', async () => {
    const browser = await BrowserProcess.start(settings);
    const fetchResource = () => {
      process.kill(browser.pid ?? 0, 'SIGKILL');
      return Promise.resolve(undefined);
    };
    const rendered = browser.renderPage(PAGE, { fetchResource, signal });
    await expect(rendered).rejects.toThrow('the process of the browser exited: SIGKILL');
    expect(browser.isAlive).toBe(false);
    await browser.stop();
  });
});
