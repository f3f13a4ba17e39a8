import { expect, it } from 'vitest';
import { listInstructionsOf, findLastArguments, parseDockerfile } from './dockerfile.js';

const parsed = parseDockerfile(`# syntax=docker/dockerfile:1
ARG BASE=node:24
FROM \${BASE} AS build
USER root
FROM \${BASE}
ARG BASE
LABEL org.opencontainers.image.title="quarry" \\
      org.opencontainers.image.version="1"
# USER root, SHELL=sh
RUN rm -rf /a \\
 && rm -rf /b
USER 0
USER 1000:1000
`);

it('parseDockerfile returns the build stages with their instructions', () => {
  const [build, last] = parsed.stages;
  expect(parsed.stages).toHaveLength(2);
  expect(findLastArguments(build, 'USER')).toBe('root');
  expect(findLastArguments(last, 'USER')).toBe('1000:1000');
  expect(findLastArguments(last, 'HEALTHCHECK')).toBeUndefined();
  expect(listInstructionsOf(last, 'RUN').map(({ words }) => words)).toEqual([
    ['rm', '-rf', '/a', '&&', 'rm', '-rf', '/b'],
  ]);
  expect(listInstructionsOf(last, 'LABEL').flatMap(({ words }) => words)).toHaveLength(2);
});

it('parseDockerfile returns the parser directives, and the build arguments with their defaults', () => {
  expect(parsed.directives).toEqual(['syntax']);
  expect([...parsed.buildArguments]).toEqual([['BASE', 'node:24']]);
});
