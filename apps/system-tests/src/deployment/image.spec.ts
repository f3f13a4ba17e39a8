import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selectInstructions, findLastValue, parseDockerfile } from './dockerfile.js';

const FILE = fileURLToPath(new URL('../../../../docker/Dockerfile', import.meta.url));

describe('the image of a service', () => {
  const { directives, stages } = parseDockerfile(readFileSync(FILE, 'utf8'));
  const image = stages.at(-1);

  it('the image is built without a Dockerfile front end from a registry', () => {
    expect(directives).toEqual([]);
  });

  it('the image runs as an unprivileged user with a health check', () => {
    expect(findLastValue(image, 'USER')).toBe('1000:1000');
    expect(findLastValue(image, 'HEALTHCHECK')).toBeDefined();
  });

  it('the image has a title label', () => {
    const labels = selectInstructions(image, 'LABEL').flatMap(({ words }) => words.map((word) => word.split('=')[0]));
    expect(labels).toContain('org.opencontainers.image.title');
  });

  it('the image contains no package manager', () => {
    const removed = selectInstructions(image, 'RUN').filter(({ words }) => words.slice(0, 2).join(' ') === 'rm -rf');
    expect(removed.flatMap(({ words }) => words.slice(2))).toEqual(
      expect.arrayContaining(['/usr/local/lib/node_modules', '/usr/local/bin/npm', '/usr/local/bin/npx']),
    );
  });
});
