import assert from 'node:assert/strict';
import { decidesWhatRuns } from '../../../src/config/decidingVariables';

describe('decidesWhatRuns', () => {
  it('X9: names what loads or looks up code, however it is written', () => {
    const names = [
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'Path',
      'npm_config_registry',
      'UV_INDEX_URL',
    ];
    assert.deepEqual(names.filter(decidesWhatRuns), names);
  });

  it('leaves other names alone', () => {
    assert.deepEqual(['API_TOKEN', 'HOME', 'MY_PATH', 'UVICORN_PORT', 'PIPE', 'NODE_ENV'].filter(decidesWhatRuns), []);
  });
});
