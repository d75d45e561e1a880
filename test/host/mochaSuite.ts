import { appendFileSync } from 'node:fs';
import type Mocha from 'mocha';

/** How the test command and a mocha run talk: one JSON object a line, appended to a file. */
export type ReportEvent =
  | { readonly event: 'start' | 'skip'; readonly title: string }
  | { readonly event: 'pass'; readonly title: string; readonly ms: number }
  | { readonly event: 'fail'; readonly title: string; readonly detail: string }
  | { readonly event: 'end' };

export interface SuiteOptions {
  readonly files: readonly string[];
  /** Gets the events. */
  readonly reportFile: string;
  /** Milliseconds that one test may take. */
  readonly timeout: number;
  readonly grep?: string | undefined;
  /** Whether the files are loaded by `import`, which ES modules need and the extension host does not take. */
  readonly esm: boolean;
}

/** Runs test files with mocha, in plain Node as well as in the extension host. Resolves with the number of failures. */
export async function runMochaSuite(options: SuiteOptions): Promise<number> {
  process.setSourceMapsEnabled(true);
  // By `import`, since `require` gives a namespace instead of the class in some hosts.
  const { default: MochaClass } = await import('mocha');
  const mocha = new MochaClass({
    ui: 'bdd',
    timeout: options.timeout,
    forbidOnly: true,
    reporter: reporterTo(options.reportFile, MochaClass.reporters.Base),
    ...(options.grep === undefined ? {} : { grep: options.grep }),
  });
  for (const file of options.files) {
    mocha.addFile(file);
  }
  if (options.esm) {
    await mocha.loadFilesAsync();
  }
  return new Promise((resolve) => mocha.run(resolve));
}

/** A mocha reporter that appends events to a file: unlike a console it loses and mixes nothing. */
function reporterTo(file: string, Base: typeof Mocha.reporters.Base): Mocha.ReporterConstructor {
  const write = (event: ReportEvent) => appendFileSync(file, `${JSON.stringify(event)}\n`);
  return class extends Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      runner.on('test', (test) => write({ event: 'start', title: titleOf(test) }));
      runner.on('hook', (hook) => write({ event: 'start', title: titleOf(hook) }));
      runner.on('pending', (test) => write({ event: 'skip', title: titleOf(test) }));
      runner.on('pass', (test) => write({ event: 'pass', title: titleOf(test), ms: test.duration ?? 0 }));
      runner.on('fail', (test, error: unknown) =>
        write({ event: 'fail', title: titleOf(test), detail: detailOf(error) }),
      );
      runner.on('end', () => write({ event: 'end' }));
    }
  };
}

function titleOf(test: Mocha.Runnable): string {
  return test.titlePath().join(' › ');
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { expected, actual, generatedMessage } = error as {
    expected?: unknown;
    actual?: unknown;
    generatedMessage?: boolean;
  };
  const stack = error.stack ?? error.message;
  // A generated message has the values in it.
  const compared = generatedMessage !== false ? '' : `\nactual:   ${show(actual)}\nexpected: ${show(expected)}`;
  return `${stack}${compared}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 1000 ? `${text.slice(0, 1000)}… (${text.length} characters)` : text;
}
