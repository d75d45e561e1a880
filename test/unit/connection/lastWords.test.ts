import assert from 'node:assert/strict';
import { lastWords } from '../../../src/connection/lastWords';

/** As the log has them. */
const said = (text: string): string[] => text.split('\n').map((line) => `[stderr] ${line}`);

describe('lastWords', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['one line', 'Error: cannot open database /var/db.sqlite', 'Error: cannot open database /var/db.sqlite'],
    ['no error among them', 'starting\nbye now\n\n', 'bye now'],
    ['nothing', '\n  \n', undefined],
    [
      'Node',
      "/srv/x.js:1\nthrow new Error('no disk')\n^\n\nError: no disk\n    at error (/srv/error.js:1:7) {\n  code: 'E1'\n}\n\nNode.js v20.1.0",
      'Error: no disk',
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/srv/error.py", line 1\n    boom()\nKeyError: \'x\'',
      "KeyError: 'x'",
    ],
    [
      'npm',
      'npm error code E404\nnpm error 404 Not Found - GET https://r/x\nnpm error A complete log of this run can be found in: /h/x.log',
      'npm error 404 Not Found - GET https://r/x',
    ],
    ['only a stack', '    at error (/srv/x.js:1:7)\n    at main (/srv/x.js:2:7)', undefined],
    ['colours and hidden characters', '\u001b[31mError:\u001b[39m \u202eno\u0007 disk', 'Error: no disk'],
    ['a long line', `Error: ${'x'.repeat(300)}`, `Error: ${'x'.repeat(192)}…`],
  ];
  for (const [what, text, words] of cases) {
    it(`are those that tell most: ${what}`, () => assert.equal(lastWords(said(text)), words));
  }

  it('are of the server, and recent', () => {
    assert.equal(lastWords(['Connected: error: x', '[notice] error: y']), undefined);
    assert.equal(lastWords(said(`Error: long ago\n${'going on\n'.repeat(20)}bye`)), 'bye');
  });
});
