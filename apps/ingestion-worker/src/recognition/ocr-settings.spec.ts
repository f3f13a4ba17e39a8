import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createRecognizer, readOcrSettings } from './ocr-settings.js';
import { readWorkerSettings } from '../settings.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Creates a folder with a program that lists the given languages as Tesseract lists its installed languages. */
async function createFolder(languages: readonly string[], mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-ocr-'));
  folders.push(folder);
  const output = ['List of available languages in "/data/" (2):', ...languages, ''].join('\n');
  const program = `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(output)} + (process.env.TESSDATA_PREFIX ?? ''));\n`;
  await writeFile(join(folder, 'tesseract'), program, { mode });
  return folder;
}

describe('the settings of text recognition', () => {
  it('readOcrSettings returns undefined if no recognition engine is configured', () => {
    expect(readOcrSettings({ QUARRY_OCR_LANGUAGES: 'deu' })).toBeUndefined();
  });

  it('readOcrSettings finds Tesseract on the PATH', async () => {
    const [notExecutable, folder] = [await createFolder([], 0o644), await createFolder(['deu', 'eng', 'script/Latin'])];
    const environment = { PATH: `/missing::${notExecutable}:${folder}`, QUARRY_OCR: 'tesseract' };
    const program = join(folder, 'tesseract');
    expect(readOcrSettings(environment)).toEqual({
      concurrency: 1,
      engine: {
        ...{ kind: 'tesseract', program, dataFolder: undefined, languages: ['eng'], timeoutMs: 120_000 },
        installed: ['deu', 'eng', 'script/Latin'],
      },
    });
    const other = { QUARRY_OCR_LANGUAGES: 'deu,script/Latin,own', TESSDATA_PREFIX: 'own', QUARRY_OCR_CONCURRENCY: '3' };
    expect(readOcrSettings({ ...environment, ...other, QUARRY_OCR_TIMEOUT_SECONDS: '5' })).toEqual({
      concurrency: 3,
      engine: {
        kind: 'tesseract',
        program,
        dataFolder: 'own',
        languages: ['deu', 'script/Latin', 'own'],
        timeoutMs: 5_000,
        installed: ['deu', 'eng', 'script/Latin', 'own'],
      },
    });
  });

  it('readOcrSettings returns the address of an OCR service', () => {
    expect(readOcrSettings({ QUARRY_OCR_URL: 'http://ocr:8080/', QUARRY_OCR_LANGUAGES: 'eng,fra' })).toEqual({
      concurrency: 1,
      engine: { kind: 'service', url: 'http://ocr:8080/', languages: ['eng', 'fra'], timeoutMs: 120_000 },
    });
  });

  it('readOcrSettings throws if Tesseract is configured but not installed', () => {
    expect(() => readOcrSettings({ PATH: '/missing', QUARRY_OCR: 'tesseract' })).toThrow(
      'install the package tesseract-ocr',
    );
    expect(() => readOcrSettings({ QUARRY_OCR: 'tesseract' })).toThrow('not on the PATH');
  });

  it('readOcrSettings throws if the data of a configured language is not installed', async () => {
    const environment = { PATH: await createFolder(['eng', 'osd']), QUARRY_OCR: 'tesseract' };
    expect(() => readOcrSettings({ ...environment, QUARRY_OCR_LANGUAGES: 'deu,eng,fra' })).toThrow(
      'languages without data for Tesseract: deu, fra. Found eng, osd.',
    );
  });

  it('createRecognizer throws if the data of a language of the datastore is not installed', async () => {
    const environment = { PATH: await createFolder(['eng', 'osd']), QUARRY_OCR: 'tesseract' };
    const settings = readOcrSettings(environment);
    if (settings === undefined) throw new Error('expected settings, found none');
    expect(() => createRecognizer(settings, ['eng'])).not.toThrow();
    expect(() => createRecognizer(settings, ['deu', 'eng', 'fra'])).toThrow(
      expect.objectContaining({
        code: 'ocr_language_missing',
        message: expect.stringContaining('Expected language data for deu, fra, found eng, osd.') as unknown,
      }),
    );
  });

  it.each(['eng+deu', 'eng,', '', '../eng', '-l'])(
    'readOcrSettings refuses an invalid value of `QUARRY_OCR_LANGUAGES`, and replaces an empty value by the default: %j',
    (QUARRY_OCR_LANGUAGES) => {
      const readSettings = () => readOcrSettings({ QUARRY_OCR_URL: 'http://ocr', QUARRY_OCR_LANGUAGES });
      if (QUARRY_OCR_LANGUAGES === '') expect(readSettings()?.engine.languages).toEqual(['eng']);
      else expect(readSettings).toThrow('QUARRY_OCR_LANGUAGES must be language names');
    },
  );

  it('readOcrSettings throws if both Tesseract and an OCR service are configured', () => {
    expect(() => readOcrSettings({ QUARRY_OCR: 'tesseract', QUARRY_OCR_URL: 'http://ocr' })).toThrow(
      'must not both be set',
    );
  });

  it('readWorkerSettings reports the problems of text recognition together with other problems', () => {
    const wrong = { QUARRY_OCR: 'tesseract', PATH: '/missing', QUARRY_READING_PROCESSES: 'many' };
    expect(() => readWorkerSettings(wrong)).toThrow(/(?=[^]*QUARRY_READING_PROCESSES)(?=[^]*tesseract-ocr)/);
    const two = { QUARRY_OCR: 'other', QUARRY_OCR_CONCURRENCY: '0', QUARRY_OCR_URL: 'ocr' };
    expect(() => readWorkerSettings(two)).toThrow(
      /(?=[^]*QUARRY_OCR )(?=[^]*QUARRY_OCR_CONCURRENCY)(?=[^]*QUARRY_OCR_URL)/,
    );
  });
});
