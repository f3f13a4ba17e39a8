import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageImage } from '@quarry/document-readers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageNotRecognized } from './recognizer.js';
import { createTesseract, type TesseractSettings } from './tesseract.js';

const IMAGE: PageImage = { width: 2, height: 1, dpi: 200, pixels: Uint8Array.of(0, 255) };
const WORD = ['5\t1\t1\t1\t1\t1\t10\t20\t90\t40\t96\theron', ''].join('\n');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-tesseract-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Creates a program that runs `body` in place of Tesseract. */
async function createProgram(body: string, settings: Partial<TesseractSettings> = {}) {
  const program = join(folder, crypto.randomUUID());
  await writeFile(program, `#!${process.execPath}\n${body}`, { mode: 0o755 });
  return createTesseract({ program, dataFolder: undefined, languages: ['eng'], timeoutMs: 60_000, ...settings });
}

const NEVER = new AbortController().signal;

describe('the recognizer that runs Tesseract', { timeout: 30_000 }, () => {
  it('the recognizer runs Tesseract on one core with the image and the languages, and returns the words', async () => {
    const seen = join(folder, 'seen-by-mode-');
    const tesseract = await createProgram(
      `const input = require('node:fs').readFileSync(0).toString('latin1');
       const { OMP_THREAD_LIMIT, TESSDATA_PREFIX, HOME } = process.env;
       const seen = { args: process.argv.slice(2), input, OMP_THREAD_LIMIT, TESSDATA_PREFIX, HOME };
       require('node:fs').writeFileSync(${JSON.stringify(seen)} + process.argv.at(-2), JSON.stringify(seen));
       process.stdout.write(${JSON.stringify(WORD)});`,
      { languages: ['eng', 'deu'], dataFolder: '/data' },
    );
    const { words } = await tesseract.recognize(IMAGE, NEVER);
    expect(words).toEqual([
      { text: 'heron', block: '1.1', line: 1, confidence: 96, left: 10, top: 20, width: 90, height: 40 },
    ]);
    expect(JSON.parse(await readFile(`${seen}3`, 'utf8'))).toEqual({
      args: ['stdin', 'stdout', '-l', 'eng+deu', '--dpi', '200', '--psm', '3', 'tsv'],
      input: 'P5\n2 1\n255\n\u0000ÿ',
      OMP_THREAD_LIMIT: '1',
      TESSDATA_PREFIX: '/data',
    });
  });

  it.each([
    ['single block', 'Total', 'Total 1,824'],
    ['automatic segmentation', 'Total 1,824', 'Total'],
  ])(
    'the recognizer reads a page with numbers in two modes of segmentation, and returns the words of the mode “%s” if this mode finds more words',
    async (_, automatic, single) => {
      const format = (text: string): string =>
        `${text} 7`
          .split(' ')
          .map((word, index) => `5\t1\t1\t1\t1\t${index}\t0\t0\t9\t9\t90\t${word}\n`)
          .join('');
      const outputs = JSON.stringify({ '3': format(automatic), '6': format(single) });
      const body = `process.stdin.resume().on('end', () => process.stdout.write(${outputs}[process.argv.at(-2)]));`;
      const { words } = await (await createProgram(body)).recognize(IMAGE, NEVER);
      expect(words.map(({ text }) => text)).toEqual(['Total', '1,824', '7']);
    },
  );

  it('the recognizer turns a page with uncertain words, and returns the words of the turned page if these words are better', async () => {
    const body = `const chunks = [];
      process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        const isUpright = Buffer.concat(chunks).at(-1) === 0;
        process.stdout.write('5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t90\\t9\\t' + (isUpright ? '95\\theron' : '40\\tuoay') + '\\n');
      });`;
    const tesseract = await createProgram(body);
    await expect(tesseract.recognize(IMAGE, NEVER)).resolves.toMatchObject({ words: [{ text: 'heron' }], turns: 2 });
  });

  it.each([
    ['5 uncertain words', 5, 'its 5 words have too low a confidence'],
    ['4 uncertain words', 4, undefined],
  ])(
    'the recognizer rejects a page on which all words are uncertain, unless the page has fewer than 5 words: %s',
    async (_, count, message) => {
      const words = Array.from({ length: count }, () => '5\t1\t1\t1\t1\t1\t0\t0\t90\t9\t10\theron\n').join('');
      const body = `process.stdin.resume().on('end', () => process.stdout.write(${JSON.stringify(words)}));`;
      const recognizing = (await createProgram(body)).recognize(IMAGE, NEVER);
      if (message === undefined) await expect(recognizing).resolves.toEqual({ words: [], turns: 0 });
      else await expect(recognizing).rejects.toThrow(new PageNotRecognized(message));
    },
  );

  it('the recognizer rejects only the page, and not the whole attempt, if Tesseract exits before it has read the image', async () => {
    const tesseract = await createProgram('process.exit(1)');
    const large = { width: 2_000, height: 2_000, dpi: 200, pixels: new Uint8Array(4_000_000) };
    await expect(tesseract.recognize(large, NEVER)).rejects.toMatchObject({ name: 'PageNotRecognized' });
  });

  it('the recognizer fails the attempt if Tesseract cannot be started', async () => {
    const program = join(folder, 'missing');
    const tesseract = createTesseract({ program, dataFolder: undefined, languages: ['eng'], timeoutMs: 60_000 });
    await expect(tesseract.recognize(IMAGE, NEVER)).rejects.toMatchObject({
      name: 'AttemptFailed',
      code: 'ocr_unavailable',
    });
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'])(
    'the recognizer fails the attempt, and not only the page, if another process ends Tesseract with %s',
    async (signal) => {
      const tesseract = await createProgram(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000);`);
      await expect(tesseract.recognize(IMAGE, NEVER)).rejects.toMatchObject({
        ...{ name: 'AttemptFailed', code: 'ocr_unavailable' },
        message: `Text recognition was ended by ${signal}.`,
      });
    },
  );

  it('the recognizer rejects only the page if the page crashes Tesseract', async () => {
    const tesseract = await createProgram(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000);`);
    await expect(tesseract.recognize(IMAGE, NEVER)).rejects.toMatchObject({ name: 'PageNotRecognized' });
  });

  const createEndlessProgram = async (settings: Partial<TesseractSettings> = {}) => {
    const pidFile = join(folder, crypto.randomUUID());
    const body = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;
    const tesseract = await createProgram(body, settings);
    return { tesseract, pidFile };
  };

  it('the recognizer kills Tesseract when Tesseract exceeds the time limit', async () => {
    const { tesseract, pidFile } = await createEndlessProgram({ timeoutMs: 1_000 });
    await expect(tesseract.recognize(IMAGE, NEVER)).rejects.toThrow('Tesseract took longer than 1 seconds');
    await expectProcessEnded(pidFile);
  });

  it('the recognizer kills Tesseract when the signal aborts', async () => {
    const { tesseract, pidFile } = await createEndlessProgram();
    const cancellation = new AbortController();
    const recognized = tesseract.recognize(IMAGE, cancellation.signal);
    const rejected = expect(recognized).rejects.toThrow('the run was cancelled');
    await expect.poll(() => existsSync(pidFile)).toBe(true);
    cancellation.abort(new Error('the run was cancelled'));
    await rejected;
    await expectProcessEnded(pidFile);
  });

  it('the recognizer does not start Tesseract if the signal has already aborted', async () => {
    const { tesseract, pidFile } = await createEndlessProgram();
    await expect(tesseract.recognize(IMAGE, AbortSignal.abort(new Error('the run was cancelled')))).rejects.toThrow(
      'the run was cancelled',
    );
    expect(existsSync(pidFile)).toBe(false);
  });
});

async function expectProcessEnded(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8'));
  await expect.poll(() => isProcessRunning(pid)).toBe(false);
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
