import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChromiumRenderer } from './chromium-renderer.js';
import { RenderingFailed } from './renderer.js';

/** Source text of a program that sends a message that playwright cannot parse, and exits when it is disconnected. */
const BROWSER_WITH_INVALID_MESSAGE = `#!/bin/sh\nprintf 'x\\0' >&4\nexec cat <&3\n`;
const PAGE = { url: 'http://site.example/', bytes: Buffer.from('<p>Lamp</p>'), contentType: 'text/html' };

let folder: string;
let executable: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-renderer-'));
  executable = join(folder, 'browser');
  await writeFile(executable, BROWSER_WITH_INVALID_MESSAGE, { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true }));

describe('createChromiumRenderer', () => {
  it('if a message of the browser crashes the process that parses it, the renderer fails only the page, and restarts the process for the next page', async () => {
    const settings = { executable, sandbox: true, timeoutMs: 60_000, maxBytes: 1_000, userAgent: 'test/1' };
    const renderer = createChromiumRenderer(settings, () => Promise.resolve(undefined));
    const render = (): Promise<string> => renderer.render(PAGE, new AbortController().signal);
    const crash = new RenderingFailed('the process of the browser exited: code 1');
    await expect(render()).rejects.toThrow(crash);
    await expect(render()).rejects.toThrow(crash);
    await renderer.close();
  });
});
