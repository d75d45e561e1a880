import assert from 'node:assert/strict';
import { HumanError } from '../../../src/base/errors';
import { childEnvironment, type EnvironmentInput, environmentVariable } from '../../../src/config/environment';

function environment(input: Partial<EnvironmentInput>): Promise<Record<string, string>> {
  return childEnvironment({
    inherited: {},
    launch: { env: {} },
    platform: 'linux',
    readFile: () => Promise.reject(new Error('not asked for')),
    ...input,
  });
}

describe('childEnvironment', () => {
  it('C1: env: {"A":""} keeps PATH, null removes, the rest is set', async () => {
    assert.deepEqual(
      await environment({
        inherited: { PATH: '/bin', HOME: '/home/me', DROP: 'x', OLD: '1', NONE: undefined },
        launch: { env: { A: '', DROP: null, OLD: '2', NEVER: null } },
      }),
      { PATH: '/bin', HOME: '/home/me', A: '', OLD: '2' },
    );
  });

  it('leaves out what VS Code and Electron set for themselves, and what env sets stays', async () => {
    assert.deepEqual(
      await environment({
        inherited: {
          VSCODE_PID: '1',
          VSCODE_IPC_HOOK: 'x',
          ELECTRON_RUN_AS_NODE: '1',
          ELECTRON_NO_ATTACH_CONSOLE: '1',
          APPLICATION_INSIGHTS_NO_DIAGNOSTIC_CHANNEL: '1',
          CHROME_DESKTOP: 'code.desktop',
          MY_VSCODE_NOTE: 'mine',
          LANG: 'C',
        },
        launch: { env: { ELECTRON_RUN_AS_NODE: '1' } },
      }),
      { MY_VSCODE_NOTE: 'mine', LANG: 'C', ELECTRON_RUN_AS_NODE: '1' },
    );
  });

  const nodeOptions: [string, string | undefined][] = [
    ['--max-old-space-size=4096', '--max-old-space-size=4096'],
    [' --require "/Visual Studio Code/extensions/ms-vscode.js-debug/src/bootloader.js"', undefined],
    [' --require /x/ms-vscode.js-debug/src/bootloader.js  --inspect-publish-uid=http', undefined],
    ['--no-warnings --require /x/ms-vscode.js-debug/src/bootloader.js', '--no-warnings'],
    ['--require ./mine.js', '--require ./mine.js'],
  ];
  for (const [value, expected] of nodeOptions) {
    it(`of NODE_OPTIONS=${value} leaves ${expected}`, async () => {
      assert.equal((await environment({ inherited: { NODE_OPTIONS: value } })).NODE_OPTIONS, expected);
    });
  }

  it('envFile comes after what is inherited and before env', async () => {
    const paths: string[] = [];
    const result = await environment({
      inherited: { A: 'inherited', B: 'inherited', C: 'inherited' },
      launch: { env: { C: 'env' }, envFile: '/w/.env' },
      readFile: (path) => {
        paths.push(path);
        return Promise.resolve('\uFEFF# comment\nB=file\nexport C="file"\nD=\'a b\' # c\r\nE="x\\ny"\nF=${A}\n');
      },
    });
    assert.deepEqual(paths, ['/w/.env']);
    assert.deepEqual(result, { A: 'inherited', B: 'file', C: 'env', D: 'a b', E: 'x\ny', F: '${A}' });
  });

  const lengthy = ['\n', '\r\n', 'A=\n', 'A="\\"x\n', '"\n', 'export\n'];
  for (const piece of lengthy) {
    it(`an envFile of the largest size takes no time to speak of: ${JSON.stringify(piece)} over and over`, async () => {
      const text = piece.repeat((1024 * 1024) / piece.length);
      const begun = process.cpuUsage();
      await environment({ launch: { env: {}, envFile: '/w/.env' }, readFile: () => Promise.resolve(`${text}!`) });
      assert.ok(process.cpuUsage(begun).user / 1000 < 1000);
    });
  }

  const unreadable: readonly (readonly [error: Error, message: string])[] = [
    [
      Object.assign(new Error("ENOENT: no such file or directory, open '/w/.env'"), { code: 'ENOENT' }),
      'The envFile /w/.env does not exist.',
    ],
    [
      Object.assign(new Error("EACCES: permission denied, open '/w/.env'"), { code: 'EACCES' }),
      'The envFile /w/.env cannot be read: EACCES: permission denied',
    ],
    [new HumanError('It is not a regular file'), 'The envFile /w/.env cannot be read: It is not a regular file'],
  ];
  for (const [cause, message] of unreadable) {
    it(`names an envFile that cannot be read once: ${cause.message}`, async () => {
      await assert.rejects(
        environment({ launch: { env: {}, envFile: '/w/.env' }, readFile: () => Promise.reject(cause) }),
        (error) => error instanceof HumanError && error.message === message,
      );
    });
  }

  it('refuses a NUL character without the value', async () => {
    const launch = { env: {}, envFile: '/w/.env' };
    await assert.rejects(
      environment({ launch, readFile: () => Promise.resolve('K=s3cret\0') }),
      (error) =>
        error instanceof HumanError && /\bK contains a NUL/.test(error.message) && !error.message.includes('s3cret'),
    );
  });

  it('C1: on Windows Path and PATH are one variable, elsewhere two', async () => {
    const input = { inherited: { Path: 'C:\\bin', Keep: '1' }, launch: { env: { PATH: 'D:\\x', KEEP: null } } };
    assert.deepEqual(await environment({ ...input, platform: 'win32' }), { PATH: 'D:\\x' });
    assert.deepEqual(await environment(input), { Path: 'C:\\bin', Keep: '1', PATH: 'D:\\x' });
  });

  it('a variable may be called __proto__', async () => {
    const env = Object.fromEntries([['__proto__', 'p']]);
    assert.deepEqual(Object.entries(await environment({ launch: { env } })), [['__proto__', 'p']]);
  });
});

describe('environmentVariable', () => {
  it('follows the platform’s rule', () => {
    assert.equal(environmentVariable({ Path: 'x' }, 'PATH', 'win32'), 'x');
    assert.equal(environmentVariable({ Path: 'x' }, 'PATH', 'darwin'), undefined);
    assert.equal(environmentVariable({}, 'constructor', 'linux'), undefined);
  });
});
