const NAMES = new Set(
  (
    'PATH NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PYTHONPATH PYTHONSTARTUP PYTHONHOME PERL5OPT PERL5LIB ' +
    'RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS BASH_ENV ENV GIT_SSH_COMMAND'
  ).split(' '),
);
const PREFIXES = /^(DYLD|NPM_CONFIG|UV|PIP)_/u;

/** Whether an environment variable can make a program run other code than its command names. Case says nothing: npm and Windows ignore it. */
export function decidesWhatRuns(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.test(upper);
}
