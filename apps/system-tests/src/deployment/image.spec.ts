import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listInstructionsOf, findLastArguments, parseDockerfile } from './dockerfile.js';

const { createServiceEnvironment } = (await import(
  new URL('../../../../scripts/toolchain.mjs', import.meta.url).href
)) as {
  readonly createServiceEnvironment: (extra?: object) => Readonly<Record<string, string>>;
}; // the exports of the script

const FILE = fileURLToPath(new URL('../../../../docker/Dockerfile', import.meta.url));

describe('the image of a service', () => {
  const { directives, stages } = parseDockerfile(readFileSync(FILE, 'utf8'));
  const image = stages.at(-1);

  it('the image is built without downloading a Dockerfile frontend from a registry', () => {
    expect(directives).toEqual([]);
  });

  it('the image runs as an unprivileged user, and defines a health check', () => {
    expect(findLastArguments(image, 'USER')).toBe('1000:1000');
    expect(findLastArguments(image, 'HEALTHCHECK')).toBeDefined();
  });

  it('the image has a label with its title', () => {
    const labels = listInstructionsOf(image, 'LABEL').flatMap(({ words }) => words.map((word) => word.split('=')[0]));
    expect(labels).toContain('org.opencontainers.image.title');
  });

  it('the image contains neither npm nor npx', () => {
    const removed = listInstructionsOf(image, 'RUN').filter(({ words }) => words.slice(0, 2).join(' ') === 'rm -rf');
    expect(removed.flatMap(({ words }) => words.slice(2))).toEqual(
      expect.arrayContaining(['/usr/local/lib/node_modules', '/usr/local/bin/npm', '/usr/local/bin/npx']),
    );
  });

  it('the image and `npm start` set the same environment variables for native libraries and Node.js', () => {
    const names = [
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'LANCEDB_LOG',
      'NODE_OPTIONS',
    ];
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of names) vi.stubEnv(name, undefined);
    const settings = listInstructionsOf(image, 'ENV').flatMap(({ words }) => words);
    expect(settings).toEqual(
      expect.arrayContaining(names.map((name) => `${name}=${createServiceEnvironment()[name] ?? 'undefined'}`)),
    );
  });

  it('the image starts the bundle of a service, and the image build compiles the bundle as the user that runs the service', () => {
    const entry = 'apps/$APP/dist/bundle/main.js';
    expect(findLastArguments(image, 'CMD')).toContain(entry);
    const instructions = image?.instructions.map(({ keyword, words }) => `${keyword} ${words.join(' ')}`) ?? [];
    const user = instructions.indexOf('USER 1000:1000');
    const after = instructions.slice(user).filter((instruction) => instruction.startsWith(`RUN node ${entry} `));
    expect(after).toHaveLength(1);
    const settings = listInstructionsOf(image, 'ENV').flatMap(({ words }) => words);
    expect(settings).toContain('NODE_COMPILE_CACHE=/quarry/compiled');
  });

  /**
   * Runs the instruction of the Dockerfile that installs Tesseract, with a simulated `apt-get`.
   *
   * @returns the arguments of `apt-get`, and the environment variables that the image sets for OCR
   */
  async function installTesseract(languages: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-image-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [program, text] of Object.entries({ 'apt-get': '#!/bin/sh\necho "$@"\n', rm: '#!/bin/sh\n' })) {
      await writeFile(join(folder, program), text);
      await chmod(join(folder, program), 0o755);
    }
    const install = listInstructionsOf(image, 'RUN').find(({ words }) => words.includes('tesseract-ocr'));
    const settings = listInstructionsOf(image, 'ENV').find(({ words }) => words.join(' ').includes('QUARRY_OCR='));
    const script = `set -e\n${install?.words.join(' ')}\necho ${settings?.words.join(' ')}`;
    const env = { PATH: `${folder}:/usr/bin:/bin`, OCR_LANGUAGES: languages };
    return (await promisify(execFile)('/bin/sh', ['-c', script], { env })).stdout;
  }

  it('an image that is built with languages contains Tesseract with these languages, and the settings that select Tesseract', async () => {
    expect(await installTesseract('eng,chi_sim')).toBe(
      [
        'update',
        'install -y --no-install-recommends tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim',
        'clean',
        'QUARRY_OCR=tesseract QUARRY_OCR_LANGUAGES=eng,chi_sim',
        '',
      ].join('\n'),
    );
  });

  it('an image that is built without languages contains no Tesseract', async () => {
    expect(await installTesseract('')).toBe('QUARRY_OCR= QUARRY_OCR_LANGUAGES=\n');
  });
});
