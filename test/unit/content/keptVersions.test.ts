import assert from 'node:assert/strict';
import { KeptVersions } from '../../../src/content/keptVersions';
import { resourceContent } from '../../../src/content/resourceContent';

describe('KeptVersions', () => {
  const version = (text: string) => resourceContent([{ uri: 'a://x', text }], { uri: 'a://x' });

  it('keeps each version as it was, within the bound', () => {
    const versions = new KeptVersions(10);
    const [one, two] = [version('11111'), version('22222')];
    versions.keep('one', one);
    versions.keep('two', two);
    assert.equal(versions.get('one'), one);
    assert.equal(versions.get('two'), two);
    assert.equal(versions.get('three'), undefined);
  });

  it('what was used last stays; what had to go is told from what never was', () => {
    const versions = new KeptVersions(10);
    versions.keep('one', version('11111'));
    versions.keep('two', version('22222'));
    assert.notEqual(versions.get('one'), 'dropped');
    versions.keep('three', version('33333'));
    assert.equal(versions.get('two'), 'dropped');
    assert.notEqual(versions.get('one'), 'dropped');
  });

  it('one that is larger than the bound is kept alone, and can be kept again', () => {
    const versions = new KeptVersions(10);
    versions.keep('small', version('1'));
    const large = version('x'.repeat(50));
    versions.keep('large', large);
    assert.equal(versions.get('small'), 'dropped');
    assert.equal(versions.get('large'), large);
    const small = version('1');
    versions.keep('small', small);
    assert.equal(versions.get('small'), small);
    assert.equal(versions.get('large'), 'dropped');
  });
});
