import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Source text of a module that makes Node load the TypeScript source of each imported `.js` module of this package. */
const LOAD_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });`;

/** Statements of a start that succeeds. */
const SUCCEED = `console.log('started'); return { close: async () => console.log('closed') };`;

/**
 * Starts a process that runs a service. The service prints `starting`, waits for its standard input, and then executes
 * `start`.
 *
 * @param start statements that end the start of the service
 */
function runServiceInProcess(start: string): {
  /** Resolves when the process has printed the text. Rejects if it ends before. */
  waitForOutput(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  continueStart(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: unknown; readonly output: string }>;
} {
  const module = new URL('run-service.ts', import.meta.url).href;
  const script = `${LOAD_SOURCES}
    import { once } from 'node:events';
    const { runService } = await import(${JSON.stringify(module)});
    await runService('The service', async () => {
      console.log('starting');
      await once(process.stdin, 'data');
      ${start}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, output }));
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    continueStart: () => void child.stdin.write('continue\n'),
    waitForOutput: async (text) => {
      while (!output.includes(text)) {
        if (!isRunning) throw new Error(`The process ended without printing “${text}”: ${output}`);
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
      }
    },
  };
}

describe('runService', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s during the start closes the service when it has started',
    async (signal) => {
      const service = runServiceInProcess(SUCCEED);
      await service.waitForOutput('starting');
      service.kill(signal);
      await service.waitForOutput(`The service received ${signal} and closes when it has started`);
      service.continueStart();
      const { code, output } = await service.ended;
      expect(output).toMatch(/started\nclosed\n$/);
      expect(code).toBe(0);
    },
  );

  it('a second SIGINT during the start exits immediately', async () => {
    const service = runServiceInProcess(SUCCEED);
    await service.waitForOutput('starting');
    service.kill('SIGINT');
    await service.waitForOutput('received SIGINT');
    service.kill('SIGINT');
    expect((await service.ended).code).toBe(130);
  });

  it('a start that fails after a signal reports its failure once and exits with 1', async () => {
    const service = runServiceInProcess(`throw new Error('no database');`);
    await service.waitForOutput('starting');
    service.kill('SIGTERM');
    await service.waitForOutput('received SIGTERM');
    service.continueStart();
    const { code, output } = await service.ended;
    expect(output.match(/The service could not start\. Error: no database/g)).toHaveLength(1);
    expect(output).not.toContain('did not close cleanly');
    expect(code).toBe(1);
  });

  it('a start that fails because a server is unreachable reports what to do, without a stack', async () => {
    const service = runServiceInProcess(`
      const { connect } = await import('node:net');
      const [cause] = await once(connect(1, '127.0.0.1'), 'error');
      throw new Error('the database quarry at 127.0.0.1:1 could not be opened', { cause });`);
    service.continueStart();
    const { code, output } = await service.ended;
    expect(output).toMatch(
      /could not be opened\. Start this server, or correct its address in the environment: DATABASE/,
    );
    expect(output).not.toContain('    at ');
    expect(code).toBe(1);
  });

  it('SIGTERM closes a service that has started', async () => {
    const service = runServiceInProcess(SUCCEED);
    service.continueStart();
    await service.waitForOutput('started');
    service.kill('SIGTERM');
    const { code, output } = await service.ended;
    expect(output).toBe('starting\nstarted\nclosed\n');
    expect(code).toBe(0);
  });
});
