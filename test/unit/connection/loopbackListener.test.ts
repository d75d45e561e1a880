import assert from 'node:assert/strict';
import { get } from 'node:http';
import { LoopbackListener } from '../../../src/connection/loopbackListener';

describe('LoopbackListener', () => {
  let listeners: LoopbackListener[] = [];

  const start = async (port = 0): Promise<LoopbackListener> => {
    const listener = await LoopbackListener.start(port);
    listeners.push(listener);
    return listener;
  };

  afterEach(() => {
    listeners.forEach((listener) => {
      listener.dispose();
    });
    listeners = [];
  });

  it('takes one answer, that which bears the state, and closes', async () => {
    const listener = await start();
    const { address } = listener;
    const answer = listener.answer('right', new AbortController().signal);
    const statuses = [
      (await fetch(`${address}?code=1&state=wrong`)).status,
      (await fetch(`${address}other?code=1&state=right`)).status,
      (await fetch(`${address}?code=1&state=right`, { method: 'POST' })).status,
    ];
    assert.deepEqual(statuses, [404, 404, 404]);
    const page = await fetch(`${address}?code=2&state=right`);
    assert.equal(page.headers.get('content-security-policy'), "default-src 'none'");
    assert.match(await page.text(), /close this page/);
    assert.equal((await answer).get('code'), '2');
    await assert.rejects(fetch(`${address}?code=3&state=right`), /fetch failed/);
  });

  it('goes on after a request for what is no address', async () => {
    const listener = await start();
    const answer = listener.answer('right', new AbortController().signal);
    const { port } = new URL(listener.address);
    const status = new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '//' }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      );
    });
    assert.equal(await status, 404);
    await fetch(`${listener.address}?code=1&state=right`);
    assert.equal((await answer).get('code'), '1');
  });

  it('listens on another port where the wanted one is taken', async () => {
    const first = await start();
    const second = await start(Number(new URL(first.address).port));
    assert.notEqual(second.address, first.address);
  });

  it('gives up with the reason of the signal, before and while it waits', async () => {
    const listener = await start();
    const abort = new AbortController();
    const answer = listener.answer('s', abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(answer, /enough/);
    await assert.rejects(listener.answer('s', abort.signal), /enough/);
  });
});
