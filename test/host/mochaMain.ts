import { runMochaSuite, type SuiteOptions } from './mochaSuite';

// The program that runs test files in plain Node. It never calls `process.exit`: a handle that a test leaves open keeps
// it alive, and the one who started it notices.
const options = JSON.parse(process.argv[2] ?? '') as SuiteOptions;
void runMochaSuite(options).then((failures) => {
  process.exitCode = failures > 0 ? 1 : 0;
});
