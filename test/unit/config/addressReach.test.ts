import assert from 'node:assert/strict';
import { disguisedHost, type AddressReach, reachOf } from '../../../src/config/addressReach';

const cases: Record<AddressReach, string[]> = {
  loopback: [
    'http://localhost:3000/mcp',
    'http://LOCALHOST./mcp',
    'http://api.localhost',
    'http://127.0.0.1:9',
    'http://127.9.9.9',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]:80/',
    'http://[::ffff:127.0.0.1]/',
  ],
  private: [
    'http://10.1.2.3/',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.7.7:9/mcp',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1',
    'http://0.0.0.0:80',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::]/',
    'https://intranet/mcp',
    'https://printer.local',
    'https://wiki.corp',
    'https://box.home.arpa',
  ],
  public: [
    'https://example.com/mcp',
    'http://172.32.0.1',
    'http://11.0.0.1',
    'http://8.8.8.8',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
    'https://user@example.com/?to=localhost',
  ],
};

describe('how near an address is', () => {
  for (const [reach, urls] of Object.entries(cases)) {
    for (const url of urls) {
      it(`${url} is ${reach}`, () => assert.equal(reachOf(url), reach));
    }
  }

  it('is not known where variables stand in it, or where it is no URL', () => {
    for (const url of ['https://${env:HOST}/mcp', 'https://x.example/${input:path}', '${env:URL}', 'no url']) {
      assert.equal(reachOf(url), undefined);
    }
  });
});

describe('disguisedHost', () => {
  const cases: [string, string | undefined][] = [
    ['https://api.example/mcp', undefined],
    ['HTTPS://API.example:8443/mcp?a=b', undefined],
    ['https://[::1]:3000/', undefined],
    ['http://127.0.0.1', undefined],
    ['https://${env:HOST}/mcp', undefined],
    ['no address', undefined],
    ['https://\u0430pple.com/', 'xn--pple-43d.com'],
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://good.example\\@evil.example/', undefined],
    ['https:\\\\evil.example', 'evil.example'],
    ['https://good\u3002example', 'good.example'],
    ['https://ev\til.example', 'evil.example'],
    ['http://0x7f.1:80/', '127.0.0.1'],
    ['https:evil.example', 'evil.example'],
    ['https://good.example.evil.example/', undefined],
  ];
  for (const [url, host] of cases) {
    it(`${JSON.stringify(url)}: ${host ?? 'as it is written'}`, () => {
      assert.equal(disguisedHost(url), host);
    });
  }
});
