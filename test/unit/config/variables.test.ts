import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HumanError } from '../../../src/base/errors';
import type { HttpLaunch, Launch, ServerDefinition, StdioLaunch } from '../../../src/config/serverDefinition';
import {
  type ResolvedHttp,
  type ResolvedStdio,
  resolveLaunch,
  type VariableContext,
} from '../../../src/config/variables';

const context: VariableContext = {
  userHome: '/home/me',
  env: { TOKEN: 's3cret', EMPTY: '', NESTED: '${env:TOKEN}', GONE: undefined },
  platform: 'linux',
};

function definition(launch: Launch, folder?: string): ServerDefinition {
  const source = { kind: 'workspace', label: 'x', folder: folder ? { name: 'w', path: folder } : undefined } as const;
  return { id: 'a', name: 'a', source, launch, shadows: [] };
}

function stdio(launch: Partial<StdioLaunch>, options: Partial<VariableContext> = {}, folder?: string): ResolvedStdio {
  const full: StdioLaunch = { type: 'stdio', command: 'x', args: [], env: {}, ...launch };
  const resolved = resolveLaunch(definition(full, folder), { ...context, ...options });
  assert.ok(resolved.type === 'stdio');
  return resolved;
}

function http(launch: Partial<HttpLaunch>, options: Partial<VariableContext> = {}): ResolvedHttp {
  const full: HttpLaunch = { type: 'http', url: 'https://h', headers: {}, ...launch };
  const resolved = resolveLaunch(definition(full), { ...context, ...options });
  assert.ok(resolved.type !== 'stdio');
  return resolved;
}

function human(message: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof HumanError);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  };
}

describe('resolveLaunch', () => {
  it('replaces variables in every string of a stdio launch', () => {
    assert.deepEqual(
      stdio(
        {
          command: '${workspaceFolder}/bin',
          args: ['--home=${userHome}', '${env:TOKEN}${env:EMPTY}${pathSeparator}'],
          cwd: '${workspaceFolder}/sub',
          env: { A: '${env:TOKEN}', N: 1.5, R: null },
          envFile: '${workspaceFolder}/.env',
        },
        {},
        '/w',
      ),
      {
        type: 'stdio',
        command: '/w/bin',
        args: ['--home=/home/me', 's3cret/'],
        cwd: '/w/sub',
        env: { A: 's3cret', N: '1.5', R: null },
        envFile: '/w/.env',
      },
    );
  });

  it('replaces variables in the client id', () => {
    assert.deepEqual(http({ oauth: { clientId: 'c-${env:TOKEN}' } }), {
      type: 'http',
      url: 'https://h',
      headers: {},
      oauth: { clientId: 'c-s3cret' },
    });
  });

  it('replaces variables in url and headers, and keeps the url as it was written', () => {
    assert.deepEqual(
      http({ url: 'HTTPS://Host:443/a/../b/?q=${env:TOKEN}&x=%2f/', headers: { X: 'B ${env:TOKEN}' } }),
      {
        type: 'http',
        url: 'HTTPS://Host:443/a/../b/?q=s3cret&x=%2f/',
        headers: { X: 'B s3cret' },
      },
    );
    assert.equal(http({ url: 'https://h/mcp/' }).url, 'https://h/mcp/');
    assert.equal(http({ type: 'sse' }).type, 'sse');
  });

  it('does not expand a value again', () => {
    assert.deepEqual(stdio({ args: ['${env:NESTED}', '$&${env:NESTED}$1'] }).args, [
      '${env:TOKEN}',
      '$&${env:TOKEN}$1',
    ]);
    fc.assert(
      fc.property(fc.string(), (value) => {
        assert.deepEqual(stdio({ args: ['<${env:V}>'] }, { env: { V: value } }).args, [`<${value}>`]);
      }),
    );
  });

  it('leaves what is not a variable alone', () => {
    const args = ['$HOME', '${', '${{x}}'.slice(0, 3), '{}', '%PATH%', '$(id)', '~user', 'a~/b'];
    assert.deepEqual(stdio({ args }).args, args);
  });

  const failures: [Partial<StdioLaunch>, RegExp][] = [
    [{ args: ['a', '${env:MISSING}'] }, /The variable \$\{env:MISSING\} in args\[1\] has no value.*"MISSING".*Set it/],
    [{ env: { KEY: '${env:GONE}' } }, /\$\{env:GONE\} in env\.KEY has no value/],
    [{ env: { KEY: '${env:__proto__}' } }, /in env\.KEY has no value/],
    [{ env: { KEY: '${env:constructor}' } }, /in env\.KEY has no value/],
    [{ command: '${workspaceFolder}/x' }, /\$\{workspaceFolder\} in command has no value: no folder is open/],
    [{ cwd: '${input:token}' }, /The variable \$\{input:token\} in cwd has no value/],
    [{ cwd: '${inputs:token}' }, /in cwd is not known here. Known are \$\{workspaceFolder\}/],
    [{ args: ['${input:${env:TOKEN}}'] }, /variable within a variable in args\[0\]/],
    [{ envFile: '${HOME}/x' }, /\$\{HOME\} in envFile is not known/],
    [{ args: ['${}'] }, /\$\{\} in args\[0\] is not known/],
  ];
  for (const [launch, message] of failures) {
    it(`names the variable and the field of ${JSON.stringify(launch)}`, () => {
      assert.throws(() => stdio(launch), human(message));
    });
  }

  it('names the header of a missing variable', () => {
    assert.throws(
      () => http({ headers: { Authorization: 'Bearer ${env:NO}' } }),
      human(/^The variable \$\{env:NO\} in headers\.Authorization has no value/),
    );
  });

  const urls: [string, RegExp][] = [
    ['h/mcp?key=s3cret', /not a valid URL.*https:\/\/host\/path/],
    ['ftp://h/s3cret', /must begin with http:\/\/ or https:\/\/, but it begins with "ftp:"/],
    ['file:///s3cret', /but it begins with "file:"/],
    ['https://me:s3cret@h/', /user name or a password.*Authorization/],
  ];
  for (const [url, message] of urls) {
    it(`refuses the url ${url}`, () => {
      assert.throws(() => http({ url }), human(message));
    });
  }

  it('refuses a header that HTTP does not allow, without its value', () => {
    assert.throws(() => http({ headers: { A: 's3cret\r\nB: x' } }), human(/The header "A" cannot be sent/));
    assert.throws(() => http({ headers: { 'A b': 's3cret' } }), human(/The header "A b" cannot be sent/));
  });

  it('throws the definition’s own error where there is no launch', () => {
    const broken: ServerDefinition = { ...definition({ type: 'http', url: '', headers: {} }), launch: undefined };
    assert.throws(() => resolveLaunch({ ...broken, error: 'Why.' }, context), human(/^Why\.$/));
  });

  const folders: [string | undefined, string | undefined, string | undefined, string][] = [
    [undefined, '/w', undefined, '/w'],
    [undefined, undefined, '/first', '/first'],
    [undefined, undefined, undefined, '/home/me'],
    ['sub/../x', '/w', '/first', '/w/x'],
    ['sub', undefined, undefined, '/home/me/sub'],
    ['/abs', '/w', undefined, '/abs'],
    ['~/x', '/w', undefined, '/home/me/x'],
    ['~', '/w', undefined, '/home/me'],
  ];
  for (const [cwd, source, folder, expected] of folders) {
    it(`cwd ${cwd} of folder ${source} or ${folder} is ${expected}`, () => {
      assert.equal(stdio({ cwd }, { folder }, source).cwd, expected);
    });
  }

  it('understands a leading ~ as VS Code does, unless it comes from a variable', () => {
    const { command, args, envFile } = stdio(
      {
        command: '~/bin/x',
        args: ['~/a', '~', '--x=~/a', '${env:T}'],
        envFile: '~/.env',
      },
      { env: { T: '~/t' } },
    );
    assert.deepEqual(
      [command, args, envFile],
      ['/home/me/bin/x', ['/home/me/a', '/home/me', '--x=~/a', '~/t'], '/home/me/.env'],
    );
  });

  it('follows Windows’ rules on Windows', () => {
    const windows = { platform: 'win32', userHome: 'C:\\Users\\me', env: { Token: 't' } } as const;
    const { args, cwd } = stdio({ args: ['${env:TOKEN}', '${/}'], cwd: 'sub/x' }, windows, 'D:\\w');
    assert.deepEqual(args, ['t', '\\']);
    assert.equal(cwd, 'D:\\w\\sub\\x');
    assert.throws(() => stdio({ args: ['${env:token}'] }, { env: { TOKEN: 't' } }), human(/has no value/));
  });

  it('takes a hostile string in linear time', function () {
    this.timeout(2000);
    const text = '${'.repeat(1_000_000);
    assert.equal(stdio({ args: [text] }).args[0], text);
  });
});
